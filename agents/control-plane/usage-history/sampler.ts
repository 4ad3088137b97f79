import type { Logger } from "pino";
import { METRICS_COARSE_STEP_SECONDS, METRICS_STEP_SECONDS } from "../../../schemas/hosting/metrics.ts";
import type { UsageCounters } from "../../containers/usage.ts";
import type { UsageHistory, UsageSample } from "./usage-history.ts";

/** Counters of before are not used after a longer pause, such as that of a machine that slept. */
const PAUSE_MS_MAX = 3 * METRICS_STEP_SECONDS * 1_000;
const STEP_MS = METRICS_STEP_SECONDS * 1_000;
const MICROS_PER_MS = 1_000;

const AT_START = { cpuMicros: 0, receivedBytes: 0, sentBytes: 0 };

interface Measured {
  readonly atMs: number;
  readonly counters: ReadonlyMap<string, UsageCounters>;
}

/** Measures this host and its containers at each full step of the clock. */
export class UsageSampler {
  #before: Measured | null = null;
  #timer: Timer | undefined;
  #isStopped = false;
  #maintainedAt = 0;

  /** @param measure counters by subject; containers that do not run are absent */
  constructor(
    private readonly history: UsageHistory,
    private readonly measure: () => Promise<ReadonlyMap<string, UsageCounters>>,
    private readonly log: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  /** Measures now, and from then on until `stop`. */
  async start(): Promise<void> {
    await this.sample().catch((error) => this.log.warn({ err: error }, "usage could not be recorded"));
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => this.start(), STEP_MS - (this.now() % STEP_MS));
    this.#timer.unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async sample(): Promise<void> {
    const measured = { atMs: this.now(), counters: await this.measure() };
    const before = this.#before;
    this.#before = measured;
    const at = Math.floor(measured.atMs / STEP_MS) * METRICS_STEP_SECONDS;
    if (before !== null && measured.atMs > before.atMs && measured.atMs - before.atMs <= PAUSE_MS_MAX)
      // A sample is for the step that it ends.
      this.history.record(at - METRICS_STEP_SECONDS, samplesOf(before, measured));
    if (at - this.#maintainedAt < METRICS_COARSE_STEP_SECONDS) return;
    this.history.maintain(at);
    this.#maintainedAt = at - (at % METRICS_COARSE_STEP_SECONDS);
  }
}

function samplesOf(before: Measured, now: Measured): Map<string, UsageSample> {
  const ms = now.atMs - before.atMs;
  return new Map(
    [...now.counters].map(([name, counters]) => {
      const former = before.counters.get(name) ?? AT_START;
      const growth = (of: "cpuMicros" | "receivedBytes" | "sentBytes") => grown(former[of], counters[of]);
      const perSecond = (bytes: number | null) => (bytes === null ? null : (bytes / ms) * 1_000);
      const cpuMicros = growth("cpuMicros");
      return [
        name,
        {
          cpuPercent: cpuMicros === null ? null : (cpuMicros / (ms * MICROS_PER_MS)) * 100,
          memoryBytes: counters.memoryBytes,
          diskBytes: counters.diskBytes,
          receivedBytesPerSecond: perSecond(growth("receivedBytes")),
          sentBytesPerSecond: perSecond(growth("sentBytes")),
        },
      ];
    }),
  );
}

/** Counters begin at 0 with each start of a container. Null where the kernel does not count. */
function grown(before: number | null, now: number | null): number | null {
  if (before === null || now === null) return null;
  return now < before ? now : now - before;
}
