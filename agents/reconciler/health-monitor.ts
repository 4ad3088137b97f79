import { type ContainerHealth, HEALTH_MESSAGE_LENGTH_MAX } from "../../schemas/hosting/health-check.ts";
import type { ProcessIdentity } from "../../system/process-identity.ts";
import type { ContainerCommand } from "../containers/command.ts";
import type { ProgramResult } from "../exec/program.ts";
import { afterCheck, type HealthPlan } from "./health-rules.ts";
import { toReportText } from "./report-text.ts";

/** A check that writes more is ended, and has failed. */
const OUTPUT_BYTES_MAX = 1024 * 1024;
const NO_INPUT = new Uint8Array();

/** What a monitor needs of its container. */
export interface CheckedContainer {
  runCommand(command: ContainerCommand): Promise<ProgramResult>;
  /** Its health is another one than before. */
  changed(): void;
}

interface Watched {
  readonly init: ProcessIdentity;
  readonly plan: HealthPlan;
  readonly sinceMs: number;
}

/** Runs the health check of one container, again and again while it runs. */
export class HealthMonitor {
  #watched: Watched | null = null;
  #health: ContainerHealth | null = null;
  #failures = 0;
  #timer: Timer | undefined;

  constructor(private readonly container: CheckedContainer) {}

  /** Null: no check. */
  get health(): ContainerHealth | null {
    return this.#health;
  }

  /** Why this run has to be ended, since it was asked for; null: it need not. */
  get restartReason(): string | null {
    if (!this.#watched?.plan.restart || this.#health?.state !== "unhealthy") return null;
    return `its health check failed: ${this.#health.message}`;
  }

  /**
   * Checks a run from now on, until `stop`. Watching the same run by the same check again changes nothing.
   *
   * @param known what an earlier agent found of this run
   */
  watch(init: ProcessIdentity, plan: HealthPlan | null, known: ContainerHealth | null): void {
    const { init: before, plan: former } = this.#watched ?? {};
    const isSameRun = before?.pid === init.pid && before.started === init.started;
    if (isSameRun && JSON.stringify(former) === JSON.stringify(plan)) return;
    this.stop();
    if (plan === null) return;
    this.#watched = { init, plan, sinceMs: performance.now() };
    const adopted = before === undefined ? known : null;
    this.#health = adopted ?? healthNow("starting", null);
    // The containers of an earlier agent are not checked all at once.
    this.#checkLater(this.#watched, adopted === null ? 1 : Math.random());
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#watched = null;
    this.#health = null;
    this.#failures = 0;
  }

  #checkLater(watched: Watched, part = 1): void {
    const { plan } = watched;
    const ms = this.#isStarting(watched) ? plan.startIntervalMs : plan.intervalMs;
    this.#timer = setTimeout(() => void this.#check(watched), ms * part);
    this.#timer.unref();
  }

  #isStarting({ plan, sinceMs }: Watched): boolean {
    return this.#health?.state === "starting" && performance.now() - sinceMs < plan.startPeriodMs;
  }

  async #check(watched: Watched): Promise<void> {
    if (this.#watched !== watched || this.#health === null) return;
    const failure = await this.#failureOf(watched.plan);
    // It has ended meanwhile, or has another check by now.
    if (this.#watched !== watched) return;
    const before = { state: this.#health.state, failures: this.#failures };
    const isStarting = this.#isStarting(watched);
    const { state, failures } = afterCheck(before, failure === null, isStarting, watched.plan.retries);
    this.#failures = failures;
    if (state !== before.state) {
      this.#health = healthNow(state, state === "unhealthy" ? failure : null);
      this.container.changed();
    }
    this.#checkLater(watched);
  }

  /** Null: it is healthy. */
  async #failureOf({ argv, timeoutMs }: HealthPlan): Promise<string | null> {
    try {
      const { code, boundMet, stdout, stderr } = await this.container.runCommand({
        ...{ argv, env: {}, user: null, folder: null, input: NO_INPUT, isOwn: true },
        ...{ msMax: timeoutMs, outputBytesMax: OUTPUT_BYTES_MAX },
      });
      if (boundMet === "deadline") return `it took longer than ${timeoutMs / 1_000} s`;
      if (boundMet !== null) return "it wrote more than 1 MiB";
      if (code === 0) return null;
      const said = Buffer.concat([stdout, stderr]).toString().trim();
      return said === "" ? `status ${code}` : `status ${code}: ${said}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

const healthNow = (state: ContainerHealth["state"], reason: string | null): ContainerHealth => ({
  state,
  message: reason === null ? null : shortened(toReportText(reason)),
  since: new Date().toISOString(),
});

/** The end of what a program says has the reason. */
const shortened = (text: string): string =>
  text.length <= HEALTH_MESSAGE_LENGTH_MAX
    ? text
    : `${text.slice(0, 20)} … ${text.slice(23 - HEALTH_MESSAGE_LENGTH_MAX)}`.toWellFormed();
