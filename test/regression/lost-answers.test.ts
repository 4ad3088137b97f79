import { afterEach, expect, test } from "bun:test";
import { newId } from "../../actors/platform/ids.ts";
import { OutcomeUnknownError } from "../../actors/runtime/errors.ts";
import { preferredHost } from "../../actors/runtime/partition.ts";
import { readCluster } from "../../actors/runtime/store/cluster/queries.ts";
import { type Runtime, startRuntime } from "../actors/runtime/runtime.ts";
import { until } from "../harness/until.ts";

/**
 * The database did what it was asked, and its answer was lost. After such a commit the lane numbered effects as if it had not
 * been, and each later commit of the partition met a number that was taken. After such a release, or one that failed, a host renewed for
 * ever what it did not run, and nobody else could.
 */

let runtime: Runtime;
afterEach(() => runtime.stop());

test("after a commit whose answer was lost its actor goes on, and the effects have their numbers without a gap", async () => {
  let isLost = false;
  runtime = await startRuntime({
    through: (store) => ({
      ...store,
      async commit(lane, batch) {
        await store.commit(lane, batch);
        if (!isLost) return;
        isLost = false;
        throw new OutcomeUnknownError("the connection broke");
      },
    }),
  });
  const id = newId();
  const counter = runtime.actors.counter(id);
  await counter.add({ by: 1 });
  isLost = true;
  await counter.add({ by: 1 });
  expect(isLost).toBe(false);
  await counter.add({ by: 1 });
  expect(await runtime.total(id)).toBe(3);
  const rows = await runtime.db<{ seq: number }[]>`SELECT seq::int FROM outbox ORDER BY seq`;
  expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

test("partitions that a host could not give back go to the newcomer anyway", async () => {
  let fails = 2;
  runtime = await startRuntime({
    leaseTtlMs: 2_000,
    through: (store) => ({
      ...store,
      async release(host, partitions) {
        if (fails-- > 0) throw new Error("the connection broke");
        await store.release(host, partitions);
      },
    }),
  });
  await runtime.startHost("host-2");
  await until(async () =>
    (await readCluster(runtime.db)).leases.every(
      ({ partition, owner }) => owner === preferredHost(partition, ["host-1", "host-2"]),
    ),
  );
  expect(fails).toBeLessThanOrEqual(0);
});
