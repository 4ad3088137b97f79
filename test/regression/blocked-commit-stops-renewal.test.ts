import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../actors/platform/ids.ts";
import { commitIsWaiting } from "../actors/runtime/counter.ts";
import { holdRow, type Runtime, startRuntime } from "../actors/runtime/runtime.ts";
import { partitionOf } from "../harness/partition-of.ts";
import { until } from "../harness/until.ts";

/**
 * A commit locks the leases of its partitions, and one that waits for a row, as behind an operator's transaction, keeps
 * them locked. The renewal used to wait for it with the locks of all other leases, on which every other commit waited in turn.
 */

/** Renewed every two seconds. */
const LEASE_TTL_MS = 8_000;

let runtime: Runtime;
beforeAll(async () => {
  runtime = await startRuntime({ lanes: 2, leaseTtlMs: LEASE_TTL_MS });
});
afterAll(() => runtime.stop());

test("while a commit waits for a lock, the leases of other partitions are renewed and their actors reply", async () => {
  const held = newId();
  let other = newId();
  while ((partitionOf("till", other) - partitionOf("till", held)) % 2 === 0) other = newId();
  const till = (id: string) => runtime.actors.till(id);
  for (const id of [held, other]) await till(id).put({ by: 1 });
  const [blocked, free] = [await leaseOf(held), await leaseOf(other)];

  const row = await holdRow(runtime.db, "tills", held);
  const put = till(held).put({ by: 1 }, { deadlineMs: 2 * LEASE_TTL_MS });
  await commitIsWaiting(runtime.db);
  await until(async () => (await leaseOf(other)).expiresAt > free.expiresAt);
  expect((await till(other).put({ by: 1 })).value).toEqual({ money: 2 });
  expect(await leaseOf(held)).toEqual(blocked);

  await row.release();
  expect((await put).value).toEqual({ money: 2 });
  await until(async () => (await leaseOf(held)).expiresAt > blocked.expiresAt);
  expect((await leaseOf(held)).epoch).toBe(blocked.epoch);
});

async function leaseOf(till: string): Promise<{ epoch: string; expiresAt: Date }> {
  const [lease] = await runtime.db<{ epoch: string; expiresAt: Date }[]>`
    SELECT epoch::text, expires_at AS "expiresAt" FROM leases WHERE partition = ${partitionOf("till", till)}`;
  if (lease === undefined) throw new Error("no lease");
  return lease;
}
