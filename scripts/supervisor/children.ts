import { isAlive } from "../processes.ts";
import { BACKOFF, type Backoff, RestartSupervisor, type Service } from "../restart-supervisor.ts";
import { SetupError } from "../setup-error.ts";

/** No request arrives any more before anything else ends, and the servers end last. */
const STOP_ORDER = ["gateway", "agent", "actors", "nats", "postgres"];
const SERVERS = ["nats", "postgres"];
const stopRank = (name: string) => STOP_ORDER.indexOf(name.replace(/-\d+$/, ""));

/** The processes that are restarted when they die. */
export class Children {
  readonly #say: (line: string) => void;
  readonly #backoff: Backoff;
  readonly #supervised: RestartSupervisor[] = [];
  readonly #stopping = new AbortController();

  constructor(say: (line: string) => void, backoff: Backoff = BACKOFF) {
    this.#say = say;
    this.#backoff = backoff;
  }

  /** The running ones, by name. */
  get processes(): ReadonlyMap<string, number> {
    return new Map(
      this.#supervised.flatMap(({ name, pid }) => (pid === undefined ? [] : [[name, pid] as const])),
    );
  }

  /** Aborted once all are to stop. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** @throws SetupError once all are to stop */
  assertNotStopping(): void {
    if (this.stopping.aborted) throw new SetupError("stopped");
  }

  /** Starts a service, and settles when it is ready. @throws SetupError when it did not start, or once all are to stop */
  async supervise(service: Service): Promise<void> {
    this.assertNotStopping();
    const supervised = new RestartSupervisor(service, this.#say, this.#backoff);
    this.#supervised.push(supervised);
    await supervised.start();
  }

  /** Starts nothing any more, and stops what runs, in order. Each has a time limit. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const inOrder = this.#supervised.toSorted((a, b) => stopRank(a.name) - stopRank(b.name));
    for (const supervised of inOrder) await supervised.stop();
  }

  /** Passes SIGHUP on to Berth's own processes. One that is not ready yet reads its settings anyway. */
  reload(): void {
    for (const { name, pid } of this.#supervised)
      if (pid !== undefined && !SERVERS.includes(name) && isAlive(pid)) process.kill(pid, "SIGHUP");
  }

  kill(): void {
    this.#stopping.abort();
    for (const supervised of this.#supervised.toReversed()) supervised.kill();
  }
}
