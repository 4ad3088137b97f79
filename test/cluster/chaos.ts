import { until } from "../harness/until.ts";
import type { Cluster, Part } from "./cluster.ts";
import type { Machine } from "./machine.ts";
import type { Traffic } from "./traffic.ts";

/** What may happen to a machine. */
export const INCIDENTS = ["kill", "power off", "cut off", "slow down"] as const;
export type Incident = (typeof INCIDENTS)[number];

/** The machines of a kind; of PostgreSQL the primary and the standby are told apart. */
export const TARGETS = ["primary", "standby", "nats", "gateway", "actors", "agent"] as const;
export type Target = (typeof TARGETS)[number];

/**
 * Within how many milliseconds reads and writes are served again, whatever happened to one machine of the kind (docs/operations/cluster.md).
 * A lost packet is sent again after growing times, so that a slow machine costs what a lost one does.
 */
export const BACK_WITHIN_MS: Readonly<Record<Target, { reads: number; writes: number }>> = {
  primary: { reads: 45_000, writes: 45_000 },
  standby: { reads: 5_000, writes: 30_000 },
  nats: { reads: 10_000, writes: 30_000 },
  gateway: { reads: 10_000, writes: 20_000 },
  actors: { reads: 5_000, writes: 20_000 },
  agent: { reads: 5_000, writes: 5_000 },
};

/** How long a machine stays off, cut off or slow: longer than anybody waits before somebody else takes over. */
const LASTS_MS = 20_000;
const LOST_PERCENT = 25;
/** After this without new outages the round is over. */
const SETTLED_REQUESTS = 200;
const WHOLE_MS_MAX = 180_000;

export interface Round {
  readonly target: Target;
  readonly incident: Incident;
  readonly machine: string;
  readonly reads: number;
  readonly writes: number;
  /** Until every machine did its work again. */
  readonly wholeMs: number;
}

const PART: Readonly<Record<Target, Part>> = {
  primary: "postgres",
  standby: "postgres",
  nats: "nats",
  gateway: "gateway",
  actors: "actors",
  agent: "agent",
};

/** Lets something happen to one machine under load, and measures for how long somebody was not served. */
export async function playRound(
  cluster: Cluster,
  traffic: Traffic,
  { target, incident, pick }: { target: Target; incident: Incident; pick: <T>(from: readonly T[]) => T },
): Promise<Round> {
  const primary = await until(() => cluster.primary());
  const names = [...cluster.machines.keys()].filter((name) => {
    if (target === "primary") return name === primary;
    if (target === "standby") return name.startsWith("postgres") && name !== primary;
    return name.startsWith(PART[target]);
  });
  const name = pick(names);
  const machine = cluster.machines.get(name) as Machine;
  const sinceMs = performance.now();
  await strike(machine, incident, target);
  const struckMs = performance.now();
  await until(
    async () => {
      const { writes } = traffic.outages(performance.now() - 1_000);
      return traffic.served(struckMs) > SETTLED_REQUESTS && writes < 1_000 && (await cluster.isWhole());
    },
    { timeoutMs: WHOLE_MS_MAX, everyMs: 250 },
  );
  const { reads, writes } = traffic.outages(sinceMs);
  return { target, incident, machine: name, reads, writes, wholeMs: performance.now() - sinceMs };
}

async function strike(machine: Machine, incident: Incident, target: Target): Promise<void> {
  switch (incident) {
    case "kill":
      // Patroni outlives its PostgreSQL, and decides what follows.
      return machine.kill(PART[target] === "postgres" ? "postgres" : undefined);
    case "power off":
      await machine.powerOff();
      await Bun.sleep(LASTS_MS);
      return machine.start();
    case "cut off":
      await machine.plug(false);
      await Bun.sleep(LASTS_MS);
      return machine.plug(true);
    case "slow down":
      await machine.losePackets(LOST_PERCENT);
      await Bun.sleep(LASTS_MS);
      return machine.losePackets(0);
  }
}
