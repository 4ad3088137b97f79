import { isDatabaseAway, type Sql } from "../../platform/db/sql.ts";
import type { AnyDefinition } from "../definition.ts";
import { OutcomeUnknownError } from "../errors.ts";
import type { Store } from "../ports.ts";
import type { Cell, Delivery } from "./activation.ts";
import { receiptKey } from "./replies.ts";

/** The messages that a lane takes up next: for each actor, so many from the front of its mailbox. */
export type Turn = readonly { readonly cell: Cell; readonly count: number }[];

type Loader = Pick<Store, "receipts" | "tasksOf"> & { readonly db: Sql };

/**
 * Loads what a turn needs and memory has not: actors, what they have left to do, and receipts. A query a kind, one for all
 * tasks and one for all receipts. Undefined when there is nothing to load. Rejects when the database is away.
 */
export function loadTurn(
  turn: Turn,
  store: Loader,
  unreadable: (cell: Cell, error: unknown) => void,
): Promise<void> | undefined {
  const cold: Cell[] = [];
  const unknown: { cell: Cell; actorId: string; key: string }[] = [];
  for (const { cell, count } of turn) {
    if (!cell.loaded) cold.push(cell);
    for (let i = 0; i < count; i++) {
      const delivery = cell.mailbox[i] as Delivery;
      if (!mayHaveReceipt(delivery)) continue;
      const key = receiptKey(delivery.item);
      if (!cell.receipts.has(key)) unknown.push({ cell, actorId: cell.id, key });
    }
  }
  if (cold.length === 0 && unknown.length === 0) return undefined;
  return load(cold, unknown, store, unreadable);
}

async function load(
  cold: readonly Cell[],
  unknown: readonly { cell: Cell; actorId: string; key: string }[],
  store: Loader,
  unreadable: (cell: Cell, error: unknown) => void,
): Promise<void> {
  const withTasks = cold.filter((cell) => cell.definition.hasTasks === true);
  const [receipts, tasks, ...states] = await Promise.all([
    unknown.length === 0 ? [] : store.receipts(unknown),
    withTasks.length === 0
      ? []
      : store.tasksOf(withTasks.map((cell) => ({ kind: cell.definition.kind, actorId: cell.id }))),
    ...[...Map.groupBy(cold, (cell) => cell.definition)].map(([definition, cells]) =>
      loadStates(definition, cells, store.db),
    ),
  ]);
  for (const { cell, state, version, error } of states.flat()) {
    if (error === undefined) cell.become(state, version);
    else unreadable(cell, error);
  }
  const byAddress = new Map(withTasks.map((cell) => [cell.address, cell]));
  for (const task of tasks) byAddress.get(`${task.kind}/${task.actorId}`)?.tasks.set(task.name, task);
  const waiting = new Map(unknown.map(({ cell, actorId, key }) => [`${actorId}\0${key}`, cell]));
  for (const { actorId, key, ...receipt } of receipts) {
    waiting.get(`${actorId}\0${key}`)?.keepReceipt(key, receipt);
  }
}

interface LoadedState {
  readonly cell: Cell;
  readonly state?: unknown;
  readonly version: number;
  readonly error?: unknown;
}

/** Reads actors of a kind; when that fails, halves of them, until those that cannot be read stand alone. */
async function loadStates(
  definition: AnyDefinition,
  cells: readonly Cell[],
  db: Sql,
): Promise<LoadedState[]> {
  try {
    const rows = await definition.table.load(
      db,
      cells.map((cell) => cell.id),
    );
    return cells.map((cell) => {
      const found = rows.get(cell.id);
      return {
        cell,
        state: found === undefined ? definition.empty(cell.id) : found.state,
        version: found?.version ?? 0,
      };
    });
  } catch (error) {
    if (isDatabaseAway(error) || error instanceof OutcomeUnknownError) throw error;
    const [cell] = cells;
    if (cell !== undefined && cells.length === 1) return [{ cell, version: 0, error }];
    const middle = cells.length >> 1;
    const halves = [cells.slice(0, middle), cells.slice(middle)];
    return (await Promise.all(halves.map((half) => loadStates(definition, half, db)))).flat();
  }
}

/** A key that the caller minted for this very try cannot have a receipt; any other may. Tasks have none. */
const mayHaveReceipt = ({ item, reruns, task }: Delivery): boolean =>
  task === undefined && (item.keyed || item.attempt > 0 || reruns > 0);
