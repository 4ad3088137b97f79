/**
 * A periodic look that runs only while there is something to look at, so that an idle process does not wake for it.
 *
 * @example const timer = new ActiveTimer(1_000, () => { closeIdle(); return connections.size > 0; });
 * // with each new connection:
 * timer.start();
 */
export class ActiveTimer {
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param look returns whether there is something left to look at; if not, the timer waits for `start` */
  constructor(
    private readonly intervalMs: number,
    private readonly look: () => boolean,
  ) {}

  /** Starts it, unless it runs already. */
  start(): void {
    this.#timer ??= setInterval(() => {
      if (!this.look()) this.stop();
    }, this.intervalMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
