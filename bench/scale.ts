import { newId } from "../actors/platform/ids.ts";
import type { RunningServer } from "../scripts/servers/server.ts";
import { freePort, startOwnPostgres } from "../test/harness/servers.ts";
import { awaitBalance, startStack } from "../test/harness/stack.ts";
import type { Benchmark, Measurement, Report, RunOptions, Table } from "./benchmark.ts";
import { childrenWith } from "./cpu.ts";
import { median } from "./statistics.ts";
import {
  type Commits,
  type Contender,
  LEASE_TTL_MS,
  prepareDatabase,
  readCommits,
} from "./wallet/contenders.ts";
import { WARMUP_MS } from "./wallet/measure.ts";
import { findFaults, readDurability } from "./wallet/queries.ts";
import { measure, PLAN } from "./wallet/series.ts";
import { issueTokens } from "./wallet/tokens.ts";

const HOSTS = [1, 2, 4];
const WALLETS = [1, 100, 10_000];
/** More hosts are for more load: with the same, each would commit fewer transfers at a time. */
const CLIENTS_PER_HOST = 64;
/** With so few clients, one host commits as few transfers at a time as several hosts do. Its costs show what small commits alone do. */
const FEWER_CLIENTS = [4, 16];
/** The dearest setting may cost so much more than the cheapest one. */
const SPREAD_MAX = 1.2;
const GENERATOR = "load generator";

/** What an operation costs in CPU, all processes together, with more hosts and with more actors. */
export const scale: Benchmark = {
  summary: "CPU of a durable transfer over HTTP, by actor hosts and wallets",
  async run(options: RunOptions): Promise<Report> {
    const server = await startOwnPostgres({ durable: true });
    const userIds = Array.from({ length: Math.max(...WALLETS) }, newId);
    const cells: Cell[][] = [];
    const smaller: Cell[][] = [];
    let version = "";
    for (const hosts of HOSTS) {
      const cluster = await startCluster(server, hosts, userIds);
      version = (await readDurability(cluster.db)).version;
      for (const [at, wallets] of WALLETS.entries()) {
        const tokens = cluster.tokens.slice(0, wallets);
        const one = await measureCell(server, cluster, tokens, hosts * CLIENTS_PER_HOST, options);
        options.say(`${hosts} hosts, ${wallets} wallets: ${cost(one).toFixed(0)} ms a thousand`);
        cells[at] ??= [];
        cells[at].push(one);
        if (hosts > 1) continue;
        smaller[at] = [];
        for (const clients of FEWER_CLIENTS)
          smaller[at].push(await measureCell(server, cluster, tokens, clients, options));
      }
      const faults = Object.entries(await findFaults(cluster.db)).filter(([, count]) => count > 0);
      if (faults.length > 0) throw new Error(`${hosts} hosts left faults: ${JSON.stringify(faults)}`);
      await cluster.stop();
    }
    await server.stop();
    return {
      method: [
        `One request: \`POST /api/v1/wallet/transfers\` under a fresh \`Idempotency-Key\`; one gateway; ${CLIENTS_PER_HOST} clients for each actor host, each with one request under way. As in wallet-spread, from databases with 20,000 past transfers.`,
        `CPU is user and system time of the gateway, the actor hosts, NATS and PostgreSQL; the load generator's is left out. Medians of ${options.rounds} rounds of ${options.seconds} s after ${WARMUP_MS / 1000} s of warm-up.`,
        "fsync, synchronous_commit and full_page_writes are on. After every load the transfers in the database were exactly the acknowledged ones; at the end nothing was missing or out of balance.",
        "All processes share the machine: what this says of is the cost of an operation, and nothing of how much more hosts would do on machines of their own.",
      ],
      series: [],
      tables: [
        table("CPU, ms a thousand transfers", cells, cost, flatness(cells)),
        table("Transfers a second", cells, (one) => one.perSecond, []),
        table("Transfers a commit", cells, (one) => one.perCommit, []),
        parts(cells),
        bySize(smaller.map((row, at) => [...row, ...(cells[at] ?? []).slice(0, 1)])),
      ],
      versions: { PostgreSQL: version },
    };
  },
};

interface Cluster extends Contender {
  readonly tokens: readonly string[];
  /** Of all its actor hosts. */
  commits(): Promise<Pick<Commits, "count" | "messages">>;
}

interface Cell extends Measurement {
  readonly perCommit: number;
}

