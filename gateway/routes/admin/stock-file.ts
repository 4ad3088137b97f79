import { createHash } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { readStockOf, readWholeStock, type StockRow } from "../../../actors/market/server/queries.ts";
import { readImportDigest } from "../../../actors/market/stock-import/queries.ts";
import {
  ImportStockQuery,
  STOCK_BYTES_MAX,
  STOCK_CHANGES_MAX,
  STOCK_ROWS_MAX,
  type StockImport,
  StockImportReply,
  type StockRefusal,
} from "../../../schemas/market/stock-import.ts";
import { admin } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { actorIdFor } from "../../http/actor-id.ts";
import { errors, ok } from "../../http/envelope.ts";
import { type CsvProblem, type CsvRow, parseStock, refuseProblems } from "../../stock/parse.ts";
import { planImport, type StockPlan } from "../../stock/plan.ts";
import { writeStock } from "../../stock/write.ts";

const Csv = Type.Unsafe<Response>(
  Type.String({ contentMediaType: "text/csv", description: "the stock, a server a line" }),
);

/** The stock as CSV, out and in (docs/decisions/0067-stock-in-bulk.md). */
export const adminStockFileRoutes = (context: GatewayContext) => [exporting(context), importing(context)];

const prefix = { prefix: "/api/v1/admin/stock", detail: { tags: ["Administration"] } };

const exporting = ({ db, credentials }: GatewayContext) =>
  new Elysia(prefix).use(admin(credentials)).get(
    "/",
    async () =>
      new Response(writeStock(await readWholeStock(db)), {
        headers: {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": 'attachment; filename="stock.csv"',
          "cache-control": "no-store",
        },
      }),
    {
      response: { 200: Csv },
      detail: {
        summary: "The stock as CSV, to be changed and imported again",
        "x-no-example": "the reply is CSV",
        description:
          "By name, without servers that were removed. `revision` stands for the specs and prices that a line shows; leave it as it is. " +
          "`price_30` is the price of 30 days in USD. Text that a spreadsheet would run as a formula begins with an apostrophe, which an import takes away.",
      },
    },
  );

const importing = (context: GatewayContext) => {
  const { db, actors, credentials, newId } = context;
  return new Elysia(prefix).use(admin(credentials, { body: "bytes", bodyBytesMax: STOCK_BYTES_MAX })).post(
    "/",
    async ({ caller, query, body, operation, operator }) => {
      const bytes = (body as Uint8Array | undefined) ?? new Uint8Array();
      const dryRun = query.dry_run === "true";
      const digest = createHash("sha256").update(bytes).digest("hex");
      const id = actorIdFor("stock_import", caller.userId, operation, newId);
      const isRepeated = !dryRun && operation.hasClientKey && (await readImportDigest(db, id)) !== undefined;
      const rows = parseStock(bytes);
      const { plan, stock } = isRepeated ? NOTHING : await planOf(context, rows);
      if (dryRun) return ok("Nothing was changed", resultOf(plan, { dry_run: true, replayed: false }));
      const begun = await actors
        .stock_import(id)
        .begin({ digest, steps: [...plan.steps], operator }, operation);
      refuseProblems(problemsOf(rows, plan, begun.value.refusals), "STOCK_CHANGED");
      await joinAdded(context, plan, stock);
      return ok("Stock changed", resultOf(plan, { dry_run: false, replayed: isRepeated }));
    },
    {
      query: ImportStockQuery,
      body: Type.Optional(Type.Uint8Array()),
      response: {
        200: StockImportReply,
        ...errors("INVALID_CSV", "STOCK_CHANGED", "IDEMPOTENCY_KEY_REUSED"),
      },
      detail: {
        summary: "Change many servers at once, by CSV",
        description:
          "The file that `GET /api/v1/admin/stock` gives, with changed cells and new lines. All of it happens or nothing: with one wrong cell " +
          "(400 INVALID_CSV, `data.errors` with line and column) or one server that somebody changed meanwhile (409 STOCK_CHANGED) the stock " +
          "stays as it is. Columns and servers that the file lacks are not changed, an empty cell removes the value, and a line without `id` adds a server. " +
          `A file has at most ${STOCK_ROWS_MAX} servers, of which ${STOCK_CHANGES_MAX} change. \`dry_run=true\` only says what would change.`,
      },
    },
  );
};

const NOTHING: { plan: StockPlan; stock: StockRow[] } = {
  plan: { steps: [], changes: [], unchanged: 0, problems: [], stale: [] },
  stock: [],
};

/** @throws INVALID_CSV, STOCK_CHANGED */
async function planOf({ db, newId }: GatewayContext, rows: readonly CsvRow[]) {
  const cells = (column: string) => rows.flatMap((row) => row.cells.get(column) || []);
  const stock = await readStockOf(db, [...cells("id"), ...cells("parent_id")], cells("name"));
  const plan = planImport(rows, stock, newId);
  refuseProblems(plan.problems, "INVALID_CSV");
  refuseProblems(plan.stale, "STOCK_CHANGED");
  const over = plan.changes[STOCK_CHANGES_MAX];
  const message = `${plan.changes.length} servers change, and a file changes at most ${STOCK_CHANGES_MAX}`;
  refuseProblems(over === undefined ? [] : [{ line: over.line, column: null, message }], "INVALID_CSV");
  return { plan, stock };
}

/** The refusals of servers, with the lines of the file. */
function problemsOf(
  rows: readonly CsvRow[],
  { steps, changes }: StockPlan,
  refusals: readonly StockRefusal[],
): CsvProblem[] {
  const lines = new Map(rows.map(({ line, cells }) => [cells.get("id") ?? "", line]));
  for (const [at, { server_id }] of steps.entries()) lines.set(server_id, changes[at]?.line ?? 1);
  return refusals.map(({ server_id, code, message }) => ({
    line: lines.get(server_id) ?? 1,
    column: code === "NAME_TAKEN" ? "name" : null,
    message,
  }));
}

/** The agents of added servers may have been started before. */
async function joinAdded(
  { actors, joinedHosts }: GatewayContext,
  { steps }: StockPlan,
  stock: readonly StockRow[],
): Promise<void> {
  for (const { server_id, add } of steps) {
    if (add === null) continue;
    const parent = stock.find(({ id }) => id === add.parent_id);
    if (parent !== undefined && parent.host_joined_at !== null) await actors.server(server_id).join({});
    else await joinedHosts.probe(parent?.name ?? add.name);
  }
}

const resultOf = (
  { changes, unchanged }: StockPlan,
  how: Pick<StockImport, "dry_run" | "replayed">,
): StockImport => ({
  ...how,
  added: changes.filter(({ action }) => action === "add").length,
  changed: changes.filter(({ action }) => action === "change").length,
  unchanged,
  changes: [...changes],
});
