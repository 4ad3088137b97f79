/** What the load generator is told, and what it tells. */

export interface LoadPlan {
  readonly port: number;
  readonly path: string;
  /** JSON, the same for every request, which is then a POST; null for a GET. */
  readonly body: string | null;
  /** One is drawn for each request. */
  readonly tokens: readonly string[];
  /** Connections, each with one request under way. */
  readonly clients: number;
  /** Whether each request carries an `Idempotency-Key` of its own. */
  readonly hasClientKey: boolean;
  /** A time, of which the first part is not measured; or each token once. */
  readonly until: { readonly warmupMs: number; readonly measureMs: number } | "each token once";
}

export interface LoadResult {
  /** All requests that were answered 200, those of the warm-up included. */
  readonly acknowledged: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** CPU that the generator itself took, over its whole run. */
  readonly cpuSeconds: number;
  /** The first answer that was no 200, or what else went wrong. */
  readonly failure: string | null;
}
