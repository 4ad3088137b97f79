import { join } from "node:path";
import { buildCli } from "../scripts/build-cli.ts";
import { temporaryFolder } from "../test/harness/servers.ts";
import type { Benchmark, Report, RunOptions, Table } from "./benchmark.ts";
import { median, quantile } from "./statistics.ts";

const TARGET_MS = 50;
/** Of each program in a round; programs take turns, so that a busy moment of the machine is everybody's. */
const STARTS = 20;
const HELLO = 'console.log("hello")';

interface Program {
  readonly name: string;
  readonly argv: readonly string[];
}

interface Run {
  readonly ms: number;
  /** Of all processors: other work on the machine changes it little. */
  readonly cpuMs: number;
}

/** How long a person waits for `berth` before it does anything. */
export const cliStart: Benchmark = {
  summary: "From the start of the compiled command line to its end",
  async run({ rounds, say }: RunOptions): Promise<Report> {
    const folder = temporaryFolder();
    const programs = await programsIn(folder);
    const env = { PATH: process.env.PATH ?? "", BERTH_CONFIG_DIR: folder, BERTH_KEYRING: "off" };
    const runs = new Map(programs.map(({ name }) => [name, [] as Run[]]));
    for (let round = 0; round < rounds; round++) {
      for (let start = 0; start < STARTS; start++)
        for (const { name, argv } of programs) runs.get(name)?.push(await run(argv, env));
      say(`round ${round + 1} of ${rounds} is done`);
    }
    return {
      method: [
        `Each program is started ${STARTS} times a round, in turns, and timed from its start to its end. Files are in the page cache.`,
        "`--version` starts every part that a command needs before its own work; `context list` reads the configuration too. Neither asks a server.",
        `${rounds} rounds. Target: ${TARGET_MS} ms.`,
        "A compiled program of one line shows what Bun itself takes.",
      ],
      series: [],
      tables: [tableOf(runs)],
      versions: { Node: process.versions.node },
    };
  },
};

async function programsIn(folder: string): Promise<Program[]> {
  const target = `${process.platform}-${process.arch}` as const;
  const berth = await buildCli(target, join(folder, "berth"));
  const [source, hello] = [join(folder, "hello.ts"), join(folder, "hello")];
  await Bun.write(source, HELLO);
  await Bun.build({ entrypoints: [source], compile: { outfile: hello }, minify: true, bytecode: true });
  const peers = [
    { name: "node, one line", argv: ["node", "-e", HELLO] },
    { name: "python3, one line", argv: ["python3", "-c", "print(1)"] },
  ].filter(({ argv }) => Bun.which(argv[0] ?? "") !== null);
  return [
    { name: "berth --version", argv: [berth, "--version"] },
    { name: "berth context list", argv: [berth, "context", "list"] },
    { name: "Bun, one line, compiled", argv: [hello] },
    ...peers,
  ];
}

async function run(argv: readonly string[], env: Record<string, string>): Promise<Run> {
  const from = performance.now();
  const child = Bun.spawn([...argv], { env, stdin: "ignore", stdout: "ignore", stderr: "ignore" });
  if ((await child.exited) !== 0) throw new Error(`${argv.join(" ")} failed`);
  const ms = performance.now() - from;
  return { ms, cpuMs: Number(child.resourceUsage()?.cpuTime.total ?? 0n) / 1_000 };
}

function tableOf(runs: ReadonlyMap<string, readonly Run[]>): Table {
  const shown = (ms: number) => `${ms.toFixed(1)} ms`;
  const rows = [...runs].map(([name, measured]) => {
    const times = measured.map(({ ms }) => ms).sort((one, other) => one - other);
    const cpu = median(measured.map(({ cpuMs }) => cpuMs));
    return [name, shown(median(times)), shown(quantile(times, 0.95)), shown(cpu)];
  });
  return { title: "From start to end", rows: [["", "median", "p95", "CPU, median"], ...rows], notes: [] };
}
