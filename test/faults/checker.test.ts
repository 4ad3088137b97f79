import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../harness/embedded-stack.ts";
import { check, outboxFaults, streamedFaults } from "./checker.ts";
import { flows } from "./cluster.ts";
import { type Attempt, type History, orderFaults } from "./history.ts";
import { startLoad } from "./load.ts";

// A checker that finds nothing proves nothing unless it would have found something: here it is given runs that went wrong.

let stack: EmbeddedStack;
let users: TestUser[];
let history: History;
beforeAll(async () => {
  stack = await startEmbeddedStack();
  users = [await stack.user({ balance: "10000" }), await stack.user({ balance: "10000" })];
  const load = startLoad(stack, users, 4);
  await flows(load, users);
  history = await load.stop();
});
afterAll(() => stack.stop());

const faults = (of: History = history) => check(stack, users, of);
const isDone = ({ status, replayed }: Attempt) => status === 200 && !replayed;
/** The run, with one of its answers as it was not. */
const changed = (which: (attempt: Attempt) => boolean, change: Partial<Attempt>): History => {
  const at = history.findIndex(which);
  return history.map((attempt, i) => (i === at ? { ...attempt, ...change } : attempt));
};

test("a run in which nothing went wrong has no faults", async () => {
  expect(await faults()).toEqual([]);
});

test("an acknowledged transfer without its receipt is found", async () => {
  const lost = history.find(isDone) as Attempt;
  const invented = history.concat({ ...lost, key: "invented" });
  expect((await faults(invented)).join()).toContain("invented: was acknowledged, and is not there");
});

test("a transfer that was done though it was refused, or though nobody asked for it, is found", async () => {
  const { key } = history.find(isDone) as Attempt;
  const refused = history.map((attempt) =>
    attempt.key === key
      ? { ...attempt, status: 400, code: "INSUFFICIENT_BALANCE", receipt: undefined }
      : attempt,
  );
  expect((await faults(refused)).join()).toContain(`${key}: was not acknowledged, and done`);
  const unasked = history.filter((attempt) => attempt.key !== key);
  expect((await faults(unasked)).join()).toContain(`${key}: was done, and nobody asked for it`);
});

test("an answer that is not the receipt's, one that nobody should get, and one that never came are found", async () => {
  expect((await faults(changed(isDone, { receipt: { general_balance: "1.00" } }))).join()).toContain(
    "its answers and its receipt differ",
  );
  const replayed = ({ replayed }: Attempt) => replayed;
  expect((await faults(changed(replayed, { replayed: false }))).join()).toContain(
    "done twice by its answers",
  );
  const refused = ({ code }: Attempt) => code === "INSUFFICIENT_BALANCE";
  expect((await faults(changed(refused, { status: 500, code: "INTERNAL_ERROR" }))).join()).toContain("500");
  expect((await faults(changed(refused, { status: 503 }))).join()).toContain("no clear answer in the end");
});

test("rows that went missing are found", async () => {
  const db = stack.db;
  const [user] = users;
  const [transfer] = await db<{ id: string; amount_cents: bigint }[]>`
    SELECT id, amount_cents FROM transactions
    WHERE user_id = ${user?.id as string} AND transaction_type = 'ai_credit_transfer' LIMIT 1`;
  const id = transfer?.id as string;
  const [event] = await db`DELETE FROM events WHERE data ->> 'transaction_id' = ${id} RETURNING *`;
  expect((await faults()).join()).toContain(`transfer ${id} has 0 events`);
  await db`INSERT INTO events ${db(event as never)}`;
  await db`UPDATE wallets SET general_cents = general_cents + 1 WHERE user_id = ${user?.id as string}`;
  expect((await faults()).join()).toContain("balances are not the sums of their postings");
  await db`UPDATE wallets SET general_cents = general_cents - 1 WHERE user_id = ${user?.id as string}`;
  await db`DELETE FROM receipts WHERE ctid = (
    SELECT ctid FROM receipts WHERE actor_id = ${user?.id as string} AND key LIKE 'wallet.transfer:%' LIMIT 1)`;
  expect((await faults()).join()).toMatch(/is not there.* less .* is not /);
});

test("gaps and doubles in the outbox are found, and events that the stream lacks, invents or turns round", () => {
  const row = (seq: number, event_id = `e${seq}`) => ({ partition: 1, seq, topic: "event", event_id });
  const events = ["e1", "e2"];
  expect(outboxFaults({ outbox: [row(1), row(2)], events })).toEqual([]);
  expect(outboxFaults({ outbox: [row(1), row(3, "e2")], events })).not.toEqual([]);
  expect(outboxFaults({ outbox: [row(1), row(2, "e1")], events })).not.toEqual([]);
  expect(outboxFaults({ outbox: [row(1)], events })).not.toEqual([]);

  const streamed = (...seqs: number[]) => seqs.map((seq) => ({ id: `e${seq}`, partition: 1, seq }));
  expect(streamedFaults({ events }, streamed(1, 2, 1), {})).toEqual([]);
  expect(streamedFaults({ events }, streamed(1), {})).not.toEqual([]);
  expect(streamedFaults({ events }, streamed(2, 1), {})).not.toEqual([]);
  expect(streamedFaults({ events }, streamed(1, 2, 3), {})).not.toEqual([]);
  expect(streamedFaults({ events }, streamed(1, 2, 3), { othersToo: true })).toEqual([]);
  expect(streamedFaults({ events }, streamed(2, 1, 2), {})).not.toEqual([]);
  expect(streamedFaults({ events }, streamed(2, 1, 2), { refilled: true })).toEqual([]);
  expect(streamedFaults({ events }, streamed(2, 1), { refilled: true })).not.toEqual([]);
});

test("balances that do not follow from each other, and an order that time forbids, are found", () => {
  const done = (key: string, version: number, balanceCents: number) => ({
    key,
    version,
    amountCents: 1,
    balanceCents,
  });
  const asked = (key: string, startMs: number, endMs: number): Attempt => ({
    userId: "u",
    key,
    amountCents: 1,
    startMs,
    endMs,
    status: 200,
    code: undefined,
    replayed: false,
    receipt: undefined,
  });
  const inTurn = [asked("a", 0, 1), asked("b", 2, 3)];
  expect(orderFaults(10, [done("a", 2, 9), done("b", 3, 8)], inTurn)).toEqual([]);
  expect(orderFaults(10, [done("a", 2, 9), done("b", 3, 9)], inTurn)).not.toEqual([]);
  expect(orderFaults(10, [done("a", 2, 9), done("b", 2, 8)], inTurn)).not.toEqual([]);
  expect(orderFaults(10, [done("b", 2, 9), done("a", 3, 8)], inTurn)).not.toEqual([]);
  const together = [asked("a", 0, 3), asked("b", 2, 4)];
  expect(orderFaults(10, [done("b", 2, 9), done("a", 3, 8)], together)).toEqual([]);
});
