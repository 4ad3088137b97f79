import { readCluster } from "../../actors/runtime/store/cluster/queries.ts";
import { partitionOf } from "../harness/partition-of.ts";
import type { StackClient } from "../harness/stack-client.ts";
import { until } from "../harness/until.ts";
import type { Payer } from "./history.ts";
import type { Load } from "./load.ts";

/** Transfers after which a load is taken to flow again. */
const FLOWING = 100;

/** Waits until the load flows: for each of these users, and as a whole. */
export async function flows(load: Load, users: readonly Payer[]): Promise<void> {
  const all = load.acknowledged() + FLOWING;
  const each = users.map((user) => ({ user, goal: load.acknowledged(user) + 5 }));
  await until(
    () => load.acknowledged() >= all && each.every(({ user, goal }) => load.acknowledged(user) >= goal),
  );
}

/** The actor host that owns a user's wallet by the database: its name without what tells its restarts apart. */
export async function ownerOf(stack: Pick<StackClient, "db">, user: Payer) {
  const { leases } = await readCluster(stack.db);
  const lease = leases.find(({ partition }) => partition === partitionOf("wallet", user.id));
  if (typeof lease?.owner !== "string" || lease.expired) throw new Error("the wallet has no owner");
  return { name: lease.owner.replace(/-[^-]*$/, ""), epoch: lease.epoch };
}

/** How many partitions a host owns now. */
export async function shareOf(stack: Pick<StackClient, "db">, name: string): Promise<number> {
  const { leases } = await readCluster(stack.db);
  return leases.filter(({ owner, expired }) => !expired && owner?.startsWith(`${name}-`)).length;
}
