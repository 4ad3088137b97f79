import { fnv1a } from "../../actors/runtime/partition.ts";
import type { Lease } from "../../actors/runtime/ports.ts";
import { audit, fencing } from "./audit.ts";
import { Cluster } from "./cluster.ts";
import type { Mutations } from "./database.ts";
import { Incidents } from "./incidents.ts";
import { planOf } from "./plan.ts";
import { Scheduler, Trace } from "./scheduler.ts";
import { Shopping } from "./shopping.ts";
import { Witness } from "./witness.ts";
import { Workload } from "./workload.ts";

/** Trouble ends after this, even if clients still wait. */
const TROUBLE_MS_MAX = 8_000;
/** By then a cluster that nothing ails any more is well: leases run out, hosts restart, retries come to their end. */
const RECOVERY_MS_MAX = 60_000;
/** Whether a cluster is well again is looked at this often. */
const LOOK_MS = 20;

export interface Result {
  readonly seed: number;
  /** What was broken; empty when all held. */
  readonly violations: readonly string[];
  readonly hash: string;
  readonly events: number;
  readonly lines: readonly string[];
}

/** Plays one seed: clients and trouble for a while, then recovery, then all checks. */
export function simulate(seed: number, mutations: Mutations = {}, keepLines = false): Result {
  const trace = new Trace(keepLines);
  const scheduler = new Scheduler(seed, trace);
  const plan = planOf(scheduler.random);
  trace.note(() => JSON.stringify(plan));
  const cluster = new Cluster(scheduler, plan, mutations);
  const witness = new Witness(cluster);
  const workload = new Workload(cluster, witness);
  const shopping = new Shopping(cluster, witness.violations);
  const incidents = new Incidents(cluster);
  const isBroken = () => witness.violations.length > 0 || cluster.errors.length > 0;

  const isDone = () => workload.isDone && shopping.isDone;

  scheduler.run(() => isDone() || isBroken(), TROUBLE_MS_MAX);
  incidents.heal();
  trace.note(() => "trouble ends");
  const limitMs = scheduler.nowMs + RECOVERY_MS_MAX;
  scheduler.run(() => isDone() || isBroken(), limitMs);
  workload.settle();
  shopping.settle();
  let lookedAtMs = 0;
  const looks = () => {
    if (scheduler.nowMs - lookedAtMs < LOOK_MS) return false;
    lookedAtMs = scheduler.nowMs;
    return true;
  };
  const isWell = scheduler.run(() => isBroken() || (isDone() && looks() && isHealthy(cluster)), limitMs);

  const violations = [...witness.violations, ...cluster.errors];
  if (violations.length === 0 && !isWell) violations.push(ailments(cluster, isDone()));
  violations.push(...(violations.length === 0 ? audit(cluster, witness, shopping) : fencing(cluster)));
  return { seed, violations, hash: trace.hash, events: trace.events, lines: trace.lines };
}

/** For each partition of a map of so many a wallet that is in it. */
const residents = new Map<number, readonly string[]>();

function residentsOf(partitions: number): readonly string[] {
  const known = residents.get(partitions);
  if (known !== undefined) return known;
  const found: string[] = [];
  for (let n = 0, left = partitions; left > 0; n++) {
    const partition = fnv1a(`wallet/resident${n}`) % partitions;
    if (found[partition] !== undefined) continue;
    found[partition] = `resident${n}`;
    left -= 1;
  }
  residents.set(partitions, found);
  return found;
}

/** Partitions that their owner, by the database, does not run. */
function orphans({ hosts, database }: Cluster): Lease[] {
  const run = new Map(hosts.map(({ process, host }) => [process.name, host]));
  const { leases, counts } = database.leases.cluster(database.nowMs);
  // While the number grows, an actor of the smaller map may be in either part: it is the one that stays.
  const residents = residentsOf(counts.target);
  return leases.filter(
    ({ partition, owner, expired }) =>
      expired || !run.get(owner ?? "")?.owns("wallet", residents[partition] as string),
  );
}

/** Whether everybody works, each partition has its owner, all effects have arrived, and all that was to be done is. */
const isHealthy = (cluster: Cluster): boolean =>
  cluster.database.tables.count("tasks") === 0 &&
  cluster.stream.arrived === cluster.database.tables.count("outbox") &&
  // What takes longer to read comes last.
  orphans(cluster).length === 0 &&
  cluster.hosts.every(({ host }) => host?.status().undelivered === 0);

function ailments(cluster: Cluster, isDone: boolean): string {
  const lost = orphans(cluster).map(({ partition, owner }) => `${partition} of ${owner}`);
  const undelivered = cluster.hosts.map(({ host }) => host?.status().undelivered ?? "no host");
  return (
    `not well ${RECOVERY_MS_MAX} ms after the trouble: ${isDone ? "" : "requests wait; "}` +
    `${lost.length} partitions run nowhere (${lost.slice(0, 3)}), undelivered: ${undelivered}, ` +
    `${cluster.database.tables.count("tasks")} tasks left`
  );
}
