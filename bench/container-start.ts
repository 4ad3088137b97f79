import { readFileSync } from "node:fs";
import { join } from "node:path";
import { missingPrerequisite } from "../agents/containers/prerequisites.ts";
import { run } from "../agents/exec/command.ts";
import { SetupError } from "../scripts/setup-error.ts";
import { startOwnPostgres } from "../test/harness/servers.ts";
import type { Benchmark, Report, RunOptions, Table } from "./benchmark.ts";
import { type BenchHost, startBenchHost } from "./containers/host.ts";
import { crunAlone, describeImage, type OtherRuntime, podman } from "./containers/other-runtimes.ts";
import { importSampleImage, SAMPLE_IMAGE, writeSampleImage } from "./containers/sample-image.ts";
import { newDatabase, postgresVersion } from "./database.ts";
import { median, quantile } from "./statistics.ts";

const TOTAL = 200;
const OTHERS_EACH = 20;
const TARGET_MS = 600;

/** One after another from one image, until there are many; between them the same start by what else there is. */
export const containerStart: Benchmark = {
  summary: `From the request for a container to its running, for ${TOTAL} containers of one image`,
  async run(options: RunOptions): Promise<Report> {
    const problem = missingPrerequisite();
    if (problem !== null) throw new SetupError(`containers cannot be isolated here: ${problem}`);
    const server = await startOwnPostgres({ durable: true });
    const host = await startBenchHost(await newDatabase(server, "container_start"));
    try {
      await importSampleImage(await writeSampleImage(), host.data);
      const others = [await crunAlone(), await podman()].filter((one) => one !== null);
      // The first one of all makes what the next ones find, here as there.
      await host.start("first", { image: SAMPLE_IMAGE });
      for (const other of others) await other.start();
      const before = await usageOf(host);
      const rounds: Record<string, number[]>[] = [];
      for (let round = 0; round < options.rounds; round++) {
        rounds.push(await startsOf(host, others, round, Math.round(TOTAL / options.rounds)));
        options.say(`${host.containers.length} containers run`);
      }
      const after = await usageOf(host);
      return {
        method: [
          `Image: ${describeImage}. It is on the host before the first start, and no registry is asked.`,
          "Berth: from before `POST /api/v1/containers` until `GET` says `running`, asked every 5 ms. The program runs behind its firewall, with an address, a name, limits and a user namespace of its own, under a supervisor.",
          "Everything is real, and on one machine: a gateway, an actor host, PostgreSQL with fsync and synchronous_commit, NATS, the agent, and crun.",
          "crun alone: `crun run --detach` of the same files, without layers, network or record. podman: `podman run --detach` with limits of memory and processes, and without a network, where it is installed.",
          `Berth and the others take turns in each round. The target is a median of ${TARGET_MS} ms for Berth.`,
          "Memory is what the machine has less of after all starts, by /proc/meminfo, for each container: supervisor, program and kernel together. Disk is the growth of the folder of containers.",
        ],
        series: [],
        tables: [startTable(rounds), costTable(host.containers.length - 1, before, after)],
        versions: {
          PostgreSQL: await postgresVersion(server),
          ...Object.fromEntries(
            await Promise.all(others.map(async (other) => [other.name, await other.version()] as const)),
          ),
        },
      };
    } finally {
      await host.stop();
      await server.stop();
    }
  },
};

/** Milliseconds of each start, by whose it was. */
async function startsOf(
  host: BenchHost,
  others: readonly OtherRuntime[],
  round: number,
  count: number,
): Promise<Record<string, number[]>> {
  const own: number[] = [];
  for (let at = 0; at < count; at++)
    own.push((await host.start(`c-${round}-${at}`, { image: SAMPLE_IMAGE })).ms);
  const found: Record<string, number[]> = { Berth: own };
  for (const other of others) {
    const times: number[] = [];
    for (let at = 0; at < OTHERS_EACH; at++) times.push(await other.start());
    found[other.name] = times;
  }
  return found;
}

interface Usage {
  readonly memoryBytes: number;
  readonly diskBytes: number;
}

async function usageOf({ data }: BenchHost): Promise<Usage> {
  const [, total = "0"] = /^MemTotal:\s+(\d+)/m.exec(readFileSync("/proc/meminfo", "utf8")) ?? [];
  const [, available = "0"] = /^MemAvailable:\s+(\d+)/m.exec(readFileSync("/proc/meminfo", "utf8")) ?? [];
  const disk = await run([
    "du",
    "--summarize",
    "--one-file-system",
    "--block-size=1",
    join(data, "containers"),
  ]);
  return {
    memoryBytes: (Number(total) - Number(available)) * 1024,
    diskBytes: Number.parseInt(disk, 10),
  };
}

function startTable(rounds: readonly Record<string, number[]>[]): Table {
  const names = Object.keys(rounds[0] ?? {});
  const sorted = (name: string, round: Record<string, number[]>) =>
    (round[name] ?? []).toSorted((a, b) => a - b);
  const ms = (value: number) => `${Math.round(value)}`;
  const cell = (name: string, round: Record<string, number[]>) =>
    `${ms(quantile(sorted(name, round), 0.5))} / ${ms(quantile(sorted(name, round), 0.95))}`;
  const overall = (name: string, part: number) =>
    ms(median(rounds.map((round) => quantile(sorted(name, round), part))));
  return {
    title: "Start, p50 / p95 in ms",
    rows: [
      ["", ...names],
      ...rounds.map((round, at) => [`round ${at + 1}`, ...names.map((name) => cell(name, round))]),
      ["**median**", ...names.map((name) => `**${overall(name, 0.5)} / ${overall(name, 0.95)}**`)],
    ],
    notes: [],
  };
}

const costTable = (count: number, before: Usage, after: Usage): Table => ({
  title: `Each of ${count} containers takes`,
  rows: [
    ["", ""],
    ["memory", `${((after.memoryBytes - before.memoryBytes) / count / 2 ** 20).toFixed(1)} MiB`],
    [
      "disk, beside the shared layer",
      `${Math.round((after.diskBytes - before.diskBytes) / count / 1024)} KiB`,
    ],
  ],
  notes: [],
});
