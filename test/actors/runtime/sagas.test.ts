import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../../actors/platform/ids.ts";
import { ABORT } from "../../../actors/runtime/transport/wire.ts";
import { partitionOf } from "../../harness/partition-of.ts";
import { until } from "../../harness/until.ts";
import { commitIsWaiting } from "./counter.ts";
import { holdRow, type Runtime, startRuntime } from "./runtime.ts";

let runtime: Runtime;
beforeAll(async () => {
  runtime = await startRuntime({ lanes: 2 });
});
afterAll(() => runtime.stop());

const shop = (id: string) => runtime.actors.shop(id);
const till = (id: string) => runtime.actors.till(id);
const PRICE = 10;

/** A shop and a customer whose actors are in different lanes, so that one can be held up without the other. */
async function setUp(money: number, stock = 5) {
  const shopId = newId();
  let tillId = newId();
  while ((partitionOf("till", tillId) - partitionOf("shop", shopId)) % 2 === 0) tillId = newId();
  await shop(shopId).stock({ stock });
  await till(tillId).put({ by: money });
  return { shopId, tillId };
}

async function books({ shopId, tillId }: { shopId: string; tillId: string }) {
  const [row] = await runtime.db<
    { money: number; stock: number; sold: number; lapsed: number; tasks: number }[]
  >`
    SELECT t.money, s.stock, s.sold, s.lapsed,
      (SELECT count(*)::int FROM tasks WHERE actor_id = s.id) AS tasks
    FROM tills t, shops s WHERE t.id = ${tillId} AND s.id = ${shopId}`;
  if (row === undefined) throw new Error("no books");
  return row;
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "ok",
    (error: { code: string }) => error.code,
  );

test("a request that waits for a saga is answered when it ends, and a retry gets the same answer", async () => {
  const ids = await setUp(100);
  const key = newId();
  const buy = () => shop(ids.shopId).buy({ till: ids.tillId, price: PRICE }, { key, hasClientKey: true });
  const bought = await buy();
  expect(bought.value).toEqual({ stock: 4 });
  expect(bought.replayed).toBe(false);
  expect(await books(ids)).toEqual({ money: 90, stock: 4, sold: 1, lapsed: 0, tasks: 0 });
  const again = await buy();
  expect(again).toEqual({ ...bought, replayed: true });
  expect(await books(ids)).toMatchObject({ money: 90, sold: 1 });
});

test("a saga that is refused gives everything back, answers with the refusal, and does so again", async () => {
  const ids = await setUp(PRICE - 1);
  const key = newId();
  const buy = () =>
    codeOf(shop(ids.shopId).buy({ till: ids.tillId, price: PRICE }, { key, hasClientKey: true }));
  expect(await buy()).toBe("INSUFFICIENT_BALANCE");
  expect(await buy()).toBe("INSUFFICIENT_BALANCE");
  expect(await books(ids)).toEqual({ money: PRICE - 1, stock: 5, sold: 0, lapsed: 0, tasks: 0 });
});

test("a caller that gave up waiting is told how the saga ended when it asks again", async () => {
  const ids = await setUp(100);
  const row = await holdRow(runtime.db, "tills", ids.tillId);
  const key = newId();
  const buy = (deadlineMs: number) =>
    shop(ids.shopId).buy({ till: ids.tillId, price: PRICE }, { key, hasClientKey: true, deadlineMs });
  expect(await codeOf(buy(300))).toBe("UNAVAILABLE");
  const waiting = buy(10_000);
  await row.release();
  expect((await waiting).value).toEqual({ stock: 4 });
  expect(await books(ids)).toMatchObject({ money: 90, sold: 1 });
});

test("requests that join a saga are told its end, whether they come before it or after", async () => {
  const { shopId } = await setUp(0);
  const before = [1, 2, 3].map(() => shop(shopId).follow({ saga: "season" }));
  await until(
    async () =>
      (await runtime.db`SELECT 1 FROM receipts WHERE actor_id = ${shopId} AND saga IS NOT NULL`).length === 3,
  );
  await shop(shopId).finish({ saga: "season", stock: 7 });
  for (const answer of await Promise.all(before)) expect(answer.value).toEqual({ stock: 7 });
  expect((await shop(shopId).follow({ saga: "season" })).value).toEqual({ stock: 7 });
  for (const { host } of runtime.hosts) host.evictIdle(0);
  expect((await shop(shopId).follow({ saga: "season" })).value).toEqual({ stock: 7 });
});

test("a saga that ended cannot be ended otherwise", async () => {
  const { shopId } = await setUp(0);
  await shop(shopId).finish({ saga: "once", stock: 1 });
  expect(await codeOf(shop(shopId).finish({ saga: "once", stock: 2 }))).toBe("INTERNAL_ERROR");
  expect((await shop(shopId).follow({ saga: "once" })).value).toEqual({ stock: 1 });
});

