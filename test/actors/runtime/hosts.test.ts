import { afterEach, expect, test } from "bun:test";
import { newId } from "../../../actors/platform/ids.ts";
import { PARTITIONS } from "../../../actors/runtime/partition.ts";
import { readCluster } from "../../../actors/runtime/store/cluster/queries.ts";
import { until } from "../../harness/until.ts";
import { type Runtime, startRuntime } from "./runtime.ts";

let runtime: Runtime;
let endStorm = () => {};
afterEach(async () => {
  endStorm();
  await runtime.stop();
});

const owners = async () => (await readCluster(runtime.db)).leases.map((lease) => lease.owner);
const share = async (host: string) => (await owners()).filter((owner) => owner === host).length;

/** Adds to many counters without pause until told to stop; every answer must come. */
function storm(ids: readonly string[], clients: number) {
  let going = true;
  let added = 0;
  endStorm = () => {
    going = false;
  };
  const failures: unknown[] = [];
  const done = Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let i = client; going; i++) {
        const id = ids[i % ids.length] as string;
        await runtime.actors
          .counter(id)
          .add({ by: 1 })
          .then(
            () => {
              added += 1;
            },
            (error) => failures.push(error),
          );
      }
    }),
  );
  return {
    added: () => added,
    async stop() {
      going = false;
      await done;
      return { added, failures };
    },
  };
}

const grandTotal = async (ids: readonly string[]) =>
  (await Promise.all(ids.map((id) => runtime.total(id)))).reduce((sum, total) => sum + total, 0);

test("two hosts share the partitions, and none has two owners", async () => {
  runtime = await startRuntime({ hosts: 2 });
  const shares = await until(async () => {
    const [first, second] = [await share("host-1"), await share("host-2")];
    return Math.min(first, second) > PARTITIONS / 4 && first + second === PARTITIONS && [first, second];
  });
  expect(runtime.hosts.map(({ host }) => host.status().partitions)).toEqual(shares);
});

test("a host that stops under load hands everything over, and no request fails", async () => {
  runtime = await startRuntime({ hosts: 2 });
  const ids = Array.from({ length: 40 }, newId);
  const load = storm(ids, 16);
  await until(() => load.added() > 200);
  await runtime.hosts[0]?.stop();
  const before = load.added();
  await until(() => load.added() > before + 200);
  expect(await share("host-2")).toBe(PARTITIONS);
  const { added, failures } = await load.stop();
  expect(failures).toEqual([]);
  expect(await grandTotal(ids)).toBe(added);
});

test("a host that joins under load takes its share and moves nothing else, and no request fails", async () => {
  runtime = await startRuntime({ hosts: 2 });
  const before = await owners();
  const ids = Array.from({ length: 40 }, newId);
  const load = storm(ids, 16);
  await until(() => load.added() > 200);
  await runtime.startHost("host-3");
  const after = await until(async () => {
    const now = await owners();
    return now.filter((owner) => owner === "host-3").length > PARTITIONS / 6 && !now.includes(null) && now;
  });
  const moved = after.filter((owner, partition) => owner !== before[partition]);
  expect(moved.every((owner) => owner === "host-3")).toBe(true);
  const { added, failures } = await load.stop();
  expect(failures).toEqual([]);
  expect(await grandTotal(ids)).toBe(added);
});

test("effects whose delivery fails are delivered later, in order", async () => {
  runtime = await startRuntime();
  const id = newId();
  runtime.delivery.broken = true;
  for (let i = 1; i <= 10; i++) await runtime.actors.counter(id).add({ by: i });
  expect(runtime.delivered).toEqual([]);
  runtime.delivery.broken = false;
  await until(() => runtime.delivered.length === 10);
  expect(runtime.delivered.map((row) => (row.body as { by: number }).by)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ]);
});

test("effects that one host could not deliver are delivered by the next owner", async () => {
  runtime = await startRuntime();
  const ids = Array.from({ length: 20 }, newId);
  runtime.delivery.broken = true;
  await Promise.all(ids.map((id) => runtime.actors.counter(id).add({ by: 1 })));
  await runtime.hosts[0]?.stop();
  runtime.delivery.broken = false;
  await runtime.startHost("host-2");
  await until(() => runtime.delivered.length >= 20);
  expect(new Set(runtime.delivered.map((row) => (row.body as { counter: string }).counter))).toEqual(
    new Set(ids),
  );
});

test("a backlog larger than memory holds is delivered whole and in order", async () => {
  runtime = await startRuntime();
  const id = newId();
  runtime.delivery.broken = true;
  const count = 5_000;
  for (let sent = 0; sent < count; sent += 1_000) {
    await Promise.all(Array.from({ length: 1_000 }, () => runtime.actors.counter(id).add({ by: 1 })));
  }
  runtime.delivery.broken = false;
  await until(() => runtime.delivered.length >= count);
  expect(runtime.delivered.map((row) => row.seq)).toEqual(Array.from({ length: count }, (_, i) => i + 1));
});
