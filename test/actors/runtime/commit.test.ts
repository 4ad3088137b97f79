import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../../actors/platform/ids.ts";
import { partitionOf } from "../../harness/partition-of.ts";
import { until } from "../../harness/until.ts";
import { commitIsWaiting } from "./counter.ts";
import { holdRow, type Runtime, startRuntime } from "./runtime.ts";

// One lane, so that all actors of a test meet in one batch.
let runtime: Runtime;
beforeAll(async () => {
  runtime = await startRuntime({ lanes: 1 });
});
afterAll(() => runtime.stop());

/** Thousands of requests take longer than one may on a busy machine. */
const FLOOD_MS_MAX = 120_000;

const counter = (id: string) => runtime.actors.counter(id);
const isSettled = async (promise: Promise<unknown>) =>
  (await Promise.race([promise.then(() => "settled"), Promise.resolve("pending")])) === "settled";

/** Fills the next batch with what `send` sends, while a commit of another actor hangs. */
async function inOneBatch<T>(send: () => Promise<T>[]): Promise<PromiseSettledResult<T>[]> {
  const blocker = newId();
  await counter(blocker).add({ by: 1 });
  const row = await holdRow(runtime.db, "counters", blocker);
  const blocked = counter(blocker).add({ by: 1 });
  await commitIsWaiting(runtime.db);
  const queuedBefore = runtime.hosts[0]?.host.status().queued ?? 0;
  const sent = send();
  // They have arrived when the host has nothing queued: all ran and wait in the filling batch.
  await runtime.db`SELECT 1`;
  await until(() => (runtime.hosts[0]?.host.status().queued ?? 0) <= queuedBefore);
  await row.release();
  await blocked;
  return Promise.allSettled(sent);
}

test("no answer leaves before its commit, and a later message sees what the earlier one did", async () => {
  const id = newId();
  await counter(id).add({ by: 10 });
  const row = await holdRow(runtime.db, "counters", id);
  const debit = counter(id).add({ by: -10 });
  await commitIsWaiting(runtime.db);
  const refused = counter(id)
    .add({ by: -1 })
    .catch((error) => error.code);
  await runtime.db`SELECT pg_sleep(0)`;
  expect(await isSettled(debit)).toBe(false);
  expect(await isSettled(refused)).toBe(false);
  await row.release();
  expect((await debit).value.total).toBe(0);
  expect(await refused).toBe("INSUFFICIENT_BALANCE");
});

test("a row that the database refuses fails its own message and no stranger's", async () => {
  const strangers = Array.from({ length: 20 }, newId);
  const poisoned = newId();
  const results = await inOneBatch(() => [
    ...strangers.map((id) => counter(id).add({ by: 1 })),
    counter(poisoned).poison({}),
  ]);
  const last = results.pop();
  expect(results.every((result) => result.status === "fulfilled")).toBe(true);
  expect(last).toMatchObject({ status: "rejected", reason: { code: "INTERNAL_ERROR" } });
  expect(await Promise.all(strangers.map((id) => runtime.total(id)))).toEqual(strangers.map(() => 1));
  expect((await counter(poisoned).add({ by: 7 })).value.total).toBe(7);
});

test("of several messages to one actor only the one that is refused fails", async () => {
  const id = newId();
  await counter(id).add({ by: 1 });
  const results = await inOneBatch(() => [
    counter(id).add({ by: 1 }),
    counter(id).poison({}),
    counter(id).add({ by: 1 }),
  ]);
  expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await runtime.total(id)).toBe(3);
});

test("a declared conflict is a refusal with its own code", async () => {
  const [first, second] = [newId(), newId()];
  await counter(first).label({ label: "gold" });
  await expect(counter(second).label({ label: "gold" })).rejects.toMatchObject({ code: "NAME_TAKEN" });
  expect((await counter(second).label({ label: "silver" })).value.total).toBe(0);
});

test("of twenty actors that want one label in one batch exactly one gets it", async () => {
  const results = await inOneBatch(() =>
    Array.from({ length: 20 }, () => counter(newId()).label({ label: "unique" })),
  );
  const refused = results.filter((result) => result.status === "rejected");
  expect(results).toHaveLength(20);
  expect(refused).toHaveLength(19);
  expect(refused.every((result) => result.reason.code === "NAME_TAKEN")).toBe(true);
});

