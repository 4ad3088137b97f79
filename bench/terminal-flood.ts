import { findProgram } from "../scripts/programs.ts";
import { SetupError } from "../scripts/setup-error.ts";
import type { Benchmark, Measurement } from "./benchmark.ts";
import { median } from "./statistics.ts";
import { contenders, finished } from "./terminal-contenders.ts";

const LINES = 10_000_000;
/** What `seq` writes, with the carriage returns that a terminal adds. */
const BYTES = Array.from({ length: 8 }, (_, digits) => {
  const [first, last] = [10 ** digits, Math.min(10 ** (digits + 1) - 1, LINES)];
  return Math.max(last - first + 1, 0) * (digits + 3);
}).reduce((sum, bytes) => sum + bytes, 0);

/** A program that writes as fast as it can: how long until a client sees the end of it. */
export const terminalFlood: Benchmark = {
  summary: "`seq 1 10000000` to one client, until it sees the end",
  async run({ rounds, say }) {
    const { all, versions } = await contenders();
    const columns = all.map(({ name }) => ({
      name,
      rounds: [] as Measurement[],
      peaks: [] as number[],
      parts: [] as number[],
    }));
    const readOnly: Measurement[] = [];
    for (let round = 0; round < rounds; round++) {
      const alone = await readAlone();
      if (alone !== undefined) readOnly.push(alone);
      for (const [at, contender] of all.entries()) {
        say(`round ${round + 1}: ${contender.name}`);
        const server = await contender.start();
        const client = await server.open();
        await finished(client, "seq 1 100000; echo wa''rm\n", "warm");
        const before = server.cpu();
        const startedAt = performance.now();
        const { chars } = await finished(client, `seq 1 ${LINES}; echo fin''ished\n`, "finished");
        const ms = performance.now() - startedAt;
        const after = server.cpu();
        const column = columns[at];
        column?.rounds.push(
          measured(ms, {
            server: after.server - before.server,
            seq: after.programs - before.programs,
          }),
        );
        column?.peaks.push(server.peakMiB());
        column?.parts.push(chars / BYTES);
        client.close();
        await server.stop();
      }
    }
    return {
      versions,
      method: [
        `One client on the loopback; ${(BYTES / 1e6).toFixed(1)} MB of output; a server of its own in each round, warmed up by 100,000 lines.`,
        "Time runs from the line that is typed to the text that follows the flood. Clients acknowledge as the pages do, and draw nothing.",
        "Berth keeps the screen meanwhile and sends a client, when it falls behind or past 8 MiB at once and 4 MiB a second after them, snapshots in place of what it misses; the others keep no screen and send everything.",
        "No client: `script` reads the same flood from a terminal and drops it. Nothing that shows a terminal can be faster than that.",
      ],
      series: [
        {
          title: "one client",
          unit: "kB",
          columns: [
            ...columns.map(({ name, rounds: seen, peaks, parts }) => ({
              name,
              rounds: seen,
              note: `peak memory ${median(peaks).toFixed(0)} MiB; ${(median(parts) * 100).toFixed(0)}% of the bytes reached the client`,
            })),
            ...(readOnly.length === 0 ? [] : [{ name: "no client", rounds: readOnly }]),
          ],
          notes: [],
        },
      ],
    };
  },
};

/** The flood on a terminal that is read by a plain program, and goes nowhere; undefined where the machine lacks `script` of util-linux. */
async function readAlone(): Promise<Measurement | undefined> {
  const program = process.platform === "linux" ? findProgram("script") : undefined;
  if (program === undefined) return undefined;
  const startedAt = performance.now();
  const child = Bun.spawn([program, "-q", "-e", "-c", `seq 1 ${LINES}`, "/dev/null"], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  if ((await child.exited) !== 0) throw new SetupError("script could not run seq");
  return measured(performance.now() - startedAt, {});
}

/** @param seconds of CPU that each part took */
function measured(ms: number, seconds: Readonly<Record<string, number>>): Measurement {
  const megabytes = BYTES / 1e6;
  const cpu = Object.entries(seconds).map(([part, taken]) => [part, (taken * 1000) / megabytes] as const);
  return {
    perSecond: BYTES / 1000 / (ms / 1000),
    p50Ms: ms,
    p95Ms: ms,
    p99Ms: ms,
    cpuMsPerThousand: Object.fromEntries(cpu),
  };
}
