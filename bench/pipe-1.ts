import type { Benchmark } from "./benchmark.ts";
import { peakMemoryMb, startField } from "./pipe/contenders.ts";
import { measureTransfer, sparseFile } from "./pipe/curls.ts";
import { inRounds } from "./pipe/rounds.ts";
import { measureSocat, socatVersion } from "./pipe/socat.ts";

const BYTES = 3_000_000_000;

/** One large file to one receiver: what it costs to be in between. */
export const pipe1: Benchmark = {
  summary: "3 GB through a pipe from one curl to another",
  async run(options) {
    const socat = socatVersion();
    const { contenders, versions } = await startField();
    const file = sparseFile(BYTES);
    try {
      const title = "3 GB, one sender, one receiver";
      const runners = [
        ...contenders.map((one) => ({ name: one.name, measure: () => measureTransfer(one, file, 1) })),
        { name: "socat", note: "a raw relay, which knows no HTTP", measure: () => measureSocat(file) },
      ];
      const columns = await inRounds(title, runners, options);
      const notes = contenders.map(({ name, pid }) => `${name}: at most ${peakMemoryMb(pid)} MB of memory`);
      return {
        method: METHOD,
        series: [{ title, unit: "MB", columns, notes }],
        versions: { ...versions, socat },
      };
    } finally {
      file.remove();
      for (const one of contenders) await one.stop();
    }
  },
};

const METHOD = [
  "The sender is `curl -T` of a sparse file, the receiver curl into /dev/null; the receiver is there first. The time is from the sender's start until the receiver has ended.",
  "Everything is on one machine, curls included: on two cores they take more of it than any server.",
  "socat passes on as many bytes as the file has; its time begins with the sender's start, as that of the others.",
  "A B C, A B C: each contender once in each round, after a first run that does not count.",
];
