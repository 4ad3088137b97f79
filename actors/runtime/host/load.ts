import { isDatabaseUnavailable, type Sql } from "../../platform/db/sql.ts";
import type { AnyDefinition } from "../definition.ts";
import { OutcomeUnknownError } from "../errors.ts";
import type { Store } from "../ports.ts";
import type { Activation, PendingRequest } from "./activation.ts";
import { receiptKey } from "./replies.ts";

/** The messages of a lane's next turn: for each actor, a number of messages from the front of its mailbox. */
export type Turn = readonly { readonly activation: Activation; readonly count: number }[];

type Loader = Pick<Store, "receipts" | "tasksOf"> & { readonly db: Sql };

/**
 * Loads what a turn needs and memory lacks: actors, their tasks, and receipts. One query for each kind of actor, one
 * for all tasks and one for all receipts. Undefined when there is nothing to load. Rejects when the database is
 * unavailable.
 *
 * @param isReceiptLikely whether clients repeat requests at present: then the receipt of each key is looked up
 */
export function loadTurn(
  turn: Turn,
  store: Loader,
  unreadable: (activation: Activation, error: unknown) => void,
  { isReceiptLikely }: { isReceiptLikely: boolean },
): Promise<void> | undefined {
  const cold: Activation[] = [];
  const unknown: Unknown[] = [];
  for (const { activation, count } of turn) {
    if (!activation.loaded) cold.push(activation);
    for (let i = 0; i < count; i++) {
      const request = activation.mailbox[i] as PendingRequest;
      if (!mayHaveReceipt(request)) continue;
      if (isFirstUse(request) && activation.loaded && !isReceiptLikely) continue;
      const key = receiptKey(request.item);
      if (!activation.receipts.has(key)) unknown.push({ activation, actorId: activation.id, key, request });
    }
  }
  if (cold.length === 0 && unknown.length === 0) return undefined;
  return load(cold, unknown, store, unreadable);
}

interface Unknown {
  readonly activation: Activation;
  readonly actorId: string;
  readonly key: string;
  readonly request: PendingRequest;
}

async function load(
  cold: readonly Activation[],
  unknown: readonly Unknown[],
  store: Loader,
  unreadable: (activation: Activation, error: unknown) => void,
): Promise<void> {
  const withTasks = cold.filter((activation) => activation.definition.hasTasks === true);
  const [receipts, tasks, ...states] = await Promise.all([
    unknown.length === 0 ? [] : store.receipts(unknown),
    withTasks.length === 0
      ? []
      : store.tasksOf(
          withTasks.map((activation) => ({ kind: activation.definition.kind, actorId: activation.id })),
        ),
    ...[...Map.groupBy(cold, (activation) => activation.definition)].map(([definition, activations]) =>
      loadStates(definition, activations, store.db),
    ),
  ]);
  for (const { activation, state, version, error } of states.flat()) {
    if (error === undefined) activation.activate(state, version);
    else unreadable(activation, error);
  }
  const byAddress = new Map(withTasks.map((activation) => [activation.address, activation]));
  for (const task of tasks) byAddress.get(`${task.kind}/${task.actorId}`)?.tasks.set(task.name, task);
  for (const { request } of unknown) request.receipt = "read";
  const waiting = new Map(unknown.map(({ activation, actorId, key }) => [`${actorId}\0${key}`, activation]));
  for (const { actorId, key, ...receipt } of receipts) {
    waiting.get(`${actorId}\0${key}`)?.cacheReceipt(key, receipt);
  }
}

interface LoadedState {
  readonly activation: Activation;
  readonly state?: unknown;
  readonly version: number;
  readonly error?: unknown;
}

/** Reads actors of a kind. After a failure it reads each half separately, until the unreadable actors are found. */
async function loadStates(
  definition: AnyDefinition,
  activations: readonly Activation[],
  db: Sql,
): Promise<LoadedState[]> {
  try {
    const rows = await definition.table.load(
      db,
      activations.map((activation) => activation.id),
    );
    return activations.map((activation) => {
      const found = rows.get(activation.id);
      return {
        activation,
        state: found === undefined ? definition.empty(activation.id) : found.state,
        version: found?.version ?? 0,
      };
    });
  } catch (error) {
    if (isDatabaseUnavailable(error) || error instanceof OutcomeUnknownError) throw error;
    const [activation] = activations;
    if (activation !== undefined && activations.length === 1) return [{ activation, version: 0, error }];
    const middle = activations.length >> 1;
    const halves = [activations.slice(0, middle), activations.slice(middle)];
    return (await Promise.all(halves.map((half) => loadStates(definition, half, db)))).flat();
  }
}

/** Whether a request may have a receipt: not if its key was minted for this attempt, and not if it is a task. */
const mayHaveReceipt = ({ item, reruns, task }: PendingRequest): boolean =>
  task === undefined && (item.hasClientKey || item.attempt > 0 || reruns > 0);

/**
 * Whether a client's key is probably used for the first time, as nearly all are. Such a request runs without a look-up: should there be
 * a receipt after all, the commit is refused, and a refusal by the handler is held back until the receipt was looked up.
 */
const isFirstUse = ({ item, reruns, receipt }: PendingRequest): boolean =>
  item.attempt === 0 && reruns === 0 && receipt !== "wanted";

/** Whether a request that was run may have a receipt that memory lacked. */
export const ranWithoutReceipt = (request: PendingRequest): boolean =>
  request.receipt !== "read" && mayHaveReceipt(request);

/** The same of a request that recorded nothing. */
export const isReceiptUnknown = (activation: Activation, request: PendingRequest): boolean =>
  ranWithoutReceipt(request) && !activation.receipts.has(receiptKey(request.item));