async function startCluster(
  server: RunningServer,
  hosts: number,
  userIds: readonly string[],
): Promise<Cluster> {
  const { url, db } = await prepareDatabase(server, `scale_${hosts}`, userIds);
  const stack = await startStack({
    databaseUrl: url,
    actorHosts: 0,
    gatewayProcess: true,
    env: { BERTH_LEASE_TTL_MS: LEASE_TTL_MS },
  });
  const metricsPorts: number[] = [];
  const pids: Record<string, number> = {};
  for (let number = 1; number <= hosts; number++) {
    const [name, port] = [`actors-${number}`, await freePort()];
    pids[name] = (
      await stack.startHost(name, { BERTH_LEASE_TTL_MS: LEASE_TTL_MS, BERTH_METRICS_PORT: String(port) })
    ).pid;
    metricsPorts.push(port);
  }
  await awaitBalance(stack, hosts);
  const [gateway = 0] = childrenWith("gateway/main");
  return {
    name: `${hosts} hosts`,
    port: Number(new URL(stack.url).port),
    db,
    processes: {
      gateway,
      ...pids,
      NATS: stack.nats.pid,
    },
    tokens: await issueTokens(stack.signingKeyFile, userIds),
    async commits() {
      const all = await Promise.all(metricsPorts.map(readCommits));
      const sum = (of: (one: Commits) => number) => all.reduce((total, one) => total + of(one), 0);
      return { count: sum(({ count }) => count), messages: sum(({ messages }) => messages) };
    },
    async stop() {
      await stack.stop();
      await db.end({ timeout: 5 });
    },
  };
}

async function measureCell(
  server: RunningServer,
  cluster: Cluster,
  tokens: readonly string[],
  clients: number,
  { rounds, seconds }: RunOptions,
): Promise<Cell> {
  const plan = { ...PLAN, tokens, clients, hasClientKey: true };
  await measure({ server }, cluster, { ...plan, until: "each token once" });
  const measured: Measurement[] = [];
  const before = await cluster.commits();
  for (let round = 0; round < rounds; round++) {
    const until = { warmupMs: WARMUP_MS, measureMs: seconds * 1000 };
    measured.push(await measure({ server }, cluster, { ...plan, until }));
  }
  const after = await cluster.commits();
  measured.sort((a, b) => cost(a) - cost(b));
  const middle = measured[measured.length >> 1] as Measurement;
  return {
    ...middle,
    perSecond: median(measured.map((one) => one.perSecond)),
    perCommit: (after.messages - before.messages) / (after.count - before.count),
  };
}

/** All of it but the generator's, milliseconds a thousand requests. */
const cost = ({ cpuMsPerThousand }: Measurement): number =>
  Object.entries(cpuMsPerThousand).reduce((sum, [name, ms]) => (name === GENERATOR ? sum : sum + ms), 0);

const hostNames = HOSTS.map((hosts) => (hosts === 1 ? "1 host" : `${hosts} hosts`));
const walletNames = WALLETS.map(
  (wallets) => `${wallets.toLocaleString("en")} ${wallets === 1 ? "wallet" : "wallets"}`,
);

function table(
  title: string,
  cells: readonly Cell[][],
  figure: (one: Cell) => number,
  notes: readonly string[],
): Table {
  const rows = cells.map((row, at) => [walletNames[at] ?? "", ...row.map((one) => figure(one).toFixed(0))]);
  return { title, rows: [["", ...hostNames], ...rows], notes };
}

/** Whose the time is, with one host and with the most. */
function parts(cells: readonly Measurement[][]): Table {
  const at = (one: Measurement | undefined, of: (name: string) => boolean) =>
    Object.entries(one?.cpuMsPerThousand ?? {})
      .reduce((sum, [name, ms]) => (of(name) ? sum + ms : sum), 0)
      .toFixed(0);
  const row = (one: Measurement | undefined) => [
    at(one, (name) => name === "gateway"),
    at(one, (name) => name.startsWith("actors-")),
    at(one, (name) => name === "NATS"),
    at(one, (name) => name === "PostgreSQL"),
  ];
  const rows = cells.flatMap((measured, i) => [
    [`${walletNames[i]}, ${hostNames[0]}`, ...row(measured[0])],
    [`${walletNames[i]}, ${hostNames.at(-1)}`, ...row(measured.at(-1))],
  ]);
  return {
    title: "Whose it is, ms a thousand transfers",
    rows: [["", "gateway", "actor hosts", "NATS", "PostgreSQL"], ...rows],
    notes: [],
  };
}

/** What the size of commits alone does, on one host. */
function bySize(cells: readonly Cell[][]): Table {
  const clients = [...FEWER_CLIENTS, CLIENTS_PER_HOST].map((count) => `${count} clients`);
  const rows = cells.map((row, at) => [
    walletNames[at] ?? "",
    ...row.map((one) => `${cost(one).toFixed(0)} at ${one.perCommit.toFixed(1)}`),
  ]);
  return {
    title: "One host with fewer clients: CPU, ms a thousand transfers, at so many transfers a commit",
    rows: [["", ...clients], ...rows],
    notes: [],
  };
}

function flatness(cells: readonly Measurement[][]): string[] {
  const says = (what: string, costs: readonly number[]) => {
    const spread = Math.max(...costs) / Math.min(...costs);
    return `${what}: the dearest is ${spread.toFixed(2)} times the cheapest, ${spread <= SPREAD_MAX ? "within" : "NOT within"} ${SPREAD_MAX}.`;
  };
  return [
    ...cells.map((row, at) => says(`Hosts, with ${walletNames[at]}`, row.map(cost))),
    ...HOSTS.map((_, at) =>
      says(
        `Wallets, with ${hostNames[at]}`,
        cells.map((row) => cost(row[at] as Measurement)),
      ),
    ),
  ];
}
