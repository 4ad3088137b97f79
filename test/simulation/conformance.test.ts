import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Row } from "../../actors/runtime/definition.ts";
import type { Commit, TableWrites, Task } from "../../actors/runtime/ports.ts";
import { type PostgresStore, postgresStore } from "../../actors/runtime/store/queries.ts";
import { migratedDatabase } from "../harness/servers.ts";
import { Database } from "./database.ts";
import { Process } from "./process.ts";
import { Random } from "./random.ts";
import { Scheduler, Trace } from "./scheduler.ts";
import { SimulatedStore } from "./store.ts";

/** The simulation is worth what its database is: it must answer as `commit_batch` does in PostgreSQL. */

const COMMITS = 600;
const TTL_MS = 60_000;
const PARTITIONS = [3, 5];
const HOSTS = ["one", "two"];

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let real: PostgresStore;
beforeAll(async () => {
  database = await migratedDatabase();
  real = postgresStore(database.url, 1);
});
afterAll(async () => {
  await real.end();
  await database.drop();
});

const random = new Random(7);
const at = new Date(Date.UTC(2026, 0, 1));

const NO_SEND = {
  target_kind: null,
  target_id: null,
  key: null,
  reply_op: null,
  context: null,
  origin: null,
};
const A_SEND = {
  target_kind: "till",
  target_id: "till1",
  key: "k",
  reply_op: "paid",
  context: { order: "1" },
  origin: { request_id: "r" },
};

/** Rows around a few keys, so that many meet one that is there, and many miss. */
function randomWrites(): Map<string, TableWrites> {
  const writes = new Map<string, TableWrites>();
  const wallet = (): Row => ({
    user_id: `user${random.integer(4)}`,
    version: 1 + random.integer(4),
    base_version: random.integer(4),
    general_cents: BigInt(random.integer(20) - 1),
    ai_limit_micros: 5n,
    low_balance_cents: null,
    updated_at: at,
  });
  const receipt = (): Row => ({
    actor_id: `user${random.integer(4)}`,
    key: `key${random.integer(40)}`,
    fingerprint: "f",
    reply: { ok: true },
    actor_version: random.integer(9),
    minted: random.chance(0.5),
    created_at: at,
    saga: random.chance(0.3) ? `key${random.integer(40)}` : null,
  });
  const task = (): Row => ({
    kind: "shop",
    actor_id: `shop${random.integer(2)}`,
    name: `task${random.integer(4)}`,
    partition: random.pick(PARTITIONS),
    token: `token${random.integer(99)}`,
    due_at: new Date(at.getTime() + random.integer(5)),
    op: "lapse",
    input: { order: 'a "quoted" one' },
    aborting: random.chance(0.5),
    ...random.pick<Row>([NO_SEND, NO_SEND, A_SEND]),
  });
  const effect = (): Row => ({
    partition: random.pick(PARTITIONS),
    seq: 1 + random.integer(60),
    topic: "t",
    body: { n: random.integer(9) },
    origin: null,
    created_at: at,
  });
  if (random.chance(0.8)) {
    const part: TableWrites = { insert: [], update: [], remove: [] };
    random.pick([part.insert, part.update, part.update, part.update, part.remove]).push(wallet());
    writes.set("wallets", part);
  }
  if (random.chance(0.5)) writes.set("receipts", { insert: [receipt()], update: [], remove: [] });
  if (random.chance(0.3)) {
    const part: TableWrites = { insert: [], update: [], remove: [] };
    random.pick([part.insert, part.update, part.remove]).push(task());
    writes.set("tasks", part);
  }
  if (random.chance(0.5)) writes.set("outbox", { insert: [effect()], update: [], remove: [] });
  return writes;
}

const sorted = (tasks: Task[]): Task[] =>
  tasks.toSorted((a, b) => (`${a.actorId}${a.name}` < `${b.actorId}${b.name}` ? -1 : 1));

const outcome = (done: Promise<unknown>) =>
  done.then(
    () => "committed",
    (error: Error) => `${error.name}${"partitions" in error ? ` ${error.partitions}` : ""}`,
  );

