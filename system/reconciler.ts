import type { Logger } from "pino";
import { Counter, Gauge, type Registry } from "./prometheus.ts";

/** Background work that periodically compares the desired state with the actual one and removes the difference. */
export interface Reconciler {
  /** Its name in the log and in metrics: lower case with hyphens. */
  readonly name: string;
  /** From the end of one round to the start of the next; where there is a `backstopMs`, of one that has work. */
  readonly intervalMs: number;
  /** Whether the first round also waits for the interval; by default it starts at once. */
  readonly startsLater?: boolean;
  /** The common look says whether there is work. A round without work follows after this time all the same. */
  readonly backstopMs?: number;
  /**
   * One round. After a failure the next round tries again.
   *
   * @param signal aborted by `stop`: a long round should check it between its steps
   */
  reconcile(signal: AbortSignal): void | Promise<void>;
}

/** One look for the work of many reconcilers: a process with nothing to do asks one question instead of many. */
export interface CommonLook {
  /** From the end of one look to the start of the next. */
  readonly intervalMs: number;
  /** The names of the reconcilers with work. While it fails, each of them looks by itself, at its interval. */
  find(): Promise<ReadonlySet<string>>;
}

/** A reconciler between two rounds. Times are of the monotonic clock. */
interface Waiting {
  readonly reconciler: Reconciler;
  /** The first look that may start a round. */
  readonly fromMs: number;
  readonly backstopAtMs: number;
}

export interface ReconcilerRunnerOptions {
  readonly log: Logger;
  readonly registry?: Registry | undefined;
  /** For reconcilers with a `backstopMs`; without a look they run at their interval as others do. */
  readonly look?: CommonLook;
}

/** A pause is up to this fraction shorter where the process is awake anyway. */
const EARLY = 0.1;
/** Pauses are up to this fraction longer, each by another one, so that processes that started together do not run in step. */
const JITTER = 0.1;

/** What runs after a pause. Times are of the monotonic clock. */
interface Planned {
  readonly fromMs: number;
  readonly latestMs: number;
  run(): void;
}

/** The key of the common look among what is planned. No reconciler has this name. */
const LOOK = "";

/**
 * Runs the reconcilers of a process, with metrics by which an operator notices one that keeps failing. One timer wakes the process for all
 * of them, and those that may run then do: a wake-up costs more than most rounds that find nothing.
 */
export class ReconcilerRunner {
  readonly #stopping = new AbortController();
  readonly #planned = new Map<string, Planned>();
  #timer: Timer | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;
  readonly #waiting = new Map<string, Waiting>();
  readonly #started: Gauge | undefined;
  readonly #lastSuccess: Gauge | undefined;
  readonly #failures: Counter | undefined;

  constructor(private readonly options: ReconcilerRunnerOptions) {
    const { registry } = options;
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
      help: "When the reconciler last completed a round, or was found to have no work",
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
    const { look } = this.options;
    if (look !== undefined && reconcilers.some(isLookedFor)) this.#scheduleLook(look);
  }

  /** Starts no further round. A round in progress ends by itself; its failure is not reported. */
  stop(): void {
    this.#stopping.abort();
    clearTimeout(this.#timer);
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
        this.options.log.warn(
          { err: error, reconciler: name },
          "a reconciler failed; its next round tries again",
        );
      }
    }
    this.#schedule(reconciler);
  }

  #schedule(reconciler: Reconciler): void {
    if (this.#stopping.signal.aborted) return;
    const { name, intervalMs, backstopMs } = reconciler;
    const { look } = this.options;
    if (look !== undefined && backstopMs !== undefined) {
      const now = performance.now();
      // The look after this one could come later than the interval.
      const fromMs = now + intervalMs - look.intervalMs;
      this.#waiting.set(name, { reconciler, fromMs, backstopAtMs: now + varied(backstopMs) });
      return;
    }
    this.#plan(name, intervalMs, () => void this.#run(reconciler));
  }

  #scheduleLook(look: CommonLook): void {
    if (this.#stopping.signal.aborted) return;
    this.#plan(LOOK, look.intervalMs, () => void this.#look(look).finally(() => this.#scheduleLook(look)));
  }

  #plan(name: string, ms: number, run: () => void): void {
    const now = performance.now();
    const latestMs = now + ms * (1 + JITTER * Math.random());
    this.#planned.set(name, { fromMs: now + ms * (1 - EARLY), latestMs, run });
    if (latestMs < this.#timerAtMs) this.#wakeAt(latestMs);
  }

  #wakeAt(atMs: number): void {
    clearTimeout(this.#timer);
    this.#timerAtMs = atMs;
    this.#timer = setTimeout(() => this.#wake(), Math.max(0, atMs - performance.now()));
  }

  /** Runs all that may run by now, and sleeps until the next one has to. */
  #wake(): void {
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    const now = performance.now();
    for (const [name, { fromMs, run }] of [...this.#planned]) {
      if (fromMs > now || this.#stopping.signal.aborted) continue;
      this.#planned.delete(name);
      run();
    }
    if (this.#planned.size === 0 || this.#stopping.signal.aborted) return;
    const nextMs = Math.min(...[...this.#planned.values()].map(({ latestMs }) => latestMs));
    if (nextMs < this.#timerAtMs) this.#wakeAt(nextMs);
  }

  async #look(look: CommonLook): Promise<void> {
    const found = await look.find().catch((error) => {
      if (!this.#stopping.signal.aborted)
        this.options.log.warn(
          { err: error },
          "the common look for work failed; each reconciler looks by itself",
        );
      return undefined;
    });
    if (this.#stopping.signal.aborted) return;
    const now = performance.now();
    for (const { reconciler, fromMs, backstopAtMs } of [...this.#waiting.values()]) {
      const { name } = reconciler;
      const hasWork = found === undefined || found.has(name);
      if (now >= backstopAtMs || (hasWork && now >= fromMs)) {
        this.#waiting.delete(name);
        void this.#run(reconciler);
      } else if (!hasWork) this.#lastSuccess?.setToCurrentTime({ reconciler: name });
    }
  }
}

const isLookedFor = ({ backstopMs }: Reconciler): boolean => backstopMs !== undefined;

const varied = (ms: number): number => ms * (1 - EARLY + (EARLY + JITTER) * Math.random());
