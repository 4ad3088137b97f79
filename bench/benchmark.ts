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
  /** Latencies, where single requests were timed; NaN where they were not. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Milliseconds of CPU that each process took for a thousand requests (or of its series' unit), by its name. */
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
  /** What is counted; requests when absent. */
  readonly unit?: string;
  readonly columns: readonly Column[];
  readonly notes: readonly string[];
}

/** Figures of Berth alone, as they are: the first row is the heading. */
export interface Table {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
  readonly notes: readonly string[];
}

export interface Report {
  /** Further files of the result, by their names: written beside the page. */
  readonly files?: Readonly<Record<string, string>>;
  /** How it was measured, a sentence a line. */
  readonly method: readonly string[];
  readonly series: readonly Series[];
  readonly tables?: readonly Table[];
  /** Of what the benchmark itself brought along: name and version. */
  readonly versions: Readonly<Record<string, string>>;
}
