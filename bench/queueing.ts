import { newId } from "../actors/platform/ids.ts";
import { startOwnPostgres } from "../test/harness/servers.ts";
import { Random } from "../test/simulation/random.ts";
import type { Benchmark, Report, RunOptions, Table } from "./benchmark.ts";
import { type Costs, fitCosts, PARTS, type Sample } from "./queueing/costs.ts";
import { plan, type Reads } from "./queueing/plan.ts";
import { type Service, simulateTransfers } from "./queueing/transfers.ts";
import { median } from "./statistics.ts";
import { type OwnContender, startBerth } from "./wallet/contenders.ts";
import { measureLoad, WARMUP_MS } from "./wallet/measure.ts";
import { findFaults, readDurability, readWalBytes } from "./wallet/queries.ts";
import { measure, PLAN } from "./wallet/series.ts";
import { issueTokens } from "./wallet/tokens.ts";

const WALLETS = 10_000;
/** The costs are taken from these loads … */
const FITTED = [1, 8, 128];
/** … and what they say of these is compared with what was measured. */
const CHECKED = [32, 64, 256];
const READERS = 64;
const SIMULATED_S = 30;
/** The machine that is measured. */
const CORES = navigator.hardwareConcurrency;
const READ_PATH = "/api/v1/wallet/balances/general";

/** Costs of a transfer as they are measured, a simulation of its queues, and what both say of larger installations. */
export const queueing: Benchmark = {
  summary: "What many users take: measured costs in a simulation of the queues, checked on this machine",
  async run(options: RunOptions): Promise<Report> {
    const server = await startOwnPostgres({ durable: true });
    const userIds = Array.from({ length: WALLETS }, newId);
    const berth = await startBerth(server, userIds);
    const tokens = await issueTokens(berth.signingKeyFile, userIds);
    const { fitted, checked } = await measureLoads(server, berth, tokens, options);
    const walBytes = median([...fitted, ...checked].map((sample) => sample.walBytes));
    const reads = await measureReads(server, berth, tokens, options);
    const faults = Object.entries(await findFaults(berth.db)).filter(([, count]) => count > 0);
    if (faults.length > 0) throw new Error(`the loads left faults: ${JSON.stringify(faults)}`);
    const { version } = await readDurability(berth.db);
    await berth.stop();
    await server.stop();

    const costs = fitCosts(fitted);
    const service = { costs, waitMs: waitOf(fitted, costs) };
    return {
      method: [
        `One gateway, one actor host, NATS and PostgreSQL with fsync on this machine; durable transfers under keys, from ${WALLETS.toLocaleString("en")} wallets, as in wallet-spread. ${options.rounds} rounds, in each of which every load has its turn of ${options.seconds} s after a warm-up of ${WARMUP_MS / 1_000} s; medians.`,
        `Costs are fitted to the loads of ${FITTED.join(", ")} clients. The loads of ${CHECKED.join(", ")} are what the simulation is compared with: it does not know them.`,
        "The simulation: each process does one job at a time and needs a core of its machine; an actor host has one lane, which handles messages as they come and commits those that it has handled, up to 1,024 at once, one commit after the other; answers go back when the commit is on disk. What the load generator takes of the measured machine is in it.",
        "Larger installations are simulated with arrivals at random times, each process on a core of its own, and PostgreSQL on a machine of 16 cores. That its cores do not hinder each other is an assumption, which two cores cannot check.",
        "Users do what `bench/year/rates.ts` says, with 10 reads for each change, and four times as much in the busiest hour as on average. These three are assumptions as well.",
      ],
      series: [],
      tables: [
        costTable(costs, service, walBytes, reads),
        checkTable(checked, service),
        ...plan(service, walBytes, reads),
      ],
      versions: { PostgreSQL: version },
    };
  },
};

/** One load after the other in each round: tables grow with each, and all meet the same ones. */
async function measureLoads(
  server: Parameters<typeof measureLoad>[0],
  berth: OwnContender,
  tokens: readonly string[],
  options: RunOptions,
): Promise<{ fitted: Sample[]; checked: Sample[] }> {
  const ready = { ...PLAN, tokens, clients: 64, hasClientKey: true, until: "each token once" } as const;
  await measure({ server }, berth, ready);
  const taken: Sample[] = [];
  for (let round = 0; round < options.rounds; round++)
    for (const clients of [...FITTED, ...CHECKED])
      taken.push(await sampleOf(server, berth, tokens, clients, options));
  const of = (loads: readonly number[]) =>
    loads.map((clients) => middleOf(taken.filter((sample) => sample.clients === clients)));
  return { fitted: of(FITTED), checked: of(CHECKED) };
}

