import type { Stack } from "../harness/stack.ts";
import { until } from "../harness/until.ts";
import { type Attempt, cents, type History, isUnclear, orderFaults, type Payer } from "./history.ts";
import { type Rows, readRows, readStream, type Streamed } from "./rows.ts";

export interface CheckOptions {
  /** A failover lost what was committed in a while: its acknowledgements and its events may be of nothing that is left. */
  readonly lost?: { readonly fromMs: number; readonly untilMs: number };
  /** The stream was lost and filled again: what was on its way then may have come before all that happened before it. */
  readonly refilled?: boolean;
}

type StreamOptions = { readonly othersToo?: boolean; readonly refilled?: boolean };

/** A run of many faults is no easier to read for all of them. */
const FAULTS_MAX = 20;
/** After a fault the stream has what was left in the outbox by then. */
const STREAM_MS_MAX = 30_000;

/**
 * Compares every answer of a run with every row that it left, and with the stream of events. Answers what is wrong, a line
 * each; nothing when every transfer that was acknowledged is there once, and every other one not at all.
 */
export async function check(
  stack: Pick<Stack, "db"> & { readonly nats: Pick<Stack["nats"], "url"> },
  users: readonly Payer[],
  history: History,
  { lost, refilled = false }: CheckOptions = {},
): Promise<string[]> {
  const isLost = ({ status, endMs }: Attempt) =>
    lost !== undefined && status === 200 && endMs > lost.fromMs && endMs < lost.untilMs;
  const kept = history.filter((attempt) => !isLost(attempt));
  const rows = await readRows(
    stack.db,
    users.map((user) => user.id),
  );
  const ofUser = Map.groupBy(kept, (attempt) => attempt.userId);
  const faults = users.flatMap(({ id }) =>
    userFaults(id, ofUser.get(id) ?? [], rows).map((fault) => `${id}: ${fault}`),
  );
  for (const id of rows.unbalanced) faults.push(`${id}: balances are not the sums of their postings`);
  faults.push(...outboxFaults(rows));
  faults.push(...(await streamFaults(stack.nats.url, rows, { othersToo: lost !== undefined, refilled })));
  return faults.slice(0, FAULTS_MAX);
}

/** How one user's answers and rows disagree. */
export function userFaults(userId: string, history: History, rows: Rows): string[] {
  const faults: string[] = [];
  const receipts = new Map(
    rows.receipts.filter((row) => row.user_id === userId).map((row) => [row.key, row]),
  );
  const asked = Map.groupBy(history, (attempt) => attempt.key);
  const amounts = new Map<string, number>();
  for (const [key, attempts] of asked) {
    const fault = (text: string) => faults.push(`${key}: ${text}`);
    const done = attempts.filter(({ status }) => status === 200);
    const [first] = done;
    const receipt = receipts.get(key);
    const last = attempts.at(-1);
    if (last !== undefined && isUnclear(last)) fault("had no clear answer in the end");
    if (first === undefined) {
      if (receipt !== undefined) fault("was not acknowledged, and done");
    } else {
      amounts.set(key, first.amountCents);
      if (receipt === undefined) fault("was acknowledged, and is not there");
      for (const { receipt: answered, amountCents } of done) {
        if (!Bun.deepEquals(answered, receipt?.reply)) fault("its answers and its receipt differ");
        if (amountCents !== first.amountCents) fault("two amounts were done under one key");
      }
      if (done.filter(({ replayed }) => !replayed).length > 1) fault("was done twice by its answers");
    }
    for (const { status, code, amountCents } of attempts.filter((one) => !isUnclear(one))) {
      const expected =
        status === 200 ||
        (code === "INSUFFICIENT_BALANCE" && first === undefined) ||
        (code === "TRANSFER_IDEMPOTENCY_KEY_REUSED" && amountCents !== first?.amountCents);
      if (!expected) fault(`${amountCents} cents were answered ${status} ${code}`);
    }
  }
  for (const key of receipts.keys()) {
    if (!asked.has(key)) faults.push(`${key}: was done, and nobody asked for it`);
  }
  faults.push(...ledgerFaults(userId, rows, [...amounts.values()]));
  const credited = rows.wallets.find((row) => row.user_id === userId)?.credited ?? 0;
  const done = [...receipts].map(([key, { version, reply }]) => ({
    key,
    version,
    amountCents: amounts.get(key) ?? 0,
    balanceCents: cents(reply.general_balance),
  }));
  return [...faults, ...orderFaults(credited, done, history)];
}

