import { Random } from "../../test/simulation/random.ts";
import type { Table } from "../benchmark.ts";
import { RATES } from "../year/rates.ts";
import { BATCH_MAX, type Installation, type Outcome, type Service, simulateTransfers } from "./transfers.ts";

/** What so many users take of the processes of an installation. */

/** CPU of one read. */
export interface Reads {
  readonly gatewayMs: number;
  readonly postgresMs: number;
}

const USERS = [10_000, 100_000, 1_000_000, 10_000_000];
const CHANGES_A_DAY = RATES.transfers + RATES.keyedChanges + RATES.mintedChanges + RATES.signIns;
const READS_PER_CHANGE = 10;
/** The busiest hour, over the average one. */
const PEAK = 4;
const DAY_S = 86_400;
const POSTGRES_CORES = 16;
/** Fuller processes make queues that a gust of requests does not end. */
const FULL = 0.7;
/** A fast disk of today takes so much WAL, written and flushed in order, and leaves room for the tables. */
const WAL_BYTES_PER_SECOND = 200e6;
const SIMULATED_S = 20;

export function plan(service: Service, walBytes: number, reads: Reads): Table[] {
  return [installations(service, reads), walls(service, walBytes, reads)];
}

/** Changes a second in the busiest hour. */
const peakOf = (users: number): number => (users * CHANGES_A_DAY * PEAK) / DAY_S;

function installations(service: Service, reads: Reads): Table {
  const rows = USERS.map((users) => {
    const changes = peakOf(users);
    const readsPerSecond = changes * READS_PER_CHANGE;
    const readShare = (ms: number, cores: number) => (readsPerSecond * ms) / 1_000 / cores;
    const { installation, outcome } = smallest(service, changes, (gateways) =>
      readShare(reads.gatewayMs, gateways),
    );
    return [
      users.toLocaleString("en"),
      changes.toFixed(0),
      readsPerSecond.toFixed(0),
      `${installation.gateways} (${percent(outcome.busy.gateway + readShare(reads.gatewayMs, installation.gateways))})`,
      `${installation.hosts} (${percent(outcome.busy.host)})`,
      `${installation.natsServers} (${percent(outcome.busy.nats)})`,
      percent(outcome.busy.postgres + readShare(reads.postgresMs, POSTGRES_CORES)),
      `${outcome.p50Ms.toFixed(1)} / ${outcome.p99Ms.toFixed(1)}`,
    ];
  });
  return {
    title: "The busiest hour, simulated",
    rows: [
      [
        ...["users", "changes a second", "reads a second", "gateways (busy)", "actor hosts (busy)"],
        ...["NATS servers (busy)", `PostgreSQL's ${POSTGRES_CORES} cores, busy`, "a change, p50 / p99 ms"],
      ],
      ...rows,
    ],
    notes: [`As many of each as keep the busiest below ${percent(FULL)}.`],
  };
}

/** The fewest processes that keep each one below FULL with the reads beside the changes. */
function smallest(
  service: Service,
  perSecond: number,
  readShare: (gateways: number) => number,
): { installation: Installation; outcome: Outcome } {
  const counts = { gateways: 1, hosts: 1, natsServers: 1 };
  for (;;) {
    const installation = { ...counts, machines: { postgres: POSTGRES_CORES } };
    const random = new Random(1);
    const outcome = simulateTransfers(
      installation,
      { perSecond },
      service,
      // Enough requests for the last hundredth, however few come.
      {
        seconds: Math.max(SIMULATED_S / 10, Math.min(SIMULATED_S, 200_000 / perSecond)),
        random: () => random.next(),
      },
    );
    const full = {
      gateways: outcome.busy.gateway + readShare(counts.gateways) > FULL,
      hosts: outcome.busy.host > FULL || perSecond / counts.hosts > FULL * lanePerSecond(service),
      natsServers: outcome.busy.nats > FULL,
    };
    if (!full.gateways && !full.hosts && !full.natsServers) return { installation, outcome };
    for (const kind of ["gateways", "hosts", "natsServers"] as const)
      if (full[kind]) counts[kind] = Math.ceil(counts[kind] * 1.25);
  }
}

/** The most that one lane commits in a second. */
const lanePerSecond = ({ costs, waitMs }: Service): number => {
  const { perCommit, perTransfer } = costs.PostgreSQL;
  const ofHost = costs["actor host"].perCommit;
  return (BATCH_MAX / (ofHost + perCommit + BATCH_MAX * perTransfer + waitMs)) * 1_000;
};

/** How many users one of each thing is enough for, were it alone. */
function walls(service: Service, walBytes: number, reads: Reads): Table {
  const { costs } = service;
  const batch = 32;
  const each = (part: "gateway" | "actor host" | "NATS" | "PostgreSQL") =>
    costs[part].perTransfer + costs[part].perCommit / batch;
  const users = (msPerChange: number, cores = 1) => {
    const changes = (cores * FULL * 1_000) / msPerChange;
    return Math.floor(changes / peakOf(1) / 1_000) * 1_000;
  };
  const rows: [string, number][] = [
    ["a gateway, with its reads", users(each("gateway") + READS_PER_CHANGE * reads.gatewayMs)],
    ["an actor host, by its own CPU", users(each("actor host"))],
    ["an actor host, by its lane", users(1_000 / lanePerSecond(service))],
    ["a NATS server", users(each("NATS"))],
    [
      `PostgreSQL, ${POSTGRES_CORES} cores, with the reads`,
      users(each("PostgreSQL") + READS_PER_CHANGE * reads.postgresMs, POSTGRES_CORES),
    ],
    [
      `PostgreSQL, ${POSTGRES_CORES} cores, with the reads at replicas`,
      users(each("PostgreSQL"), POSTGRES_CORES),
    ],
    [
      `a disk that takes ${WAL_BYTES_PER_SECOND / 1e6} MB of WAL a second`,
      Math.floor(WAL_BYTES_PER_SECOND / walBytes / peakOf(1) / 1_000) * 1_000,
    ],
  ];
  return {
    title: "What one of each is enough for",
    rows: [["", "users"], ...rows.map(([name, count]) => [name, count.toLocaleString("en")])],
    notes: [`Filled to ${percent(FULL)} in the busiest hour, with ${batch} changes a commit.`],
  };
}

const percent = (share: number): string => `${(share * 100).toFixed(0)}%`;
