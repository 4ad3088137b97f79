import { join } from "node:path";
import type { Mutations } from "./database.ts";
import type { Failure, Line, Work } from "./worker.ts";

/** Processes that play at a time: what a small machine has cores. One alone looks for a first failure: it is mostly found before a second has loaded. */
const WORKERS = 2;

export interface PlayOptions {
  readonly from?: number;
  readonly seeds: number;
  readonly mutations?: Mutations;
  /** Whether all stop at the first failure. */
  readonly stopAtFirst?: boolean;
  onFailure?(failure: Failure): void;
}

export interface Played {
  readonly played: number;
  /** By seed. */
  readonly failures: Failure[];
  /** By seed: what tells its trace from another. */
  readonly traces: ReadonlyMap<number, string>;
}

/** Plays seeds in processes of their own. */
export async function play(options: PlayOptions): Promise<Played> {
  const { from = 1, seeds, stopAtFirst = false } = options;
  const workers = Math.min(seeds, stopAtFirst ? 1 : WORKERS);
  const enough = new AbortController();
  const onFailure = (failure: Failure) => {
    options.onFailure?.(failure);
    if (stopAtFirst) enough.abort();
  };
  const results = await Promise.all(
    Array.from({ length: workers }, (_, worker) =>
      playOne(
        {
          from: from + worker,
          count: Math.ceil((seeds - worker) / workers),
          step: workers,
          mutations: options.mutations ?? {},
          stopAtFirst,
        },
        onFailure,
        enough.signal,
      ),
    ),
  );
  return {
    played: results.reduce((sum, { played }) => sum + played, 0),
    failures: results.flatMap(({ failures }) => failures).sort((a, b) => a.seed - b.seed),
    traces: new Map(
      results.flatMap(({ traces }, worker) =>
        traces.map((trace, at) => [from + worker + at * workers, trace] as const),
      ),
    ),
  };
}

async function playOne(work: Work, onFailure: (failure: Failure) => void, signal: AbortSignal) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "worker.ts"), JSON.stringify(work)], {
    // Collecting garbage beside the work costs a seventh more, and each worker has a core anyway. The last stage of compilation
    // takes longer than it saves in the minute that a worker runs: a fifth. Memory that is given back and taken again costs a quarter.
    env: { ...process.env, BUN_JSC_useConcurrentGC: "0", BUN_JSC_useFTLJIT: "0", MIMALLOC_PURGE_DELAY: "-1" },
    stdio: ["ignore", "pipe", "inherit"],
    signal,
  });
  const failures: Failure[] = [];
  let summary: { played: number; traces: readonly string[] } | undefined;
  let rest = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.map((line): Line => JSON.parse(line))) {
      if ("failure" in line) {
        failures.push(line.failure);
        onFailure(line.failure);
      } else summary = line;
    }
  }
  if (signal.aborted) return { played: 0, traces: [], ...summary, failures };
  if ((await child.exited) !== 0 || summary === undefined) throw new Error("a worker of the simulation died");
  return { ...summary, failures };
}
