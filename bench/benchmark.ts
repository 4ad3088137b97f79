/** What a benchmark is, and what it hands back. */

export interface RunOptions {
  readonly rounds: number;
  /** How long each contender is measured in a round. */
  readonly seconds: number;
  /** Takes one-line notices of what is being done. */
  readonly say: (line: string) => void;
}

export interface Benchmark {
  readonly summary: string;
  run(options: RunOptions): Promise<Report>;
}

/** One contender in one round. */
export interface Measurement {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Milliseconds of CPU that each process took for a thousand requests, by its name. */
  readonly cpuMsPerThousand: Readonly<Record<string, number>>;
}

export interface Column {
  readonly name: string;
  /** How it was set for this series. */
  readonly note?: string;
  readonly rounds: readonly Measurement[];
}

/** One setting, such as a number of clients: Berth first, then its peers. */
export interface Series {
  readonly title: string;
  /** What is counted a second; requests unless told. */
  readonly unit?: string;
  readonly columns: readonly Column[];
  readonly notes: readonly string[];
}

export interface Report {
  /** How it was measured, a sentence a line. */
  readonly method: readonly string[];
  readonly series: readonly Series[];
  /** Of what the benchmark itself brought along: name and version. */
  readonly versions: Readonly<Record<string, string>>;
}
