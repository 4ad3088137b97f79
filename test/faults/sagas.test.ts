import { afterEach, beforeEach, expect, test } from "bun:test";
import { newId } from "../../actors/platform/ids.ts";
import { until } from "../harness/until.ts";
import { type ShopNetwork, startPurchases, startShopNetwork, tasks } from "./network.ts";

const LIMIT_MS = 300_000;
const FLOWING = 150;

let network: ShopNetwork;
beforeEach(async () => {
  network = await startShopNetwork();
}, LIMIT_MS);
afterEach(() => network.close(), LIMIT_MS);

type Purchases = Awaited<ReturnType<typeof startPurchases>>;

async function flows(purchases: Purchases): Promise<void> {
  const goal = purchases.answered() + FLOWING;
  await until(() => purchases.answered() >= goal);
}

test(
  "purchases go on through kill -9 of each host: each is paid once or not at all, as it was answered, and nothing is left to do",
  async () => {
    const one = await network.startHost("one");
    const two = await network.startHost("two");
    const purchases = await startPurchases(network);
    await flows(purchases);
    process.kill(one.pid, "SIGKILL");
    await flows(purchases);
    await network.startHost("one-again");
    process.kill(two.pid, "SIGKILL");
    await flows(purchases);
    await network.startHost("two-again");
    await flows(purchases);
    await purchases.stop();

    const { held, answered } = await purchases.books();
    expect(held).toEqual(answered);
    // Both ways of not being paid for were met, and no other.
    expect([...purchases.refusals.keys()].sort()).toEqual(["ABORTED", "INSUFFICIENT_BALANCE"]);
  },
  LIMIT_MS,
);

test(
  "timers that were set before kill -9 of both hosts fire after it, each once",
  async () => {
    const hosts = [await network.startHost("one"), await network.startHost("two")];
    const shops = Array.from({ length: 8 }, newId);
    const names = Array.from({ length: 25 }, (_, i) => `t${i}`);
    // Due from now on: some fire before the kill, some are under way, most are due while nobody is there.
    await Promise.all(
      shops.flatMap((id) =>
        names.map((name, i) => network.actors.shop(id).tick({ name, in_ms: i * 60 }, { key: newId() })),
      ),
    );
    await until(async () => (await tasks(network.db)) < shops.length * names.length);
    for (const host of hosts) process.kill(host.pid, "SIGKILL");
    expect(await tasks(network.db)).toBeGreaterThan(0);
    await network.startHost("three");
    await until(async () => (await tasks(network.db)) === 0);
    const rows = await network.db<
      { sold: number }[]
    >`SELECT sold FROM shops WHERE id = ANY (${shops}::text[])`;
    expect(rows.map(({ sold }) => sold)).toEqual(shops.map(() => names.length));
  },
  LIMIT_MS,
);

test(
  "a host that is stopped with SIGTERM while purchases wait for their payments fails none of them",
  async () => {
    const one = await network.startHost("one");
    await network.startHost("two");
    const purchases = await startPurchases(network);
    await flows(purchases);
    await until(async () => (await tasks(network.db)) > 0, { everyMs: 1 });
    process.kill(one.pid, "SIGTERM");
    expect(await one.exited).toBe(0);
    await flows(purchases);
    await purchases.stop();

    expect(purchases.unclear()).toBe(0);
    const { held, answered } = await purchases.books();
    expect(held).toEqual(answered);
  },
  LIMIT_MS,
);
