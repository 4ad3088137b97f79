import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../../actors/platform/ids.ts";
import { FencedError } from "../../../actors/runtime/errors.ts";
import { type PostgresStore, postgresStore } from "../../../actors/runtime/store/queries.ts";
import { partitionOf } from "../../harness/partition-of.ts";
import { until } from "../../harness/until.ts";
import { type Runtime, startRuntime } from "./runtime.ts";

let runtime: Runtime;
let store: PostgresStore;
beforeAll(async () => {
  runtime = await startRuntime();
  store = postgresStore(databaseUrl(), 1);
});
afterAll(async () => {
  await store.end();
  await runtime.stop();
});

function databaseUrl(): string {
  const { host, port, user, pass, database } = runtime.db.options;
  return `postgres://${user}:${pass}@${host[0]}:${port[0]}/${database}`;
}

async function leaseOf(id: string) {
  const partition = partitionOf("counter", id);
  const [lease] = await runtime.db<{ owner: string; epoch: bigint }[]>`
    SELECT owner, epoch FROM leases WHERE partition = ${partition}`;
  if (lease === undefined) throw new Error("no such partition");
  return { partition, owner: lease.owner, epoch: Number(lease.epoch) };
}

const write = (lease: { partition: number; owner: string; epoch: number }, id: string) =>
  store.commit(0, {
    owner: lease.owner,
    leases: [{ partition: lease.partition, epoch: lease.epoch }],
    writes: new Map([
      ["counters", { insert: [{ id, version: 1, total: 1, label: "", n: 1 }], update: [], remove: [] }],
    ]),
  });

test("a commit under an epoch that has passed writes nothing", async () => {
  const id = newId();
  const lease = await leaseOf(id);
  const failure = await write({ ...lease, epoch: lease.epoch - 1 }, id).catch((error) => error);
  expect(failure).toBeInstanceOf(FencedError);
  expect(failure.partitions).toEqual([lease.partition]);
  expect(await runtime.total(id)).toBe(0);
});

test("a commit by a host that is not the owner writes nothing", async () => {
  const id = newId();
  const lease = await leaseOf(id);
  expect(await write({ ...lease, owner: "someone else" }, id).catch((error) => error)).toBeInstanceOf(
    FencedError,
  );
  expect(await runtime.total(id)).toBe(0);
});

test("what was delivered under an epoch that has passed is not saved: its numbers may be of another history", async () => {
  const lease = await leaseOf(newId());
  const delivered = async () => (await store.sequences([lease.partition]))[0]?.deliveredSeq;
  const before = await delivered();
  await store.saveProgress([{ ...lease, epoch: lease.epoch - 1, seq: 1_000_000 }]);
  expect(await delivered()).toBe(before);
});

test("a commit that meets a takeover under way waits for it, and then writes nothing", async () => {
  const id = newId();
  const lease = await leaseOf(id);
  const taken = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const takeover = runtime.db.begin(async (tx) => {
    await tx`UPDATE leases SET epoch = epoch + 1 WHERE partition = ${lease.partition}`;
    taken.resolve();
    await finish.promise;
  });
  await taken.promise;
  const late = write(lease, id).catch((error) => error);
  await until(async () => {
    const waiting = await runtime.db`
      SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%commit_batch%'`;
    return waiting.length > 0;
  });
  finish.resolve();
  await takeover;
  expect(await late).toBeInstanceOf(FencedError);
  expect(await runtime.total(id)).toBe(0);
});

test("an owner that is fenced off lets go, and the request is answered anyway by the next one", async () => {
  const id = newId();
  await runtime.actors.counter(id).add({ by: 1 });
  const { partition, epoch } = await leaseOf(id);
  await runtime.db`UPDATE leases SET epoch = epoch + 1 WHERE partition = ${partition}`;
  const answer = await runtime.actors.counter(id).add({ by: 1 });
  expect(answer.value.total).toBe(2);
  expect((await leaseOf(id)).epoch).toBeGreaterThan(epoch + 1);
  expect(await runtime.total(id)).toBe(2);
});

test("after a failover nothing is committed under a lease of the other timeline, until its owner has taken it again", async () => {
  const id = newId();
  await runtime.actors.counter(id).add({ by: 1 });
  const lease = await leaseOf(id);
  const failOver = () =>
    runtime.db`UPDATE leases SET timeline = 'FFFFFFFF' WHERE partition = ${lease.partition}`;
  await failOver();
  const other = newId();
  expect(await write(lease, other).catch((error) => error)).toBeInstanceOf(FencedError);
  expect(await runtime.total(other)).toBe(0);

  await failOver();
  await runtime.actors.counter(id).add({ by: 1 });
  expect(await runtime.total(id)).toBe(2);
  expect((await leaseOf(id)).epoch).toBeGreaterThan(lease.epoch);
});