/** A wallet's transfers are those that were acknowledged, each with its movements and its event, and nothing else moved. */
function ledgerFaults(userId: string, rows: Rows, amounts: readonly number[]): string[] {
  const faults: string[] = [];
  const transfers = rows.transfers.filter((row) => row.user_id === userId);
  const wallet = rows.wallets.find((row) => row.user_id === userId);
  const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b).join();
  if (sorted(transfers.map((row) => row.cents)) !== sorted(amounts)) {
    faults.push(`has ${transfers.length} transfers, and ${amounts.length} were acknowledged or differ`);
  }
  const moved = transfers.reduce((sum, row) => sum + row.cents, 0);
  if (wallet === undefined || wallet.credited - moved !== wallet.cents) {
    faults.push(`has ${wallet?.cents} of ${wallet?.credited} after transfers of ${moved}`);
  }
  for (const { id, cents: amount, micros, events } of transfers) {
    if (micros !== amount * 10_000) faults.push(`transfer ${id} of ${amount} moved ${micros} micros`);
    if (events !== 1) faults.push(`transfer ${id} has ${events} events`);
  }
  return faults;
}

/** The numbers of each partition have no gap, and each event of the log is in the outbox once. */
export function outboxFaults({ outbox, events }: Pick<Rows, "outbox" | "events">): string[] {
  const faults: string[] = [];
  for (const [partition, rows] of Map.groupBy(outbox, (row) => row.partition)) {
    rows.forEach(({ seq }, i) => {
      if (seq !== i + 1) faults.push(`partition ${partition}: effect ${i + 1} has the number ${seq}`);
    });
  }
  const told = outbox.filter((row) => row.topic === "event").map((row) => row.event_id);
  if (new Set(told).size !== told.length) faults.push("an event is in the outbox twice");
  const log = new Set(events);
  if (log.size !== told.length || told.some((id) => id === null || !log.has(id))) {
    faults.push(`the log has ${log.size} events, the outbox ${told.length}, or they are others`);
  }
  return faults;
}

/** What is missing may still be on its way; anything else is as it stays. */
async function streamFaults(natsUrl: string, rows: Rows, options: StreamOptions): Promise<string[]> {
  let stream: Streamed[] = [];
  let failure: unknown;
  await until(
    async () => {
      stream = await readStream(natsUrl);
      if (options.refilled) return streamedFaults(rows, stream, options).length === 0;
      const told = new Set(stream.map((event) => event.id));
      return rows.events.every((id) => told.has(id));
    },
    { timeoutMs: STREAM_MS_MAX, everyMs: 200 },
  ).catch((error) => {
    failure = error.cause;
  });
  // Without one it was read, and this is what it came to.
  if (failure !== undefined) return [`the stream cannot be read: ${failure}`];
  return streamedFaults(rows, stream, options);
}

/**
 * Every event of the log is on the stream, those of a partition in their order; nothing else is, unless `othersToo`. What comes
 * twice counts where it first came; in a stream that was filled again, where it came last.
 */
export function streamedFaults(
  { events }: Pick<Rows, "events">,
  stream: readonly Streamed[],
  { othersToo = false, refilled = false }: StreamOptions,
): string[] {
  const faults: string[] = [];
  const told = new Set(stream.map((event) => event.id));
  const log = new Set(events);
  const missing = events.filter((id) => !told.has(id)).length;
  if (missing > 0) faults.push(`${missing} events are not on the stream`);
  if (othersToo) return faults;
  const others = [...told].filter((id) => !log.has(id)).length;
  if (others > 0) faults.push(`${others} events are on the stream that never happened`);
  const places = new Map<string, number>();
  stream.forEach(({ id }, at) => {
    if (refilled || !places.has(id)) places.set(id, at);
  });
  const last = new Map<number, number>();
  for (const [at, { id, partition, seq }] of stream.entries()) {
    if (places.get(id) !== at) continue;
    if (seq <= (last.get(partition) ?? 0)) faults.push(`partition ${partition}: ${seq} came out of order`);
    last.set(partition, seq);
  }
  return faults;
}
