import type { Benchmark, Measurement, RunOptions } from "./benchmark.ts";
import { cpuSeconds } from "./cpu.ts";
import { type Contender, peakMemoryMb, startField } from "./pipe/contenders.ts";
import { inRounds } from "./pipe/rounds.ts";

const PAIRS = 1_000;
const BODY_BYTES = 1_024;
const PAIRS_PROGRAM = new URL("./pipe/pairs.ts", import.meta.url).pathname;

/** Many small transfers at once: what it costs to bring two together. */
export const pipeMany: Benchmark = {
  summary: "1,000 pairs of sender and receiver at once, 1 KiB each",
  async run(options) {
    const { contenders, versions } = await startField();
    try {
      const title = "1,000 pairs at once";
      const runners = contenders.map((one) => ({ name: one.name, measure: () => measure(one, options) }));
      const columns = await inRounds(title, runners, options);
      const notes = contenders.map(({ name, pid }) => `${name}: at most ${peakMemoryMb(pid)} MB of memory`);
      return { method: METHOD, series: [{ title, unit: "pairs", columns, notes }], versions };
    } finally {
      for (const one of contenders) await one.stop();
    }
  },
};

async function measure(one: Contender, { seconds }: RunOptions): Promise<Measurement> {
  const plan = {
    port: one.port,
    prefix: one.path("", 1).split("?")[0],
    pairs: PAIRS,
    bytes: BODY_BYTES,
    seconds,
  };
  const before = cpuSeconds(one.pid);
  const child = Bun.spawn([process.execPath, PAIRS_PROGRAM, JSON.stringify(plan)], { stdout: "pipe" });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${one.name}: the pairs failed`);
  const { count, allCount, elapsedMs, p50Ms, p95Ms, p99Ms } = JSON.parse(text) as Record<string, number>;
  const cpu = cpuSeconds(one.pid) - before;
  return {
    perSecond: ((count ?? 0) / (elapsedMs ?? Number.NaN)) * 1_000,
    p50Ms: p50Ms ?? Number.NaN,
    p95Ms: p95Ms ?? Number.NaN,
    p99Ms: p99Ms ?? Number.NaN,
    cpuMsPerThousand: { [one.name]: (cpu / (allCount ?? Number.NaN)) * 1e6 },
  };
}

const METHOD = [
  "1,000 senders and 1,000 receivers, each with a connection that is kept. A pair takes a fresh path, sender and receiver start together, and the pair is done when both answers are whole; then it begins again.",
  "Each receiver's bytes are counted, each sender's answer is read to its last chunk. The pairs are one process of their own, on the same two cores.",
  "The latency is that of a pair.",
  "A B, A B: each contender once in each round, after a first run that does not count.",
];
