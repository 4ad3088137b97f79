import { isAlive } from "./processes.ts";

/** A service that runs as a process and is restarted when it ends. */
export interface Running {
  readonly pid: number;
  /** Settles with the exit code, whatever the reason. */
  readonly exited: Promise<number>;
  stop(): Promise<void>;
}

export interface Service {
  readonly name: string;
  /** Settles when it is ready. Rejects when it ended or took too long; then none of its processes runs. */
  start(signal: AbortSignal): Promise<Running>;
}

export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
  /** After running this long it counts as healthy: the next wait is the first one again. */
  readonly resetAfterMs: number;
}

/** A single crash costs a tenth of a second; a crash loop restarts at most every five seconds. */
export const BACKOFF: Backoff = { firstMs: 100, maxMs: 5_000, resetAfterMs: 30_000 };

/** Keeps one service running until it is stopped. */
export class RestartSupervisor {
  readonly #service: Service;
  readonly #say: (line: string) => void;
  readonly #backoff: Backoff;
  readonly #stopping = new AbortController();
  #running: Running | undefined;
  #starting: Promise<Running> | undefined;
  #loop: Promise<void> | undefined;

  constructor(service: Service, say: (line: string) => void, backoff: Backoff = BACKOFF) {
    this.#service = service;
    this.#say = say;
    this.#backoff = backoff;
  }

  get name(): string {
    return this.#service.name;
  }

  /** The current process; undefined between two. */
  get pid(): number | undefined {
    return this.#running?.pid;
  }

  /** Kills it. */
  kill(): void {
    this.#stopping.abort();
    const pid = this.pid;
    if (pid !== undefined && isAlive(pid)) process.kill(pid, "SIGKILL");
  }

  /** Starts it and settles when it is ready. An error of this first start is thrown. */
  async start(): Promise<void> {
    this.#starting = this.#service.start(this.#stopping.signal);
    this.#running = await this.#starting;
    this.#say(`${this.name} is ready (process ${this.#running.pid})`);
    this.#loop = this.#restartLoop(this.#running);
  }

  /** Ends it, or the wait for its next start. Settles when none of its processes runs. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#starting?.catch(() => undefined);
    await this.#running?.stop();
    await this.#loop;
    // The loop does not see the end of what a stop met while it started.
    this.#running = undefined;
  }

  async #restartLoop(first: Running): Promise<void> {
    let running: Running | undefined = first;
    let waitMs = this.#backoff.firstMs;
    while (!this.#stopping.signal.aborted) {
      if (running) {
        const since = performance.now();
        const code = await running.exited;
        this.#running = undefined;
        if (this.#stopping.signal.aborted) return;
        if (performance.now() - since >= this.#backoff.resetAfterMs) waitMs = this.#backoff.firstMs;
        this.#say(`${this.name} ended with code ${code}; starting it again in ${waitMs} ms`);
      }
      await sleep(waitMs, this.#stopping.signal);
      waitMs = Math.min(waitMs * 2, this.#backoff.maxMs);
      running = await this.#restart(waitMs);
    }
    // A stop during the start is completed here.
    await running?.stop();
  }

  async #restart(nextWaitMs: number): Promise<Running | undefined> {
    if (this.#stopping.signal.aborted) return undefined;
    try {
      this.#running = await this.#service.start(this.#stopping.signal);
      this.#say(`${this.name} is ready again (process ${this.#running.pid})`);
    } catch (error) {
      if (this.#stopping.signal.aborted) return undefined;
      const [line] = (error instanceof Error ? error.message : String(error)).split("\n");
      this.#say(`${this.name} did not start; again in ${nextWaitMs} ms: ${line}`);
    }
    return this.#running;
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
