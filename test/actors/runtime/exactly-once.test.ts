import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../../actors/platform/ids.ts";
import { prune } from "../../../actors/runtime/store/outbox/queries.ts";
import { until } from "../../harness/until.ts";
import { commitIsWaiting } from "./counter.ts";
import { holdRow, type Runtime, startRuntime } from "./runtime.ts";

let runtime: Runtime;
beforeAll(async () => {
  runtime = await startRuntime();
});
afterAll(() => runtime.stop());

const counter = (id: string) => runtime.actors.counter(id);
const hasClientKey = (key: string) => ({ key, hasClientKey: true });

test("an operation that comes fifty times at once under one key is done once", async () => {
  const id = newId();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => counter(id).add({ by: 3 }, hasClientKey("k"))),
  );
  expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
  expect(new Set(answers.map((answer) => answer.value.total))).toEqual(new Set([3]));
  expect(await runtime.total(id)).toBe(3);
});

test("a replay answers what was answered first, whatever happened since", async () => {
  const id = newId();
  const first = await counter(id).add({ by: 5 }, hasClientKey("k"));
  await counter(id).add({ by: -5 });
  const again = await counter(id).add({ by: 5 }, hasClientKey("k"));
  expect(again).toEqual({ ...first, replayed: true });
  expect(await runtime.total(id)).toBe(0);
});

test("a replay is found in the database when the receipt is no longer in memory", async () => {
  const id = newId();
  await counter(id).add({ by: 5 }, hasClientKey("first"));
  for (let i = 0; i < 100; i++) await counter(id).add({ by: 1 }, hasClientKey(`later-${i}`));
  const again = await counter(id).add({ by: 5 }, hasClientKey("first"));
  expect(again).toMatchObject({ replayed: true, value: { total: 5 } });
});

/** More operations than an actor keeps receipts of in memory. */
const fillMemory = (id: string) =>
  Promise.all(Array.from({ length: 100 }, (_, i) => counter(id).add({ by: 0 }, hasClientKey(`later-${i}`))));

test("a replay that the present state would refuse gets the first reply, also when its receipt is in the database alone", async () => {
  const id = newId();
  await counter(id).add({ by: 5 });
  const first = await counter(id).add({ by: -5 }, hasClientKey("all of it"));
  await fillMemory(id);
  expect(await counter(id).add({ by: -5 }, hasClientKey("all of it"))).toEqual({ ...first, replayed: true });
  await expect(counter(id).add({ by: -5 }, hasClientKey("more"))).rejects.toMatchObject({
    code: "INSUFFICIENT_BALANCE",
  });
  expect(await runtime.total(id)).toBe(0);
});

test("a key of the database that comes with another input is refused", async () => {
  const id = newId();
  await counter(id).add({ by: 5 }, hasClientKey("k"));
  await fillMemory(id);
  await expect(counter(id).add({ by: 6 }, hasClientKey("k"))).rejects.toMatchObject({
    code: "IDEMPOTENCY_KEY_REUSED",
  });
  expect(await runtime.total(id)).toBe(5);
});

test("new operations are done once each beside replays whose receipts are in the database alone", async () => {
  const id = newId();
  const others = Array.from({ length: 20 }, newId);
  const known = Array.from({ length: 10 }, (_, i) => hasClientKey(`known-${i}`));
  const first = await Promise.all(known.map((key) => counter(id).add({ by: 1 }, key)));
  await fillMemory(id);
  const [again, fresh, own] = await Promise.all([
    Promise.all(known.map((key) => counter(id).add({ by: 1 }, key))),
    Promise.all(others.map((other) => counter(other).add({ by: 2 }, hasClientKey("k")))),
    Promise.all(known.map((_, i) => counter(id).add({ by: 1 }, hasClientKey(`new-${i}`)))),
  ]);
  expect(again).toEqual(first.map((reply) => ({ ...reply, replayed: true })));
  expect([...fresh, ...own].every(({ replayed }) => !replayed)).toBe(true);
  expect(await Promise.all(others.map((other) => runtime.total(other)))).toEqual(others.map(() => 2));
  expect(await runtime.total(id)).toBe(20);
});

test("a key that comes with another input is refused, also while the first is being committed", async () => {
  const id = newId();
  await counter(id).add({ by: 1 });
  const row = await holdRow(runtime.db, "counters", id);
  const first = counter(id).add({ by: 2 }, hasClientKey("k"));
  await commitIsWaiting(runtime.db);
  const other = counter(id).add({ by: 3 }, hasClientKey("k"));
  const same = counter(id).add({ by: 2 }, hasClientKey("k"));
  await row.release();
  expect((await first).replayed).toBe(false);
  expect((await same).replayed).toBe(true);
  await expect(other).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  expect(await runtime.total(id)).toBe(3);
});

test("one key on two actors is two operations", async () => {
  const [a, b] = [newId(), newId()];
  await Promise.all([
    counter(a).add({ by: 1 }, hasClientKey("k")),
    counter(b).add({ by: 2 }, hasClientKey("k")),
  ]);
  expect(await Promise.all([runtime.total(a), runtime.total(b)])).toEqual([1, 2]);
});

test("a refused operation leaves nothing, and its key is free", async () => {
  const id = newId();
  await expect(counter(id).add({ by: -1 }, hasClientKey("k"))).rejects.toMatchObject({
    code: "INSUFFICIENT_BALANCE",
  });
  const answer = await counter(id).add({ by: 4 }, hasClientKey("k"));
  expect(answer).toMatchObject({ replayed: false, value: { total: 4 }, version: 1 });
});

test("the version in each answer is the actor's place in its own order", async () => {
  const id = newId();
  const answers = await Promise.all(Array.from({ length: 200 }, () => counter(id).add({ by: 1 })));
  const byVersion = answers.sort((a, b) => a.version - b.version);
  expect(byVersion.map((answer) => answer.version)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
  expect(byVersion.map((answer) => answer.value.total)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
});

test("what nobody can ask for any more is deleted, and nothing else", async () => {
  const id = newId();
  await counter(id).add({ by: 1 }, hasClientKey("client's"));
  await counter(id).add({ by: 1 }, { key: "minted" });
  await until(async () => {
    const [progress] = await runtime.db`SELECT sum(seq)::int AS seq FROM outbox_progress`;
    const [outbox] = await runtime.db`SELECT sum(seq)::int AS seq FROM (
      SELECT max(seq) AS seq FROM outbox GROUP BY partition) last`;
    return progress?.seq === outbox?.seq;
  });
  await runtime.db`UPDATE receipts SET created_at = now() - interval '2 days'`;
  await runtime.db`UPDATE outbox SET created_at = now() - interval '2 days'`;
  while ((await prune(runtime.db, { receipts: 24, effects: 24 })) > 0);
  const [left] = await runtime.db`
    SELECT (SELECT count(*)::int FROM outbox) AS effects,
      (SELECT count(*)::int FROM receipts WHERE minted) AS minted,
      (SELECT count(*)::int FROM receipts WHERE actor_id = ${id}) AS receipts`;
  expect(left).toEqual({ effects: 0, minted: 0, receipts: 1 });
  // The partition's numbers go on where they were.
  const [before] = await runtime.db`SELECT sum(seq)::int AS seq FROM outbox_progress`;
  await counter(id).add({ by: 1 });
  const [after] = await runtime.db`SELECT max(seq)::int AS seq FROM outbox`;
  expect(after?.seq).toBeGreaterThan(0);
  expect(before?.seq).toBeGreaterThan(0);
});
