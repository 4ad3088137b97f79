import { newId } from "../actors/platform/ids.ts";
import { startOwnPostgres } from "../test/harness/servers.ts";
import type { Benchmark, Report, RunOptions, Table } from "./benchmark.ts";
import { children } from "./cpu.ts";
import { runLoad } from "./load/run.ts";
import { privateBytes } from "./memory.ts";
import { median } from "./statistics.ts";
import { startBerth } from "./wallet/contenders.ts";
import { PLAN } from "./wallet/series.ts";
import { issueTokens } from "./wallet/tokens.ts";

const USERS = 10_000;
const CLIENTS = 64;
/** Each has one request of every user: reads and transfers in turn. */
const STEPS = 30;
/** In these steps the first plateau is reached: the code is compiled, and what is kept in memory is there. */
const PLATEAU = { from: 3, to: 10 };
const SHOWN_STEPS = [1, 5, 10, 15, 20, 25, 30];
/** How much more than at its first plateau a process may take. */
const GROWTH_MAX = 1.5;
const MEGABYTE = 1e6;

/** Bytes of private memory after each step, by process. */
type Round = ReadonlyMap<string, readonly number[]>;

/** Whether the processes go on taking memory while they serve. */
export const soak: Benchmark = {
  summary: "memory of the control plane's processes over 300,000 requests",
  async run({ rounds, say }: RunOptions): Promise<Report> {
    const measured: Round[] = [];
    for (let round = 1; round <= rounds; round++) {
      const one = await measureRound();
      measured.push(one);
      say(
        `round ${round}: ${[...one].map(([name, bytes]) => `${name} ${growthOf(bytes).toFixed(2)}×`).join(", ")}`,
      );
    }
    return { method: METHOD, series: [], tables: [tableOf(measured)], versions: {} };
  },
};

const METHOD = [
  `${STEPS} times ${USERS.toLocaleString("en")} requests, one of each user: balances read and transfers, in turn. ${CLIENTS} clients, each with one request under way; an answer other than 200 ends the run.`,
  "Private memory (the kernel's `Private_Clean` and `Private_Dirty`) right after each step, with nothing forced to give memory back; of PostgreSQL that of all its processes.",
  `The first plateau is the most that a process takes after ${(PLATEAU.from * USERS).toLocaleString("en")} to ${(PLATEAU.to * USERS).toLocaleString("en")} requests; growth is the most that it takes afterwards, divided by that.`,
  "Each round has processes and a database of its own. The figures are medians.",
];

async function measureRound(): Promise<Round> {
  const server = await startOwnPostgres({ durable: true });
  const userIds = Array.from({ length: USERS }, newId);
  const berth = await startBerth(server, userIds);
  const processes = new Map<string, () => number>();
  for (const [name, pid] of Object.entries(berth.processes)) processes.set(name, () => privateBytes(pid));
  processes.set("PostgreSQL", () =>
    [server.pid, ...children(server.pid)].reduce((sum, pid) => sum + privateBytes(pid), 0),
  );
  const bytes = new Map([...processes.keys()].map((name) => [name, [] as number[]]));
  try {
    const tokens = await issueTokens(berth.signingKeyFile, userIds);
    const shared = { port: berth.port, tokens, clients: CLIENTS, hasClientKey: false } as const;
    for (let step = 0; step < STEPS; step++) {
      const what = step % 2 === 0 ? { path: "/api/v1/wallet/balances/general", body: null } : PLAN;
      await runLoad({ ...shared, ...what, until: "each token once" });
      for (const [name, read] of processes) bytes.get(name)?.push(read());
    }
    return bytes;
  } finally {
    await berth.stop();
    await server.stop();
  }
}

const growthOf = (bytes: readonly number[]): number =>
  Math.max(...bytes.slice(PLATEAU.to)) / Math.max(...bytes.slice(PLATEAU.from - 1, PLATEAU.to));

function tableOf(measured: readonly Round[]): Table {
  const names = [...(measured[0]?.keys() ?? [])];
  return {
    title: "MB of private memory after so many requests",
    rows: [
      [
        "",
        ...SHOWN_STEPS.map((step) => (step * USERS).toLocaleString("en")),
        "growth in each round",
        "target met",
      ],
      ...names.map((name) => {
        const rounds = measured.map((one) => one.get(name) ?? []);
        const growth = rounds.map(growthOf);
        return [
          name,
          ...SHOWN_STEPS.map((step) =>
            (median(rounds.map((bytes) => bytes[step - 1] ?? Number.NaN)) / MEGABYTE).toFixed(0),
          ),
          growth.map((one) => `${one.toFixed(2)}×`).join(", "),
          `${Math.max(...growth) <= GROWTH_MAX ? "yes" : "no"}, ${GROWTH_MAX}×`,
        ];
      }),
    ],
    notes: [],
  };
}
