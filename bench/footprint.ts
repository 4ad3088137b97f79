import { rmSync } from "node:fs";
import { basename } from "node:path";
import { freePort } from "../scripts/ports.ts";
import { type BerthProcess, processTree, startBerth } from "../test/e2e/berth-process.ts";
import { claimNumber } from "../test/harness/claims.ts";
import { temporaryFolder } from "../test/harness/servers.ts";
import type { Benchmark, Report, RunOptions, Table } from "./benchmark.ts";
import { ownSeconds } from "./cpu.ts";
import { privateBytes } from "./memory.ts";
import { median } from "./statistics.ts";

const WARM_MS_MAX = 1_500;
const EMPTY_MS_MAX = 3_500;
const IDLE_BYTES_MAX = 250e6;
const IDLE_CORE_MAX = 0.01;
const MEGABYTE = 1e6;
/** After a start the processes finish what they have put off. */
const SETTLE_MS = 10_000;

interface Round {
  readonly emptyMs: number;
  readonly warmMs: number;
  /** Share of one core. */
  readonly idleCore: number;
  /** Bytes of private memory, by program. */
  readonly memory: ReadonlyMap<string, number>;
}

/** What `npm start` takes of a machine before anybody does anything. */
export const footprint: Benchmark = {
  summary: "`npm start`: how soon it is ready, and what it takes of the machine when idle",
  async run({ rounds, seconds, say }: RunOptions): Promise<Report> {
    const measured: Round[] = [];
    for (let round = 1; round <= rounds; round++) {
      const one = await measureRound(seconds);
      measured.push(one);
      say(
        `round ${round}: ${one.emptyMs.toFixed(0)} ms on an empty folder, ${one.warmMs.toFixed(0)} ms again; ` +
          `${megabytes(total(one))} MB and ${percent(one.idleCore)} of a core`,
      );
    }
    return {
      method: [
        `${rounds} rounds, each on a data folder of its own, with the demo's account, container and image: a first start, an end, and a second start.`,
        "From the start of the program that `npm start` runs until its line `ready`; packages and nats-server are there already. The time of npm itself is left out.",
        `Idle: ${SETTLE_MS / 1_000} s after the second start, for ${seconds} s, with nobody connected. Memory is private memory (the kernel's \`Private_Clean\` and \`Private_Dirty\`), of PostgreSQL and nats-server as well.`,
      ],
      series: [],
      tables: [startTable(measured), idleTable(measured)],
      versions: {},
    };
  },
};

async function measureRound(seconds: number): Promise<Round> {
  const folder = temporaryFolder();
  const env = {
    BERTH_PORT: String(await freePort()),
    BERTH_EDGE_PORT: String(await freePort()),
    BERTH_EDGE_HTTP_PORT: String(await freePort()),
    BERTH_METRICS_PORT: String(await freePort()),
    BERTH_CONTAINER_SUBNET: `10.81.${claimNumber("network")}.0/24`,
    BERTH_DATA: folder,
  };
  try {
    const first = await timedStart(env);
    await first.berth.stop();
    const second = await timedStart(env);
    await Bun.sleep(SETTLE_MS);
    const before = await cpuOf(second.berth);
    await Bun.sleep(seconds * 1_000);
    const idleCore = ((await cpuOf(second.berth)) - before) / seconds;
    const memory = await privateMemory(second.berth);
    await second.berth.stop();
    return { emptyMs: first.ms, warmMs: second.ms, idleCore, memory };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timedStart(env: Readonly<Record<string, string>>) {
  const startedAt = performance.now();
  const berth = startBerth(env);
  await berth.ready();
  return { berth, ms: performance.now() - startedAt };
}

async function cpuOf({ pid }: BerthProcess): Promise<number> {
  return (await processTree(pid)).reduce((sum, one) => sum + ownSeconds(one.pid), 0);
}

async function privateMemory({ pid }: BerthProcess): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  for (const { pid: one, command } of await processTree(pid)) {
    const name = nameOf(command);
    sums.set(name, (sums.get(name) ?? 0) + privateBytes(one));
  }
  return sums;
}

/** What a process is to a reader: a part of Berth, or a program. */
function nameOf(command: string): string {
  const [program = "", ...args] = command.split(" ");
  const script = args.find((word) => /\.[jt]s$/.test(word));
  if (script !== undefined) return script.split("/").slice(-2).join("/");
  return basename(program).replace(/:$/, "");
}

const total = ({ memory }: Round) => [...memory.values()].reduce((sum, bytes) => sum + bytes, 0);
const megabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(0);
const percent = (part: number) => `${(part * 100).toFixed(1)}%`;

function startTable(rounds: readonly Round[]): Table {
  const row = (name: string, of: (one: Round) => number, max: number) => {
    const middle = median(rounds.map(of));
    return [
      name,
      ...rounds.map((one) => of(one).toFixed(0)),
      middle.toFixed(0),
      middle <= max ? `yes, ${max}` : `no, ${max}`,
    ];
  };
  return {
    title: "Time to `ready`, ms",
    rows: [
      ["", ...rounds.map((_, at) => `round ${at + 1}`), "median", "target met"],
      row("on an empty folder", (one) => one.emptyMs, EMPTY_MS_MAX),
      row("again, on its data", (one) => one.warmMs, WARM_MS_MAX),
    ],
    notes: [],
  };
}

function idleTable(rounds: readonly Round[]): Table {
  const names = [...new Set(rounds.flatMap(({ memory }) => [...memory.keys()]))];
  const middleOf = (name: string) => median(rounds.map(({ memory }) => memory.get(name) ?? 0));
  const all = median(rounds.map(total));
  const core = median(rounds.map(({ idleCore }) => idleCore));
  const met = (isMet: boolean, target: string) => `${isMet ? "yes" : "no"}, ${target}`;
  return {
    title: "Idle",
    rows: [
      ["", "median", "target met"],
      ...names
        .toSorted((a, b) => middleOf(b) - middleOf(a))
        .map((name) => [`MB of ${name}`, megabytes(middleOf(name)), ""]),
      ["**MB in all**", megabytes(all), met(all <= IDLE_BYTES_MAX, megabytes(IDLE_BYTES_MAX))],
      ["**of one core**", percent(core), met(core < IDLE_CORE_MAX, percent(IDLE_CORE_MAX))],
    ],
    notes: [],
  };
}
