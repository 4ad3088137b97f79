/** How many of the latest commits the percentiles cover. */
const KEPT = 512;

/** Durations of recent commits, in milliseconds. */
export class CommitLatency {
  readonly #times: number[] = [];
  #count = 0;

  add(ms: number): void {
    this.#times[this.#count % KEPT] = ms;
    this.#count += 1;
  }

  /** Median and 95th percentile of the latest commits, and how many there were since the start. */
  summary(): { p50: number; p95: number; commits: number } {
    const sorted = [...this.#times].sort((a, b) => a - b);
    const at = (share: number) =>
      Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) * 10) / 10;
    return { p50: at(0.5), p95: at(0.95), commits: this.#count };
  }
}