test("a hundred customers at once: as many are served as there is stock, each pays once, nobody waits for ever", async () => {
  const shopId = newId();
  const customers = Array.from({ length: 100 }, newId);
  await shop(shopId).stock({ stock: 37 });
  await Promise.all(customers.map((id) => till(id).put({ by: PRICE })));
  const codes = await Promise.all(
    customers.map((id) => codeOf(shop(shopId).buy({ till: id, price: PRICE }))),
  );
  expect(codes.filter((code) => code === "ok")).toHaveLength(37);
  const [row] = await runtime.db<{ left: number }[]>`
    SELECT sum(money)::int AS left FROM tills WHERE id = ANY (${customers}::text[])`;
  expect(row?.left).toBe(63 * PRICE);
});

test("an operation that was taken back before it came will never be done", async () => {
  const { tillId } = await setUp(100);
  const key = newId();
  const abort = () =>
    codeOf(
      (runtime.actors.till(tillId) as unknown as Record<string, (input: object) => Promise<unknown>>)[
        ABORT
      ]?.({ op: "put", key }) ?? Promise.reject(new Error("no handle")),
    );
  expect(await abort()).toBe("ABORTED");
  expect(await codeOf(till(tillId).put({ by: -10 }, { key, hasClientKey: true }))).toBe("ABORTED");
  expect(await abort()).toBe("ABORTED");
  const [row] = await runtime.db<{ money: number }[]>`SELECT money FROM tills WHERE id = ${tillId}`;
  expect(row?.money).toBe(100);
});

test("taking back what was done answers with what it did", async () => {
  const { tillId } = await setUp(100);
  const key = newId();
  await till(tillId).put({ by: -10 }, { key, hasClientKey: true });
  const handle = runtime.actors.till(tillId) as unknown as Record<
    string,
    (input: object) => Promise<{ value: unknown }>
  >;
  const answer = await handle[ABORT]?.({ op: "put", key });
  expect(answer?.value).toEqual({ money: 90 });
});

test("an order that lapses while the payment is under way ends paid or unpaid, never half", async () => {
  const ids = await setUp(100);
  const row = await holdRow(runtime.db, "tills", ids.tillId);
  const bought = codeOf(shop(ids.shopId).buy({ till: ids.tillId, price: PRICE, patience_ms: 50 }));
  await commitIsWaiting(runtime.db);
  await until(
    async () => (await runtime.db`SELECT 1 FROM shops WHERE id = ${ids.shopId} AND lapsed = 1`).length === 1,
  );
  await row.release();
  const code = await bought;
  const { money, stock, sold, tasks } = await books(ids);
  expect(code === "ok" ? { money, stock, sold } : { money, stock, sold, code }).toEqual(
    code === "ok" ? { money: 90, stock: 4, sold: 1 } : { money: 100, stock: 5, sold: 0, code: "ABORTED" },
  );
  expect(tasks).toBe(0);
});

test("whoever waits for a saga is not disturbed by changes of its actor that the database refuses", async () => {
  const ids = await setUp(100);
  const row = await holdRow(runtime.db, "tills", ids.tillId);
  const bought = shop(ids.shopId).buy({ till: ids.tillId, price: PRICE }, { deadlineMs: 40_000 });
  await commitIsWaiting(runtime.db);
  // More than an integer column holds, and oftener than a message is run again.
  for (let n = 0; n < 20; n++)
    expect(await codeOf(shop(ids.shopId).stock({ stock: 10 ** 12 }))).toBe("INTERNAL_ERROR");
  await row.release();
  expect((await bought).value).toEqual({ stock: 4 });
  expect(await books(ids)).toEqual({ money: 90, stock: 4, sold: 1, lapsed: 0, tasks: 0 });
});

test("a saga goes on at the next owner when its host stops in the middle, and its caller is answered", async () => {
  const ids = await setUp(100);
  const row = await holdRow(runtime.db, "tills", ids.tillId);
  const bought = shop(ids.shopId).buy({ till: ids.tillId, price: PRICE }, { deadlineMs: 40_000 });
  await commitIsWaiting(runtime.db);
  await runtime.startHost("host-2");
  const stopping = runtime.hosts[0]?.stop();
  // The partition of the shop is quiet, so it moves while the till's is still held up.
  await until(
    async () =>
      (
        await runtime.db`SELECT 1 FROM leases WHERE partition = ${partitionOf("shop", ids.shopId)} AND owner = 'host-2'`
      ).length === 1,
  );
  await row.release();
  expect((await bought).value).toEqual({ stock: 4 });
  await stopping;
  expect(await books(ids)).toEqual({ money: 90, stock: 4, sold: 1, lapsed: 0, tasks: 0 });
});
