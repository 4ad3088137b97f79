import type { Clock } from "../../actors/runtime/ports.ts";
import type { Scheduler } from "./scheduler.ts";

/** Timers fire this much late on average. */
const TIMER_LATE_MS = 0.3;
const EPOCH_MS = Date.UTC(2026, 0, 1);

/**
 * A process of the cluster: everything of its own goes through `after`, so that nothing of a killed one ever runs, and what
 * comes to a stopped one waits until it goes on.
 */
export class Process {
  #state: "running" | "stopped" | "dead" = "running";
  #held: { label: string; run: () => void }[] = [];
  /** How far its clock on the wall is from the true time. */
  wallOffsetMs: number;
  /** How long it has stood still, in all. */
  #stoodStillMs = 0;
  #stoppedAtMs = 0;

  readonly clock: Clock = {
    now: () => new Date(Math.floor(this.wallMs(this.scheduler.nowMs))),
    monotonicMs: () => this.scheduler.nowMs + this.#monotonicBaseMs,
    after: (ms, callback) => this.after(ms + this.scheduler.random.around(TIMER_LATE_MS), "timer", callback),
    soon: (callback) => void this.after(0, "soon", callback),
  };
  readonly #monotonicBaseMs: number;

  constructor(
    readonly scheduler: Scheduler,
    readonly name: string,
  ) {
    this.#monotonicBaseMs = scheduler.random.integer(1_000_000);
    this.wallOffsetMs = scheduler.random.between(-500, 500);
  }

  get isAlive(): boolean {
    return this.#state !== "dead";
  }

  get isRunning(): boolean {
    return this.#state === "running";
  }

  /** What its clock on the wall shows at a time. */
  wallMs(ms: number): number {
    return EPOCH_MS + ms + this.wallOffsetMs;
  }

  /** How long it has stood still up to now. */
  get stoodStillMs(): number {
    return this.#stoodStillMs + (this.#state === "stopped" ? this.scheduler.nowMs - this.#stoppedAtMs : 0);
  }

  /** Runs something in this process after `delayMs`; the answer cancels it. */
  after(delayMs: number, label: string, run: () => void): () => void {
    let isCancelled = false;
    const guarded = () => {
      if (isCancelled || this.#state === "dead") return;
      if (this.#state === "stopped") this.#held.push({ label, run: guarded });
      else run();
    };
    const cancel = this.scheduler.after(delayMs, `${this.name} ${label}`, guarded);
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  kill(): void {
    this.#stoodStillMs = this.stoodStillMs;
    this.#state = "dead";
    this.#held = [];
  }

  /** As SIGSTOP does. */
  stop(): void {
    if (this.#state !== "running") return;
    this.#state = "stopped";
    this.#stoppedAtMs = this.scheduler.nowMs;
  }

  /** As SIGCONT does: all that came meanwhile is there at once. */
  goOn(): void {
    if (this.#state !== "stopped") return;
    this.#stoodStillMs = this.stoodStillMs;
    this.#state = "running";
    for (const { label, run } of this.#held.splice(0)) {
      this.scheduler.after(0, `${this.name} ${label}`, run);
    }
  }
}
