import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { freePort } from "../scripts/ports.ts";
import { type BerthProcess, processTree, startBerth } from "../test/e2e/berth-process.ts";
import { claimNumber } from "../test/harness/claims.ts";
import { nats, startOwnPostgres, temporaryFolder } from "../test/harness/servers.ts";
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
/** The runtime compiles what runs often for some minutes more. */
const IDLE_AFTER_MS = 60_000;
const IDLE_MS = 30_000;
/** What Berth's four processes are at least. */
const WITHOUT_WORK = ["waits", "waits", "waits", "waits"] as const;
type LeastRole = "waits" | "asks" | "answers" | "reports";
const LEAST_PROGRAM = join(import.meta.dir, "footprint/least-work.ts");
const LEAST_WORK = ["waits", "asks", "answers", "reports"] as const;

interface Round {
  readonly emptyMs: number;
  readonly warmMs: number;
  /** Shares of one core, by program. */
  readonly idleCores: ReadonlyMap<string, number>;
  /** Bytes of private memory, by program. */
  readonly memory: ReadonlyMap<string, number>;
}

/** What `npm start` takes of a machine before anybody does anything. */
export const footprint: Benchmark = {
  summary: "`npm start`: how soon it is ready, and what it takes of the machine when idle",
  async run({ rounds, say }: RunOptions): Promise<Report> {
    const measured: Round[] = [];
    for (let round = 1; round <= rounds; round++) {
      const one = await measureRound();
      measured.push(one);
      say(
        `round ${round}: ${one.emptyMs.toFixed(0)} ms on an empty folder, ${one.warmMs.toFixed(0)} ms again; ` +
          `${megabytes(total(one.memory))} MB and ${percent(total(one.idleCores))} of a core`,
      );
    }
    const alone = await measureBelow(WITHOUT_WORK);
    const least = await measureBelow(LEAST_WORK);
    return {
      method: [
        `${rounds} rounds, each on a data folder of its own, with the demo's account, container and image: a first start, an end, and a second start.`,
        "From the start of the program that `npm start` runs until its line `ready`; packages and nats-server are there already. The time of npm itself is left out.",
        `Memory: ${SETTLE_MS / 1_000} s after the second start, with nobody connected. It is private memory (the kernel's \`Private_Clean\` and \`Private_Dirty\`), of PostgreSQL and nats-server as well.`,
        `Processor: from ${(SETTLE_MS + IDLE_AFTER_MS) / 1_000} s after the second start on, for ${IDLE_MS / 1_000} s.`,
        `"Without work" is a nats-server and a PostgreSQL that nobody uses, and ${WITHOUT_WORK.length} processes of the runtime, each with a server that waits and an empty function each second.`,
        '"The least work" is the same, where one process asks PostgreSQL once a second whether there is something to do and renews 64 leases every 1.7 s, and two others exchange 2.5 messages a second by NATS: as much as an idle Berth does for its leases, its look for work and the reports of its host ([least-work.ts](../footprint/least-work.ts)).',
      ],
      series: [],
      tables: [startTable(measured), memoryTable(measured), processorTable(measured, alone, least)],
      versions: {},
    };
  },
};

async function measureRound(): Promise<Round> {
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
    const memory = await byProgram(second.berth, privateBytes);
    await Bun.sleep(IDLE_AFTER_MS);
    const idleCores = await idleShares(() => byProgram(second.berth, ownSeconds));
    await second.berth.stop();
    return { emptyMs: first.ms, warmMs: second.ms, idleCores, memory };
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

/** What the same programs take of one core with nothing to do, or with next to nothing. */
async function measureBelow(roles: readonly LeastRole[]): Promise<Map<string, number>> {
  const [postgres, bus] = await Promise.all([startOwnPostgres({ durable: true }), nats()]);
  const programs = roles.map((role) =>
    Bun.spawn([process.execPath, LEAST_PROGRAM, role, role === "asks" ? postgres.url : bus.url], {
      stdio: ["ignore", "ignore", "inherit"],
    }),
  );
  try {
    await Bun.sleep(IDLE_AFTER_MS);
    const ended = roles.filter((_, at) => programs[at]?.exitCode !== null);
    if (ended.length > 0) throw new Error(`ended before it was measured: ${ended.join(", ")}`);
    return await idleShares(
      async () =>
        new Map([
          ["postgres", sum(await treeOf(postgres.pid))],
          ["nats-server", sum(await treeOf(bus.pid))],
          ["the runtime", sum(programs.map(({ pid }) => ownSeconds(pid)))],
        ]),
    );
  } finally {
    for (const one of programs) one.kill();
    await Promise.all([postgres.stop(), bus.stop(), ...programs.map(({ exited }) => exited)]);
  }
}

const treeOf = async (pid: number) => (await processTree(pid)).map((one) => ownSeconds(one.pid));

/** Shares of one core, of what has taken seconds of it. */
async function idleShares(read: () => Promise<Map<string, number>>): Promise<Map<string, number>> {
  const before = await read();
  await Bun.sleep(IDLE_MS);
  const after = await read();
  return new Map(
    [...after].map(([name, seconds]) => [name, ((seconds - (before.get(name) ?? 0)) * 1_000) / IDLE_MS]),
  );
}

async function byProgram(
  { pid }: BerthProcess,
  amountOf: (pid: number) => number,
): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  for (const { pid: one, command } of await processTree(pid)) {
    const name = nameOf(command);
    sums.set(name, (sums.get(name) ?? 0) + amountOf(one));
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

const sum = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0);
const total = (amounts: ReadonlyMap<string, number>) => sum([...amounts.values()]);
const megabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(0);
const percent = (part: number) => `${(part * 100).toFixed(2)}%`;

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

function memoryTable(rounds: readonly Round[]): Table {
  const all = median(rounds.map(({ memory }) => total(memory)));
  return {
    title: "Memory when idle, MB",
    rows: [
      ["", "median", "target met"],
      ...mediansOf(rounds.map(({ memory }) => memory)).map(([name, bytes]) => [name, megabytes(bytes), ""]),
      ["**in all**", megabytes(all), met(all <= IDLE_BYTES_MAX, megabytes(IDLE_BYTES_MAX))],
    ],
    notes: [],
  };
}

function processorTable(
  rounds: readonly Round[],
  alone: ReadonlyMap<string, number>,
  least: ReadonlyMap<string, number>,
): Table {
  const all = median(rounds.map(({ idleCores }) => total(idleCores)));
  return {
    title: "Processor when idle, of one core",
    rows: [
      ["", "median", "target met"],
      ...mediansOf(rounds.map(({ idleCores }) => idleCores))
        .filter(([, share]) => share > 0)
        .map(([name, share]) => [name, percent(share), ""]),
      ["**in all**", percent(all), met(all < IDLE_CORE_MAX, percent(IDLE_CORE_MAX))],
    ],
    notes: [`Without work: ${sharesText(alone)}.`, `With the least work: ${sharesText(least)}.`],
  };
}

/** The medians of each program, the largest first. */
function mediansOf(rounds: readonly ReadonlyMap<string, number>[]): [string, number][] {
  const names = [...new Set(rounds.flatMap((one) => [...one.keys()]))];
  return names
    .map((name): [string, number] => [name, median(rounds.map((one) => one.get(name) ?? 0))])
    .toSorted(([, a], [, b]) => b - a);
}

const sharesText = (shares: ReadonlyMap<string, number>) =>
  `${[...shares].map(([name, share]) => `${name} ${percent(share)}`).join(", ")}; ${percent(total(shares))} in all`;

const met = (isMet: boolean, target: string) => `${isMet ? "yes" : "no"}, ${target}`;
