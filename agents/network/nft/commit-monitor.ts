import { setTimeout } from "node:timers";
import { Backoff } from "../../../system/backoff.ts";
import { type Program, startProgram } from "../../exec/program.ts";

const COMMIT = /^# new generation \d+ by process (\d+) /;
/** What the monitor says when the kernel had more changes than it could take. */
const LOST = /^# ERROR/;
/** A monitor that was started so long ago listens to the kernel. */
const LISTENING_AFTER_MS = 3_000;
const RESTART_FIRST_MS = 1_000;
const RESTART_MAX_MS = 60_000;
/** It ends with the agent, also with one that is killed. */
const COMMAND = ["setpriv", "--pdeathsig", "KILL", "nft", "monitor"];

/** What waits for the commit of one process. */
export interface AwaitedCommit {
  readonly committed: Promise<void>;
  /** The process has ended: its number may become another's. */
  end(): void;
}

/**
 * Says at once when the kernel has committed what a process of nft sent it. The process itself ends some 12 ms later, because the
 * kernel frees the rules that were replaced before it lets the process go. It also counts the commits of all processes.
 */
export class CommitMonitor {
  readonly #waiting = new Map<number, () => void>();
  readonly #backoff = new Backoff(RESTART_FIRST_MS, RESTART_MAX_MS);
  #program: Program | null = null;
  #restart: NodeJS.Timeout | undefined;
  #changes = 0;
  /** By the monotonic clock; undefined: no monitor runs. */
  #startedMs: number | undefined;
  /**
   * Whether the kernel's numbers of processes are this agent's: not so in a PID namespace, where the number of a foreign process could be
   * taken for one of ours. Until a commit was seen of a process that was ours, none is announced.
   */
  #knowsProcesses = false;

  constructor(
    private readonly command: readonly string[] = COMMAND,
    private readonly listeningAfterMs = LISTENING_AFTER_MS,
  ) {
    this.#start();
  }

  /** Of a process that was started just now. Never resolves where the monitor does not run: whoever waits for the process's end as well loses nothing. */
  awaitCommit(pid: number): AwaitedCommit {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(pid, resolve);
    return { committed: promise, end: () => void this.#waiting.delete(pid) };
  }

  /** Grows with each change of the kernel's rules, whoever makes it. Undefined while changes may be missed. */
  get changes(): number | undefined {
    const listensFromMs = (this.#startedMs ?? Number.POSITIVE_INFINITY) + this.listeningAfterMs;
    return performance.now() < listensFromMs ? undefined : this.#changes;
  }

  close(): void {
    clearTimeout(this.#restart);
    const program = this.#program;
    this.#program = null;
    program?.kill();
  }

  #start(): void {
    const program = startProgram(this.command, { stderr: "ignore" });
    this.#program = program;
    this.#startedMs = performance.now();
    void this.#read(program)
      .catch(() => undefined)
      .then(() => {
        this.#startedMs = undefined;
        // What changes until the next one listens is unknown.
        this.#changes++;
        if (this.#program !== program) return;
        this.#restart = setTimeout(() => this.#start(), this.#backoff.next()).unref();
      });
  }

  async #read(program: Program): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const piece of program.stdout) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const pid = COMMIT.exec(line)?.[1];
        if (pid !== undefined || LOST.test(line)) this.#changes++;
        if (pid !== undefined) this.#onCommit(Number(pid));
      }
    }
  }

  #onCommit(pid: number): void {
    this.#backoff.reset();
    const resolve = this.#waiting.get(pid);
    if (resolve === undefined) return;
    if (this.#knowsProcesses) resolve();
    this.#knowsProcesses = true;
  }
}
