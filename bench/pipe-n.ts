import type { Benchmark, RunOptions, Series } from "./benchmark.ts";
import { type Contender, peakMemoryMb, startField } from "./pipe/contenders.ts";
import { measureTransfer, sparseFile } from "./pipe/curls.ts";
import { inRounds } from "./pipe/rounds.ts";

const SETTINGS = [
  { n: 8, bytes: 400_000_000 },
  { n: 256, bytes: 20_000_000 },
];

/** One sender, many receivers, each a curl. */
export const pipeN: Benchmark = {
  summary: "A file through a pipe from one curl to 8 and to 256 others",
  async run(options) {
    const series: Series[] = [];
    let versions: Readonly<Record<string, string>> = {};
    for (const setting of SETTINGS) {
      // Fresh ones, so that the memory is that of this setting.
      const field = await startField();
      versions = field.versions;
      try {
        series.push(await measure(field.contenders, setting, options));
      } finally {
        for (const one of field.contenders) await one.stop();
      }
    }
    return { method: METHOD, series, versions };
  },
};

async function measure(
  contenders: readonly Contender[],
  { n, bytes }: (typeof SETTINGS)[number],
  options: RunOptions,
): Promise<Series> {
  const file = sparseFile(bytes);
  try {
    const title = `${bytes / 1e6} MB to each of ${n} receivers`;
    const before = contenders.map(({ pid }) => peakMemoryMb(pid));
    const runners = contenders.map((one) => ({
      name: one.name,
      measure: () => measureTransfer(one, file, n),
    }));
    const columns = await inRounds(title, runners, options);
    const notes = contenders.map(
      ({ name, pid }, at) =>
        `${name}: at most ${peakMemoryMb(pid)} MB of memory, ${before[at]} MB when it was idle`,
    );
    return { title, unit: "MB", columns, notes };
  } finally {
    file.remove();
  }
}

const METHOD = [
  "All receivers are there before the sender. The time is from the sender's start until the last receiver has ended; MB are those of all receivers together.",
  "Everything is on one machine, curls included.",
  "A B, A B: each contender once in each round, after a first run that does not count.",
];
