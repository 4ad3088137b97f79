import { afterEach, beforeEach, expect, test } from "bun:test";
import { newId } from "../../../actors/platform/ids.ts";
import { fnv1a, PARTITIONS, PartitionMap } from "../../../actors/runtime/partition.ts";
import { growPartitions, readCluster } from "../../../actors/runtime/store/cluster/queries.ts";
import { until } from "../../harness/until.ts";
import { type Runtime, startRuntime } from "./runtime.ts";

/** The number of partitions grows while actors work. */

let runtime: Runtime;
beforeEach(async () => {
  runtime = await startRuntime({ hosts: 2, leaseTtlMs: 2_000 });
});
afterEach(() => runtime.stop());

const grown = (partitions: number) =>
  until(async () => {
    const { leases } = await readCluster(runtime.db);
    return leases.length === partitions && leases.every(({ owner, expired }) => owner !== null && !expired);
  });

/** Adds 1, 2, 3 and so on to each counter, one after the other, until it is told to stop. */
function load(ids: readonly string[]) {
  let isOver = false;
  const added = new Map<string, number>();
  const failures: unknown[] = [];
  const done = Promise.all(
    ids.map(async (id) => {
      for (let by = 1; !isOver && failures.length === 0; by++)
        await runtime.actors
          .counter(id)
          .add({ by })
          .then(
            () => added.set(id, by),
            (error) => failures.push(error),
          );
    }),
  );
  return {
    count: () => [...added.values()].reduce((sum, each) => sum + each, 0),
    async stop() {
      isOver = true;
      await done;
      return { added, failures };
    },
  };
}

async function expectWhole({ added, failures }: { added: Map<string, number>; failures: unknown[] }) {
  expect(failures).toEqual([]);
  for (const [id, last] of added) expect(await runtime.total(id)).toBe((last * (last + 1)) / 2);
}

test("from 64 to 256 and on to 512 under load: nothing is lost or done twice, and effects keep their order", async () => {
  const ids = Array.from({ length: 60 }, newId);
  const running = load(ids);
  await until(() => running.count() > 100);
  await growPartitions(runtime.db, 256);
  await grown(256);
  const between = running.count();
  await until(() => running.count() > between + 100);
  await growPartitions(runtime.db, 512);
  await grown(512);
  const after = running.count();
  await until(() => running.count() > after + 100);
  await expectWhole(await running.stop());

  // Each actor is where the map of 512 has it, and more partitions than before do its work.
  const { leases, counts } = await readCluster(runtime.db);
  const map = new PartitionMap(
    counts,
    leases.map(({ partition }) => partition),
  );
  expect(new Set(ids.map((id) => map.of("counter", id))).size).toBeGreaterThan(40);
  for (const id of ids) expect(map.of("counter", id)).toBe(fnv1a(`counter/${id}`) % 512);

  // Every change had one effect, delivered in the order of the changes, at least once.
  const total = running.count();
  await until(
    () => new Set(runtime.delivered.map(({ partition, seq }) => `${partition}/${seq}`)).size === total,
  );
  const [stored] = await runtime.db<{ count: number }[]>`SELECT count(*)::int AS count FROM outbox`;
  expect(stored?.count).toBe(total);
  for (const id of ids) {
    const all = runtime.delivered.map(({ body }) => body as { counter: string; by: number });
    const numbers = [...new Set(all.filter(({ counter }) => counter === id).map(({ by }) => by))];
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
  }
});

test("a host that goes in the middle leaves the rest to the others", async () => {
  const ids = Array.from({ length: 30 }, newId);
  const running = load(ids);
  await growPartitions(runtime.db, 256);
  await until(async () => (await readCluster(runtime.db)).leases.length > PARTITIONS);
  await runtime.hosts[0]?.stop();
  await grown(256);
  const after = running.count();
  await until(() => running.count() > after + 50);
  await expectWhole(await running.stop());
});

test("timers of actors go with their partitions", async () => {
  const ids = Array.from({ length: 40 }, newId);
  const rows = ids.map((id) => ({ id, partition: fnv1a(`counter/${id}`) % PARTITIONS }));
  for (const { id, partition } of rows)
    await runtime.db`
      INSERT INTO tasks (kind, actor_id, name, partition, token, due_at, op, input, aborting)
      VALUES ('counter', ${id}, 'later', ${partition}, 'x', now() + interval '1 day', 'add', '{"by": 1}', false)`;
  await growPartitions(runtime.db, 128);
  await grown(128);
  const tasks = await runtime.db<{ actor_id: string; partition: number }[]>`
    SELECT actor_id, partition FROM tasks WHERE name = 'later'`;
  expect(tasks).toHaveLength(ids.length);
  for (const { actor_id, partition } of tasks) expect(partition).toBe(fnv1a(`counter/${actor_id}`) % 128);
});

test("while effects cannot be delivered nothing is split, and work goes on", async () => {
  const id = newId();
  runtime.delivery.broken = true;
  await runtime.actors.counter(id).add({ by: 1 });
  const partition = fnv1a(`counter/${id}`) % PARTITIONS;
  await growPartitions(runtime.db, 128);
  await until(async () => (await readCluster(runtime.db)).leases.length > PARTITIONS);
  await runtime.actors.counter(id).add({ by: 1 });
  const there = async () => (await readCluster(runtime.db)).leases.map((lease) => lease.partition);
  expect(await there()).not.toContain(partition + PARTITIONS);
  runtime.delivery.broken = false;
  await grown(128);
  expect(await runtime.total(id)).toBe(2);
});

test("a number that cannot be had is refused with the reason", async () => {
  const refused = (partitions: number, reason: string) =>
    expect(growPartitions(runtime.db, partitions)).rejects.toThrow(reason);
  for (const wrong of [0, 32, 64, 100, 2_048])
    await refused(wrong, "give a multiple of 64 up to 1024, such as 128");
  await runtime.db`
    INSERT INTO hosts (host, expires_at, status) VALUES ('old', now() + interval '1 hour', '{"partitions": 1}')`;
  await refused(128, "an actor host of an earlier version runs");
  await runtime.db`DELETE FROM hosts WHERE host = 'old'`;
  runtime.delivery.broken = true;
  await runtime.actors.counter(newId()).add({ by: 1 });
  await growPartitions(runtime.db, 128);
  await refused(256, "grows to 128 already");
});
