import { join } from "node:path";
import { openSql, type Sql } from "../../actors/platform/db/sql.ts";
import { newId } from "../../actors/platform/ids.ts";
import { readCluster } from "../../actors/runtime/store/cluster/queries.ts";
import { connectToCluster } from "../../actors/runtime/transport/connect.ts";
import { natsBus } from "../../actors/runtime/transport/nats-bus.ts";
import { DomainError } from "../../schemas/errors.ts";
import type { Running } from "../../scripts/restart-supervisor.ts";
import { role } from "../../scripts/role.ts";
import { SHOP_TABLES, type shop, type till } from "../actors/runtime/shop.ts";
import { CLEAN_ENVIRONMENT } from "../harness/environment.ts";
import { HOLDS_LOCKS, migratedDatabase, nats, sharedWatchdog, temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

/** Shops and their customers, on actor hosts that are processes of their own. */

const ROOT = join(import.meta.dir, "../..");
const PARTITIONS = 64;
const SHOPS = 4;
const STOCK = 100_000;
/** Some customers run out of it. */
const MONEY = [1_000_000, 1_000_000, 1_000_000, 300];
const CLIENTS = 16;
/** Some wait for ever, some long enough, and some give up before the payment is through. */
const PATIENCE_MS = [undefined, 5_000, 1];
const ASK_AGAIN_MS = 20;

export async function startShopNetwork() {
  const database = await migratedDatabase();
  const db = openSql(database.url, { max: 4, name: "test", session: HOLDS_LOCKS });
  await db.unsafe(`${SHOP_TABLES} SELECT generate_commit();`);
  const server = await nats();
  const folder = temporaryFolder();
  const hosts: Running[] = [];
  const startHost = async (name: string): Promise<Running> => {
    const host = await role({
      name,
      command: [process.execPath, join(import.meta.dir, "shop-host.ts")],
      cwd: ROOT,
      env: {
        ...CLEAN_ENVIRONMENT,
        DATABASE_URL: database.url,
        NATS_URL: server.url,
        BERTH_HOST_ID: name,
      },
      log: join(folder, `${name}.log`),
      watchdog: sharedWatchdog(),
    }).start(new AbortController().signal);
    hosts.push(host);
    await shares(db, name);
    return host;
  };
  const bus = await natsBus(server.url, "customers");
  const client = connectToCluster<{ shop: typeof shop; till: typeof till }>(bus, db);
  return {
    db,
    actors: client.actors,
    startHost,
    async close() {
      client.close();
      await bus.close();
      for (const host of hosts) await host.stop();
      await db.end({ timeout: 5 });
      await server.stop();
      await database.drop();
    },
  };
}
export type ShopNetwork = Awaited<ReturnType<typeof startShopNetwork>>;

/** Waits until a host has its share, and every partition an owner. */
async function shares(db: Sql, name: string): Promise<void> {
  await until(async () => {
    const { leases } = await readCluster(db);
    const owned = leases.filter(({ owner, expired }) => owner !== null && !expired);
    return owned.length === PARTITIONS && owned.some(({ owner }) => owner?.startsWith(`${name}-`));
  });
}

/** Purchases that are made without pause. */
export async function startPurchases({ db, actors }: ShopNetwork) {
  const shops = Array.from({ length: SHOPS }, newId);
  const tills = MONEY.map(() => newId());
  for (const id of shops) await actors.shop(id).stock({ stock: STOCK });
  for (const [i, id] of tills.entries()) await actors.till(id).put({ by: MONEY[i] as number });

  const sold = new Map(shops.map((id) => [id, 0]));
  const paid = new Map(tills.map((id) => [id, 0]));
  const refusals = new Map<string, number>();
  let going = true;
  let answered = 0;
  let unclear = 0;

  async function buy(shopId: string, tillId: string, price: number, patienceMs: number | undefined) {
    const key = newId();
    const input = { till: tillId, price, ...(patienceMs === undefined ? {} : { patience_ms: patienceMs }) };
    for (;;) {
      try {
        await actors.shop(shopId).buy(input, { key, hasClientKey: true });
        sold.set(shopId, (sold.get(shopId) ?? 0) + 1);
        paid.set(tillId, (paid.get(tillId) ?? 0) + price);
        break;
      } catch (error) {
        if (error instanceof DomainError) {
          refusals.set(error.code, (refusals.get(error.code) ?? 0) + 1);
          break;
        }
        unclear += 1;
        await Bun.sleep(ASK_AGAIN_MS);
      }
    }
    answered += 1;
  }

  const done = Promise.all(
    Array.from({ length: CLIENTS }, async (_, customer) => {
      for (let i = 0; going; i++) {
        const at = customer + i;
        await buy(
          shops[at % SHOPS] as string,
          tills[(customer * 7 + i) % tills.length] as string,
          1 + (i % 7),
          PATIENCE_MS[at % PATIENCE_MS.length],
        );
      }
    }),
  );

  return {
    answered: () => answered,
    unclear: () => unclear,
    refusals,
    async stop() {
      going = false;
      await done;
    },
    /** What the rows say of it all, and what the answers do, once nothing is left to do. */
    async books() {
      await until(async () => (await tasks(db)) === 0);
      const shopRows = await db<{ id: string; stock: number; sold: number }[]>`
        SELECT id, stock, sold FROM shops WHERE id = ANY (${shops}::text[]) ORDER BY id`;
      const tillRows = await db<{ id: string; money: number }[]>`
        SELECT id, money FROM tills WHERE id = ANY (${tills}::text[]) ORDER BY id`;
      return {
        held: { shops: [...shopRows], tills: [...tillRows] },
        answered: {
          shops: shops
            .map((id) => ({ id, stock: STOCK - (sold.get(id) ?? 0), sold: sold.get(id) ?? 0 }))
            .sort(byId),
          tills: tills.map((id, i) => ({ id, money: (MONEY[i] ?? 0) - (paid.get(id) ?? 0) })).sort(byId),
        },
      };
    },
  };
}

/** How much all actors have left to do. */
export async function tasks(db: Sql): Promise<number> {
  const [row] = await db<{ count: number }[]>`SELECT count(*)::int AS count FROM tasks`;
  return row?.count ?? 0;
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
