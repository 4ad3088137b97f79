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
    for (let round = 0; round < rounds; round++) {
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
        const megabytes = BYTES / 1e6;
        const column = columns[at];
        column?.rounds.push({
          perSecond: BYTES / 1000 / (ms / 1000),
          p50Ms: ms,
          p95Ms: ms,
          p99Ms: ms,
          cpuMsPerThousand: {
            server: ((after.server - before.server) * 1000) / megabytes,
            seq: ((after.programs - before.programs) * 1000) / megabytes,
          },
        });
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
      ],
      series: [
        {
          title: "one client",
          unit: "kB",
          columns: columns.map(({ name, rounds: measured, peaks, parts }) => ({
            name,
            rounds: measured,
            note: `peak memory ${median(peaks).toFixed(0)} MiB; ${(median(parts) * 100).toFixed(0)}% of the bytes reached the client`,
          })),
          notes: [],
        },
      ],
    };
  },
};