test("a commit ends in memory as it ends in PostgreSQL, and leaves the same rows", async () => {
  const scheduler = new Scheduler(1, new Trace(false));
  const memory = new Database(scheduler, {});
  const process = new Process(scheduler, "test");
  const simulated = new SimulatedStore(memory, process, { lost: 0, unanswered: 0, late: 0 });
  /** Plays the simulation until an answer is there. */
  async function played<T>(answer: Promise<T>): Promise<T> {
    let isThere = false;
    const seen = answer.finally(() => {
      isThere = true;
    });
    seen.catch(() => {});
    scheduler.run(() => isThere, Number.POSITIVE_INFINITY);
    return seen;
  }

  const epochs = new Map<number, number>();
  const outcomes = new Map<string, number>();
  for (let i = 0; i < COMMITS; i++) {
    if (i % 25 === 0) {
      const host = random.pick(HOSTS);
      const [from, wanted] = [random.pick(HOSTS), PARTITIONS];
      await Promise.all([real.release(from, wanted), played(simulated.release(from, wanted))]);
      const taken = await real.acquire(host, wanted, TTL_MS);
      expect(await played(simulated.acquire(host, wanted, TTL_MS))).toEqual(taken);
      for (const { partition, epoch } of taken) epochs.set(partition, epoch);
    }
    const commit: Commit = {
      owner: random.pick(HOSTS),
      leases: PARTITIONS.filter(() => random.chance(0.7)).map((partition) => ({
        partition,
        epoch: (epochs.get(partition) ?? 0) - (random.chance(0.1) ? 1 : 0),
      })),
      writes: randomWrites(),
    };
    const inPostgres = await outcome(real.commit(0, commit));
    expect(await played(outcome(simulated.commit(0, commit)))).toBe(inPostgres);
    outcomes.set(inPostgres, (outcomes.get(inPostgres) ?? 0) + 1);
  }

  for (const kind of ["committed", "StaleError", "FencedError 3,5"]) {
    expect(outcomes.get(kind) ?? 0).toBeGreaterThan(10);
  }
  const wallets = await real.db<Row[]>`SELECT user_id, version, general_cents FROM wallets ORDER BY user_id`;
  expect(
    [...memory.tables.all("wallets")]
      .map(({ user_id, version, general_cents }) => ({
        user_id,
        version: BigInt(String(version)),
        general_cents,
      }))
      .sort((a, b) => (String(a.user_id) < String(b.user_id) ? -1 : 1)),
  ).toEqual([...wallets] as never);
  expect(await played(simulated.sequences(PARTITIONS))).toEqual(
    (await real.sequences(PARTITIONS)).toSorted((a, b) => a.partition - b.partition),
  );
  for (const partition of PARTITIONS) {
    expect(await played(simulated.effectsAfter(partition, 5, 10))).toMatchObject(
      await real.effectsAfter(partition, 5, 10),
    );
  }
  const actors = ["shop0", "shop1"].map((actorId) => ({ kind: "shop", actorId }));
  expect(sorted(await played(simulated.tasksOf(actors)))).toEqual(sorted(await real.tasksOf(actors)));
  const until = new Date(at.getTime() + 4);
  const due = await real.tasksDue(PARTITIONS, until, null, 2);
  expect(due.length).toBe(2);
  expect(await played(simulated.tasksDue(PARTITIONS, until, null, 2))).toEqual(due);
  const after = due[0] as Task;
  expect(await played(simulated.tasksDue(PARTITIONS, until, after, 2))).toEqual(
    await real.tasksDue(PARTITIONS, until, after, 2),
  );
  const held = PARTITIONS.map((partition) => ({ partition, epoch: epochs.get(partition) ?? 0, seq: 40 }));
  const before = held.map((progress) => ({ ...progress, epoch: progress.epoch - 1, seq: 1_000 }));
  for (const progress of [held, before])
    await Promise.all([real.saveProgress(progress), played(simulated.saveProgress(progress))]);
  expect((await real.sequences(PARTITIONS)).map(({ deliveredSeq }) => deliveredSeq)).toEqual([40, 40]);
  await Promise.all([real.rewind([3]), played(simulated.rewind([3]))]);
  expect(await played(simulated.sequences(PARTITIONS))).toEqual(
    (await real.sequences(PARTITIONS)).toSorted((a, b) => a.partition - b.partition),
  );
  const keys = Array.from({ length: 40 }, (_, n) => ({ actorId: "user1", key: `key${n}` }));
  expect(await played(simulated.receipts(keys))).toEqual(
    (await real.receipts(keys)).toSorted((a, b) => Number(a.key.slice(3)) - Number(b.key.slice(3))),
  );
});
