import type { Logger } from "pino";
import { Counter, Gauge, type Registry } from "./prometheus.ts";

/** Background work that periodically compares the desired state with the actual one and removes the difference. */
export interface Reconciler {
  /** Its name in the log and in metrics: lower case with hyphens. */
  readonly name: string;
  /** From the end of one round to the start of the next. */
  readonly intervalMs: number;
  /** Whether the first round also waits for the interval; by default it starts at once. */
  readonly startsLater?: boolean;
  /**
   * One round. After a failure the next round tries again.
   *
   * @param signal aborted by `stop`: a long round should check it between its steps
   */
  reconcile(signal: AbortSignal): void | Promise<void>;
}

/** Pauses vary by up to this fraction, so that processes that started together do not run in step. */
const JITTER = 0.1;

/** Runs the reconcilers of a process, with metrics by which an operator notices one that keeps failing. */
export class ReconcilerRunner {
  readonly #stopping = new AbortController();
  readonly #timers = new Map<string, Timer>();
  readonly #log: Logger;
  readonly #started: Gauge | undefined;
  readonly #lastSuccess: Gauge | undefined;
  readonly #failures: Counter | undefined;

  constructor({ log, registry }: { readonly log: Logger; readonly registry?: Registry | undefined }) {
    this.#log = log;
    if (registry === undefined) return;
    const shared = { labelNames: ["reconciler"], registers: [registry] };
    this.#started = new Gauge({
      ...shared,
      name: "berth_reconciler_start_timestamp_seconds",
      help: "When the reconciler was started",
    });
    this.#lastSuccess = new Gauge({
      ...shared,
      name: "berth_reconciler_last_success_timestamp_seconds",
      help: "When the reconciler last completed a round",
    });
    this.#failures = new Counter({
      ...shared,
      name: "berth_reconciler_failures_total",
      help: "Rounds of the reconciler that failed",
    });
  }

  /** Repeats each of them until `stop`. No two rounds of one reconciler overlap. */
  start(...reconcilers: readonly Reconciler[]): void {
    for (const reconciler of reconcilers) {
      this.#started?.setToCurrentTime({ reconciler: reconciler.name });
      this.#failures?.inc({ reconciler: reconciler.name }, 0);
      if (reconciler.startsLater) this.#schedule(reconciler);
      else void this.#run(reconciler);
    }
  }

  /** Starts no further round. A round in progress ends by itself; its failure is not reported. */
  stop(): void {
    this.#stopping.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  async #run(reconciler: Reconciler): Promise<void> {
    const { name } = reconciler;
    const { signal } = this.#stopping;
    try {
      await reconciler.reconcile(signal);
      this.#lastSuccess?.setToCurrentTime({ reconciler: name });
    } catch (error) {
      if (!signal.aborted) {
        this.#failures?.inc({ reconciler: name });
        this.#log.warn({ err: error, reconciler: name }, "a reconciler failed; its next round tries again");
      }
    }
    this.#schedule(reconciler);
  }

  #schedule(reconciler: Reconciler): void {
    if (this.#stopping.signal.aborted) return;
    const ms = reconciler.intervalMs * (1 - JITTER + 2 * JITTER * Math.random());
    this.#timers.set(
      reconciler.name,
      setTimeout(() => void this.#run(reconciler), ms),
    );
  }
}
