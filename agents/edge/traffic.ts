const CLASSES = ["0xx", "1xx", "2xx", "3xx", "4xx", "5xx", "6xx", "7xx", "8xx", "9xx"];

/** What an edge has served since it started. */
export class Traffic {
  /** Requests by class of status: `2xx`. */
  readonly requests = new Map<string, number>();
  /** Targets that did not connect, did not answer in time, or answered no HTTP. */
  upstreamErrors = 0;

  count({ status }: { readonly status: number }): void {
    const group = CLASSES[Math.floor(status / 100)] ?? "0xx";
    this.requests.set(group, (this.requests.get(group) ?? 0) + 1);
    if (status === 502 || status === 504) this.upstreamErrors++;
  }
}
