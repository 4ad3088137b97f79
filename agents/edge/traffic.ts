/** What an edge has served since it started. */
export class Traffic {
  /** Requests by class of status: `2xx`. */
  readonly requests = new Map<string, number>();
  /** Targets that did not connect, did not answer in time, or answered no HTTP. */
  upstreamErrors = 0;

  count({ status }: { readonly status: number }): void {
    const group = `${Math.floor(status / 100)}xx`;
    this.requests.set(group, (this.requests.get(group) ?? 0) + 1);
    if (status === 502 || status === 504) this.upstreamErrors++;
  }
}
