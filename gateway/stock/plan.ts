import { Value } from "@sinclair/typebox/value";
import type { StockRow } from "../../actors/market/server/queries.ts";
import { AddServer, type ChangeServer, DAYS_MAX } from "../../schemas/market/server.ts";
import type { StockChange, StockStep } from "../../schemas/market/stock-import.ts";
import { ruleOf } from "../http/validation.ts";
import { CellError, type Column, cellOf, columnNamed, draftOf, type StockDraft, setCell } from "./columns.ts";
import type { CsvProblem, CsvRow } from "./parse.ts";

/** Compares the rows of a file with the stock: what is to be done to each server, or why it cannot be. */

export interface StockPlan {
  readonly steps: readonly StockStep[];
  readonly changes: readonly StockChange[];
  readonly unchanged: number;
  /** Cells that cannot be read or break a rule. */
  readonly problems: readonly CsvProblem[];
  /** Rows of servers that were changed after the file was made. */
  readonly stale: readonly CsvProblem[];
}

interface Judged {
  readonly step?: StockStep;
  readonly change?: StockChange;
  readonly problems: readonly CsvProblem[];
  readonly stale?: CsvProblem;
}

const EMPTY: StockDraft = { specs: {}, prices: {}, setup_fee_cents: 0, delivered_by_hand: false };

/** @param stock the servers that have an id or a name of the file */
export function planImport(
  rows: readonly CsvRow[],
  stock: readonly StockRow[],
  newId: () => string,
): StockPlan {
  const byId = new Map(stock.map((server) => [server.id, server]));
  const names = new Set(stock.map(({ name }) => name));
  const twice = problemsOfRepeats(rows);
  const judged = rows.map((row) => {
    const id = row.cells.get("id") ?? "";
    if (id === "") return judgeAddition(row, byId, names, newId);
    const server = byId.get(id);
    return server === undefined
      ? { problems: [at(row, "id", "there is no server with this id in the stock")] }
      : judgeChange(row, server);
  });
  const steps = judged.flatMap(({ step }) => (step === undefined ? [] : [step]));
  return {
    steps,
    changes: judged.flatMap(({ change }) => (change === undefined ? [] : [change])),
    unchanged: rows.length - steps.length,
    problems: [...twice, ...judged.flatMap(({ problems }) => problems)].sort((a, b) => a.line - b.line),
    stale: judged.flatMap(({ stale }) => (stale === undefined ? [] : [stale])),
  };
}

const at = ({ line }: CsvRow, column: string | null, message: string): CsvProblem => ({
  line,
  column,
  message,
});

function problemsOfRepeats(rows: readonly CsvRow[]): CsvProblem[] {
  return ["id", "name"].flatMap((column) => {
    const seen = new Set<string>();
    return rows.flatMap((row) => {
      const cell = row.cells.get(column) ?? "";
      if (cell === "" || !seen.has(cell)) {
        seen.add(cell);
        return [];
      }
      return [at(row, column, "is in the file twice")];
    });
  });
}

function judgeChange(row: CsvRow, server: StockRow): Judged {
  const fixed = { name: server.name, kind: server.kind, parent_id: server.parent_id ?? "" };
  const moved = Object.entries(fixed)
    .filter(([column, value]) => (row.cells.get(column) ?? value) !== value)
    .map(([column, value]) => at(row, column, `cannot be changed: it is ${value === "" ? "empty" : value}`));
  const before = draftOf(server);
  const { draft, cells, problems } = fill(row, before);
  const { name, kind, parent_id } = server;
  const broken = problemsOfServer(row, { name, kind, parent_id, ...draft });
  const all = [...moved, ...problems, ...broken];
  const revision = row.cells.get("revision") ?? "";
  if (revision === "") all.push(at(row, "revision", "is required: export the stock to get it"));
  if (all.length > 0) return { problems: all };
  if (cells.length === 0) return { problems: [] };
  const { id } = server;
  if (revision !== server.revision)
    return { problems: [], stale: at(row, "revision", `${name} was changed after the file was made`) };
  return {
    problems: [],
    step: { server_id: id, revision: server.revision, add: null, change: differences(before, draft) },
    change: { line: row.line, id, name, action: "change", cells },
  };
}

function judgeAddition(
  row: CsvRow,
  byId: ReadonlyMap<string, StockRow>,
  names: ReadonlySet<string>,
  newId: () => string,
): Judged {
  const cell = (column: string) => row.cells.get(column) ?? "";
  const { draft, cells, problems } = fill(row, structuredClone(EMPTY));
  const [name, kind, parent_id] = [cell("name"), cell("kind") || "dedicated", cell("parent_id") || null];
  const added = { name, kind, parent_id, ...draft } as typeof AddServer.static;
  const all = [...problems, ...problemsOfServer(row, added)];
  if (cell("revision") !== "") all.push(at(row, "revision", "must be empty: without id the server is new"));
  if (names.has(name)) all.push(at(row, "name", "there is a server of this name"));
  if (parent_id !== null) {
    if (byId.get(parent_id)?.kind !== "shared")
      all.push(at(row, "parent_id", "must be the id of a server of the kind `shared`"));
    if (kind !== "dedicated") all.push(at(row, "kind", "of a subserver is `dedicated`"));
  }
  if (all.length > 0) return { problems: all };
  return {
    problems: [],
    step: { server_id: newId(), revision: null, add: added, change: null },
    change: { line: row.line, id: null, name, action: "add", cells },
  };
}

/** Sets the cells of a row in a draft; columns that the file lacks stay as they are. */
function fill(row: CsvRow, before: StockDraft) {
  const draft = structuredClone(before);
  const problems: CsvProblem[] = [];
  const cells: StockChange["cells"] = [];
  for (const [name, cell] of row.cells) {
    const column = columnNamed(name);
    if (column === undefined) continue;
    try {
      setCell(draft, column, cell);
      const [was, is] = [cellOf(before, column), cellOf(draft, column)];
      if (was !== is)
        cells.push({ column: name, before: was === "" ? null : was, after: is === "" ? null : is });
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
      problems.push(at(row, name, error.message));
    }
  }
  const { cpu_scores } = draft.specs;
  if (cpu_scores !== undefined && Object.keys(cpu_scores as object).length === 0)
    delete draft.specs.cpu_scores;
  return { draft, cells, problems };
}

/** What breaks the rules of the API, which are the same as for one server. */
function problemsOfServer(row: CsvRow, server: object): CsvProblem[] {
  const found = new Map<string, CsvProblem>();
  for (const error of Value.Errors(AddServer, server)) {
    const column = columnAt(row, error.path.split("/").slice(1));
    if (!found.has(column)) found.set(column, at(row, column, ruleOf(error, "body")));
  }
  const { prices } = server as StockDraft;
  for (const days of Object.keys(prices).filter((days) => Number(days) > DAYS_MAX))
    found.set(days, at(row, `price_${days}`, `nothing is rented for more than ${DAYS_MAX} days`));
  return [...found.values()];
}

/** The column of a place in a server; the place itself where the file has no such column. */
function columnAt({ cells }: CsvRow, path: readonly string[]): string {
  const isAt = (column: Column | undefined) =>
    column?.path.every((part, depth) => part === path[depth]) ?? false;
  return [...cells.keys()].find((name) => isAt(columnNamed(name))) ?? path.join(".");
}

/** Only what differs: an import of prices is no change of specs. */
function differences(before: StockDraft, after: StockDraft): typeof ChangeServer.static {
  const changed = Object.entries(after).filter(
    ([name, value]) => !Bun.deepEquals(value, before[name as keyof StockDraft]),
  );
  return Object.fromEntries(changed);
}
