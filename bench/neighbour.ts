import { connect, type Socket } from "node:net";
import { missingPrerequisite } from "../agents/containers/prerequisites.ts";
import { SetupError } from "../scripts/setup-error.ts";
import { startOwnPostgres } from "../test/harness/servers.ts";
import type { Benchmark, Report, RunOptions, Table } from "./benchmark.ts";
import { startBenchHost } from "./containers/host.ts";
import { importSampleImage, SAMPLE_IMAGE, writeSampleImage } from "./containers/sample-image.ts";
import { newDatabase, postgresVersion } from "./database.ts";
import { median, quantile } from "./statistics.ts";

const PORT = 7_000;
const ECHO = ["/.berth/busybox", "nc", "-ll", "-p", String(PORT), "-e", "/.berth/bin/cat"];
/** At its limits: more programs than it has processors, more memory than it may have, and writes that never end. */
const GREEDY = `
for n in 1 2 3 4; do while :; do :; done & done
while :; do head -c 200000000 /dev/zero | tail -c 200000000 >/dev/null; done &
while :; do dd if=/dev/zero of=/tmp/file bs=65536 count=512 conv=fsync; done`;
const LIMITS = { cpu_cores: 0.5, memory_bytes: 128 * 1024 ** 2, bandwidth_mbps: 100 };
const TARGET_PERCENT = 20;
const QUESTIONS_PER_TURN = 20;

/** The latency of one container, while another one of the host is idle and while it takes all that it may. */
export const neighbour: Benchmark = {
  summary: "A container's answers beside one that is at its limits",
  async run(options: RunOptions): Promise<Report> {
    const problem = missingPrerequisite();
    if (problem !== null) throw new SetupError(`containers cannot be isolated here: ${problem}`);
    const server = await startOwnPostgres({ durable: true });
    const host = await startBenchHost(await newDatabase(server, "neighbour"));
    try {
      await importSampleImage(await writeSampleImage(), host.data);
      const image = { image: SAMPLE_IMAGE };
      const quiet = await host.start("quiet", { ...image, command: ECHO });
      const command = ["/bin/sh", "-c", GREEDY];
      const greedy = await host.start("greedy", { ...image, command, resources: LIMITS });
      const rounds: (readonly [Figures, Figures])[] = [];
      for (let round = 0; round < options.rounds; round++) {
        await host.call("POST", `/${greedy.id}/stop`);
        await host.awaitState(greedy.id, "stopped");
        const alone = await latency(host.address(quiet.id), options.seconds);
        await host.call("POST", `/${greedy.id}/start`);
        await host.awaitState(greedy.id, "running");
        const beside = await latency(host.address(quiet.id), options.seconds);
        rounds.push([alone, beside]);
        options.say(`round ${round + 1}: ${micros(alone.p50Ms)} alone, ${micros(beside.p50Ms)} beside it`);
      }
      return {
        method: [
          "One container sends back what it gets, over TCP, through its link and its firewall; questions of one byte, one after another, from the host.",
          `The other is at all of its limits (${LIMITS.cpu_cores} cores, ${LIMITS.memory_bytes / 2 ** 20} MiB): four programs compute, one takes more memory than there is and is ended again and again, one writes and syncs.`,
          `Alone (the other is stopped) and beside it take turns, ${options.seconds} s each. The target is a median that grows by less than ${TARGET_PERCENT}%.`,
        ],
        series: [],
        tables: [tableOf(rounds)],
        versions: { PostgreSQL: await postgresVersion(server) },
      };
    } finally {
      await host.stop();
      await server.stop();
    }
  },
};

interface Figures {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Milliseconds from a question to its answer. */
async function latency(address: string, seconds: number): Promise<Figures> {
  const socket = await opened(address);
  const times: number[] = [];
  const endMs = performance.now() + seconds * 1_000;
  while (performance.now() < endMs) {
    for (let at = 0; at < QUESTIONS_PER_TURN; at++) times.push(await asked(socket));
    // A program that only asks would itself be a neighbour at its limits.
    await Bun.sleep(1);
  }
  socket.destroy();
  times.sort((a, b) => a - b);
  return { p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
}

const opened = (address: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: address, port: PORT, noDelay: true }, () => resolve(socket));
    socket.once("error", reject);
  });

const asked = (socket: Socket): Promise<number> =>
  new Promise((resolve) => {
    const fromMs = performance.now();
    socket.once("data", () => resolve(performance.now() - fromMs));
    socket.write("x");
  });

const micros = (ms: number): string => `${Math.round(ms * 1_000)} µs`;
const change = (before: number, after: number): string => {
  const percent = Math.round((after / before - 1) * 100);
  return `${percent > 0 ? "+" : ""}${percent}%`;
};

function tableOf(rounds: readonly (readonly [Figures, Figures])[]): Table {
  const middle = (at: 0 | 1, of: keyof Figures) => median(rounds.map((round) => round[at][of]));
  const row = (label: string, [alone, beside]: readonly [Figures, Figures]) => [
    label,
    micros(alone.p50Ms),
    micros(beside.p50Ms),
    change(alone.p50Ms, beside.p50Ms),
    micros(alone.p99Ms),
    micros(beside.p99Ms),
  ];
  const figures = (at: 0 | 1): Figures => ({ p50Ms: middle(at, "p50Ms"), p99Ms: middle(at, "p99Ms") });
  return {
    title: "From a question to its answer",
    rows: [
      ["", "alone, p50", "beside it, p50", "change of p50", "alone, p99", "beside it, p99"],
      ...rounds.map((round, at) => row(`round ${at + 1}`, round)),
      row("**median**", [figures(0), figures(1)]),
    ],
    notes: [],
  };
}
