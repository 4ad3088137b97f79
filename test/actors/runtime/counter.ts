import { Type } from "@sinclair/typebox";
import pino from "pino";
import { systemClock } from "../../../actors/clock.ts";
import { migrate } from "../../../actors/db/migrate.ts";
import { openSql, type Sql } from "../../../actors/db/sql.ts";
import { randomIds } from "../../../actors/ids.ts";
import { type ActorsOf, connectClient } from "../../../actors/runtime/client.ts";
import { actor, type Context, command } from "../../../actors/runtime/definition.ts";
import { type Host, startHost } from "../../../actors/runtime/host.ts";
import { natsBus } from "../../../actors/runtime/nats-bus.ts";
import type { OutboxRow } from "../../../actors/runtime/ports.ts";
import { postgresStore, readCluster } from "../../../actors/runtime/queries.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { freshDatabase, nats, type TestNats } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";

/** An actor that knows nothing of Berth, and a runtime around it: real PostgreSQL, real NATS, hosts in this process. */

export interface Counter {
  readonly total: number;
  readonly label: string;
}

async function loadCounters(db: Sql, ids: readonly string[]) {
  const rows = await db<{ id: string; version: bigint; total: number; label: string }[]>`
    SELECT id, version, total, label FROM counters WHERE id = ANY (${[...ids]}::text[])`;
  return new Map(
    rows.map((row) => [
      row.id,
      { version: Number(row.version), state: { total: row.total, label: row.label } },
    ]),
  );
}

const Total = Type.Object({ total: Type.Integer() });

export const counter = actor("counter", {
  table: "counters",
  key: "id",
  load: loadCounters,
  empty: (): Counter => ({ total: 0, label: "" }),
  row: ({ total, label }, id) => ({ id, total, label }),
  conflicts: { counters_label: { code: "NAME_TAKEN", message: "the label is taken" } },
  on: {
    add: command(
      Type.Object({ by: Type.Integer() }),
      Total,
      (counter: Counter, { by }, ctx: Context<Counter>) => {
        const total = counter.total + by;
        if (total < 0) throw new DomainError("INSUFFICIENT_BALANCE", "below zero");
        ctx.become({ ...counter, total });
        ctx.insert("additions", { id: ctx.newId(), counter_id: ctx.actorId, amount: by });
        ctx.emit("added", { counter: ctx.actorId, by });
        return { total };
      },
    ),
    label: command(
      Type.Object({ label: Type.String() }),
      Total,
      (counter: Counter, { label }, ctx: Context<Counter>) => {
        ctx.become({ ...counter, label });
        return { total: counter.total };
      },
    ),
    /** The database refuses it by a constraint that the definition does not know. */
    poison: command(Type.Object({}), Total, (counter: Counter, _input, ctx: Context<Counter>) => {
      ctx.become({ ...counter, total: -1_000_000 });
      return { total: -1 };
    }),
    crash: command(Type.Object({}), Total, (counter: Counter, _input, ctx: Context<Counter>) => {
      ctx.become({ ...counter, total: 1_000_000 });
      throw new Error("a fault in a handler");
    }),
  },
});

export interface RunningHost {
  readonly name: string;
  readonly host: Host;
  /** Goes as SIGTERM would have it. */
  stop(): Promise<void>;
}

export interface Runtime {
  readonly db: Sql;
  readonly nats: TestNats;
  readonly actors: ActorsOf<{ counter: typeof counter }>;
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
  options: { hosts?: number; leaseTtlMs?: number; lanes?: number } = {},
): Promise<Runtime> {
  const database = await freshDatabase();
  await migrate(database.url);
  const db = openSql(database.url, { max: 4, name: "test" });
  await db.unsafe(`
    CREATE TABLE counters (
      id text PRIMARY KEY, version bigint NOT NULL, total int NOT NULL CHECK (total >= 0), label text NOT NULL);
    CREATE UNIQUE INDEX counters_label ON counters (label) WHERE label <> '';
    CREATE TABLE additions (id text PRIMARY KEY, counter_id text NOT NULL, amount int NOT NULL);
    INSERT INTO actor_tables (name) VALUES ('counters'), ('additions');
    SELECT generate_commit();`);
  const server = await nats();
  const delivered: OutboxRow[] = [];
  const delivery = { broken: false };
  const hosts: RunningHost[] = [];
  const log = pino({ level: "silent" });

  const start = async (name: string): Promise<RunningHost> => {
    const store = postgresStore(database.url, options.lanes ?? 2);
    const bus = await natsBus(server.url, name);
    const host = await startHost({
      host: name,
      definitions: [counter],
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
  const wanted = options.hosts ?? 1;
  await until(
    async () => new Set((await readCluster(db)).leases.map((lease) => lease.owner)).size === wanted,
  );

  const bus = await natsBus(server.url, "caller");
  const client = connectClient<{ counter: typeof counter }>({
    caller: crypto.randomUUID(),
    bus,
    clock: systemClock,
    leases: async () => (await readCluster(db)).leases,
  });

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

/** Holds a lock on a counter's row, so that commits of its lane wait; `release` lets them go. */
export async function holdRow(db: Sql, id: string): Promise<{ release(): Promise<void> }> {
  const held = Promise.withResolvers<void>();
  const let_go = Promise.withResolvers<void>();
  const done = db.begin(async (tx) => {
    await tx`SELECT 1 FROM counters WHERE id = ${id} FOR UPDATE`;
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

/** Waits until a commit hangs on a lock. */
export const commitIsWaiting = (db: Sql) =>
  until(async () => {
    const rows = await db`
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%commit_batch%'`;
    return rows.length > 0;
  });