async function sampleOf(
  server: Parameters<typeof measureLoad>[0],
  berth: OwnContender,
  tokens: readonly string[],
  clients: number,
  { seconds, say }: RunOptions,
): Promise<Sample> {
  const until = { warmupMs: WARMUP_MS, measureMs: seconds * 1_000 };
  const [before, walBefore] = [await berth.commits(), await readWalBytes(berth.db)];
  const one = await measure({ server }, berth, { ...PLAN, tokens, clients, hasClientKey: true, until });
  const [after, walAfter] = [await berth.commits(), await readWalBytes(berth.db)];
  const commits = after.count - before.count;
  const transfers = after.messages - before.messages;
  const batch = transfers / commits;
  say(`${clients} clients: ${one.perSecond.toFixed(0)} a second, ${batch.toFixed(1)} a commit`);
  return {
    clients,
    perSecond: one.perSecond,
    p50Ms: one.p50Ms,
    batch,
    commitMs: ((after.seconds - before.seconds) * 1_000) / commits,
    cpuMsPerThousand: one.cpuMsPerThousand,
    walBytes: (walAfter - walBefore) / transfers,
  };
}

/** Each figure by itself: the median of the rounds. */
function middleOf(samples: readonly Sample[]): Sample {
  const of = (figure: (sample: Sample) => number) => median(samples.map(figure));
  const cpuOf = (part: string) => of(({ cpuMsPerThousand }) => cpuMsPerThousand[part] ?? 0);
  return {
    clients: of(({ clients }) => clients),
    perSecond: of(({ perSecond }) => perSecond),
    p50Ms: of(({ p50Ms }) => p50Ms),
    batch: of(({ batch }) => batch),
    commitMs: of(({ commitMs }) => commitMs),
    cpuMsPerThousand: Object.fromEntries(PARTS.map((part) => [part, cpuOf(part)])),
    walBytes: of(({ walBytes }) => walBytes),
  };
}

async function measureReads(
  server: Parameters<typeof measureLoad>[0],
  berth: OwnContender,
  tokens: readonly string[],
  { rounds, seconds }: RunOptions,
): Promise<Reads> {
  const load = { path: READ_PATH, body: null, clients: READERS, hasClientKey: false, tokens };
  const until = { warmupMs: WARMUP_MS, measureMs: seconds * 1_000 };
  const taken: Readonly<Record<string, number>>[] = [];
  for (let round = 0; round < rounds; round++)
    taken.push((await measureLoad(server, berth, { ...load, until })).measurement.cpuMsPerThousand);
  const cpuMs = (part: string) => median(taken.map((one) => one[part] ?? 0)) / 1_000;
  return { gatewayMs: cpuMs("gateway"), postgresMs: cpuMs("PostgreSQL") };
}

/** What a commit waits for when nothing else is under way. */
function waitOf([alone]: readonly Sample[], costs: Costs): number {
  if (alone === undefined) return 0;
  const { perCommit, perTransfer } = costs.PostgreSQL;
  return Math.max(0, alone.commitMs - perCommit - perTransfer * alone.batch);
}

function costTable(costs: Costs, { waitMs }: Service, walBytes: number, reads: Reads): Table {
  const micros = (ms: number) => (ms * 1_000).toFixed(0);
  return {
    title: "What a transfer costs, microseconds of CPU",
    rows: [
      ["", "each commit", "each transfer in it"],
      ...PARTS.map((part) => [part, micros(costs[part].perCommit), micros(costs[part].perTransfer)]),
    ],
    notes: [
      `A commit waits ${micros(waitMs)} microseconds besides, for the disk and the network.`,
      `A transfer writes ${walBytes.toFixed(0)} bytes of WAL.`,
      `A read costs ${micros(reads.gatewayMs)} microseconds of a gateway and ${micros(reads.postgresMs)} of PostgreSQL.`,
    ],
  };
}

function checkTable(checked: readonly Sample[], service: Service): Table {
  const rows = checked.map((sample) => {
    const installation = { machines: { shared: CORES }, gateways: 1, hosts: 1, natsServers: 1 };
    const random = new Random(sample.clients);
    const said = simulateTransfers(installation, { clients: sample.clients }, service, {
      seconds: SIMULATED_S,
      random: () => random.next(),
    });
    return [
      `${sample.clients} clients`,
      sample.perSecond.toFixed(0),
      said.perSecond.toFixed(0),
      `${((said.perSecond / sample.perSecond - 1) * 100).toFixed(0)}%`,
      `${sample.p50Ms.toFixed(1)} / ${said.p50Ms.toFixed(1)}`,
      `${sample.batch.toFixed(1)} / ${said.batch.toFixed(1)}`,
    ];
  });
  return {
    title: `This machine, ${CORES} cores: measured and simulated`,
    rows: [
      ["", "measured, a second", "simulated", "difference", "p50 ms, both", "transfers a commit, both"],
      ...rows,
    ],
    notes: [],
  };
}