test("a handler that breaks changes nothing", async () => {
  const id = newId();
  await counter(id).add({ by: 1 });
  await expect(counter(id).crash({})).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
  expect((await counter(id).add({ by: 1 })).value.total).toBe(2);
});

test("input that breaks its schema, and operations that there are not, are refused by the host too", async () => {
  const id = newId();
  // @ts-expect-error the types refuse it; a message may hold it anyway
  await expect(counter(id).add({ by: "3" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  // @ts-expect-error likewise
  await expect(counter(id).nothing({})).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});

test("a commit whose connection is killed under way is done exactly once", async () => {
  const id = newId();
  await counter(id).add({ by: 1 });
  const row = await holdRow(runtime.db, "counters", id);
  const answer = counter(id).add({ by: 10 });
  await commitIsWaiting(runtime.db);
  await runtime.db`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%commit_batch%'`;
  await row.release();
  expect((await answer).value.total).toBe(11);
  expect(await runtime.total(id)).toBe(11);
  const [additions] = await runtime.db`SELECT count(*)::int AS count FROM additions WHERE counter_id = ${id}`;
  expect(additions?.count).toBe(2);
});

test("an actor whose row was changed behind its back is loaded again", async () => {
  const id = newId();
  await counter(id).add({ by: 1 });
  await runtime.db`UPDATE counters SET total = 100, version = version + 1 WHERE id = ${id}`;
  expect((await counter(id).add({ by: 1 })).value.total).toBe(101);
});

test("a request that expired while it waited is not run", async () => {
  const id = newId();
  const locked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const transaction = runtime.db.begin(async (tx) => {
    await tx`LOCK TABLE counters IN ACCESS EXCLUSIVE MODE`;
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const sentMs = performance.now();
  const late = counter(id).add({ by: 1 }, { deadlineMs: 200 });
  await expect(late).rejects.toMatchObject({ code: "UNAVAILABLE" });
  // The host counts from when it heard of the request.
  await until(() => performance.now() - sentMs > 1_500);
  release.resolve();
  await transaction;
  const next = await counter(id).add({ by: 5 });
  expect(next).toMatchObject({ value: { total: 5 }, version: 1 });
});

test("an actor that is flooded refuses what is too much and leaves its neighbours alone", async () => {
  const [flooded, neighbour] = [newId(), newId()];
  await counter(flooded).add({ by: 1 });
  const row = await holdRow(runtime.db, "counters", flooded);
  const flood = Array.from({ length: 6_000 }, () =>
    counter(flooded).add({ by: 1 }, { deadlineMs: FLOOD_MS_MAX }),
  );
  const outcomes = Promise.allSettled(flood);
  await commitIsWaiting(runtime.db);
  const aside = counter(neighbour).add({ by: 1 }, { deadlineMs: FLOOD_MS_MAX });
  await row.release();
  expect((await aside).value.total).toBe(1);
  const results = await outcomes;
  const done = results.filter((result) => result.status === "fulfilled").length;
  const refused = results.filter((result) => result.status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every((result) => result.reason.code === "OVERLOADED")).toBe(true);
  expect(await runtime.total(flooded)).toBe(1 + done);
});

test("sequence numbers of a partition's effects have no gaps, and arrive in order", async () => {
  const id = newId();
  await Promise.all(Array.from({ length: 100 }, (_, i) => counter(id).add({ by: i + 1 })));
  const partition = partitionOf("counter", id);
  const mine = await until(() => {
    const rows = runtime.delivered.filter((row) => (row.body as { counter: string }).counter === id);
    return rows.length === 100 && rows;
  });
  const seqs = mine.map((row) => row.seq);
  expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  const [gaps] = await runtime.db`
    SELECT max(seq)::int - min(seq)::int + 1 - count(*)::int AS gaps FROM outbox WHERE partition = ${partition}`;
  expect(gaps?.gaps).toBe(0);
});
