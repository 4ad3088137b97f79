import pino from "pino";
import { systemClock } from "../../../actors/platform/clock.ts";
import { openSql, type Sql } from "../../../actors/platform/db/sql.ts";
import { randomIds } from "../../../actors/platform/ids.ts";
import type { ActorsOf } from "../../../actors/runtime/client.ts";
import { type Host, startHost } from "../../../actors/runtime/host/host.ts";
import { preferredHost } from "../../../actors/runtime/partition.ts";
import type { OutboxRow } from "../../../actors/runtime/ports.ts";
import { readCluster } from "../../../actors/runtime/store/cluster/queries.ts";
import { type PostgresStore, postgresStore } from "../../../actors/runtime/store/queries.ts";
import { Caller } from "../../../actors/runtime/transport/caller.ts";
import { connectToCluster } from "../../../actors/runtime/transport/connect.ts";
import { natsBus } from "../../../actors/runtime/transport/nats-bus.ts";
import { HOLDS_LOCKS, migratedDatabase, nats, type TestNats } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { COUNTER_TABLES, counter } from "./counter.ts";
import { seat } from "./seat.ts";
import { SHOP_TABLES, shop, till } from "./shop.ts";

/** A runtime around actors that know nothing of Berth: real PostgreSQL, real NATS, hosts in this process. */

const definitions = { counter, shop, till, seat };
const SEAT_TABLE = `
  CREATE TABLE seats (id text PRIMARY KEY, version bigint NOT NULL, holder text);
  INSERT INTO actor_tables (name) VALUES ('seats');`;

type Definitions = typeof definitions;

export interface RunningHost {
  readonly name: string;
  readonly host: Host;
  /** Goes as SIGTERM would have it. */
  stop(): Promise<void>;
}

export interface Runtime {
  readonly db: Sql;
  readonly nats: TestNats;
  readonly actors: ActorsOf<Definitions>;
  /** What the hosts delivered from their outboxes, in the order of delivery. */
  readonly delivered: OutboxRow[];
  /** While true, deliveries fail. */
  readonly delivery: { broken: boolean };
  readonly hosts: readonly RunningHost[];
  startHost(name: string): Promise<RunningHost>;
  total(id: string): Promise<number>;
  stop(): Promise<void>;
}

/** Long enough that no test's lock lets a lease run out. */
const LEASE_TTL_MS = 20_000;

export async function startRuntime(
  options: {
    hosts?: number;
    leaseTtlMs?: number;
    lanes?: number;
    /** What hosts take for their store, to make one of its answers get lost. */
    through?: (store: PostgresStore) => PostgresStore;
  } = {},
): Promise<Runtime> {
  const database = await migratedDatabase();
  const db = openSql(database.url, { max: 4, name: "test", session: HOLDS_LOCKS });
  await db.unsafe(`${COUNTER_TABLES} ${SHOP_TABLES} ${SEAT_TABLE} SELECT generate_commit();`);
  const server = await nats();
  const delivered: OutboxRow[] = [];
  const delivery = { broken: false };
  const hosts: RunningHost[] = [];
  const log = pino({ level: "silent" });

  const start = async (name: string): Promise<RunningHost> => {
    const own = postgresStore(database.url, options.lanes ?? 2);
    const store = options.through?.(own) ?? own;
    const bus = await natsBus(server.url, name);
    const caller = new Caller({
      caller: name,
      bus,
      clock: systemClock,
      ids: randomIds,
      leases: () => store.cluster(),
    });
    const host = await startHost({
      host: name,
      caller,
      definitions: Object.values(definitions),
      topics: {
        added: async (rows) => {
          if (delivery.broken) throw new Error("nobody takes deliveries now");
          delivered.push(...rows);
        },
      },
      store,
      bus,
      clock: systemClock,
      ids: randomIds,
      log,
      lanes: options.lanes ?? 2,
      leaseTtlMs: options.leaseTtlMs ?? LEASE_TTL_MS,
    });
    let stopped: Promise<void> | undefined;
    const running: RunningHost = {
      name,
      host,
      stop() {
        stopped ??= (async () => {
          await host.stop();
          caller.close();
          await bus.close();
          await store.end();
        })();
        return stopped;
      },
    };
    hosts.push(running);
    return running;
  };

  for (let i = 1; i <= (options.hosts ?? 1); i++) await start(`host-${i}`);
  const names = hosts.map((host) => host.name);
  // Settled: each partition is where it belongs, so what moves later moves for a reason.
  await until(async () =>
    (await readCluster(db)).leases.every(({ partition, owner }) => owner === preferredHost(partition, names)),
  );

  const bus = await natsBus(server.url, "caller");
  const client = connectToCluster<Definitions>(bus, db);

  return {
    db,
    nats: server,
    actors: client.actors,
    delivered,
    delivery,
    hosts,
    startHost: start,
    async total(id) {
      const [row] = await db<{ total: number }[]>`SELECT total FROM counters WHERE id = ${id}`;
      return row?.total ?? 0;
    },
    async stop() {
      client.close();
      await bus.close();
      for (const host of hosts) await host.stop();
      await db.end({ timeout: 5 });
      await server.stop();
      await database.drop();
    },
  };
}

/** Holds a lock on a row, so that commits of its lane wait; `release` lets them go. */
export async function holdRow(db: Sql, table: string, id: string): Promise<{ release(): Promise<void> }> {
  const held = Promise.withResolvers<void>();
  const let_go = Promise.withResolvers<void>();
  const done = db.begin(async (tx) => {
    await tx`SELECT 1 FROM ${tx(table)} WHERE id = ${id} FOR UPDATE`;
    held.resolve();
    await let_go.promise;
  });
  await held.promise;
  return {
    async release() {
      let_go.resolve();
      await done;
    },
  };
}
