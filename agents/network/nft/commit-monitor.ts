import { setTimeout } from "node:timers";
import { Backoff } from "../../../system/backoff.ts";
import { type Program, startProgram } from "../../exec/program.ts";

const COMMIT = /^# new generation \d+ /;
/** What the monitor says when the kernel had more changes than it could take. */
const LOST = /^# ERROR/;
/** A monitor that was started so long ago listens to the kernel. */
const LISTENING_AFTER_MS = 3_000;
const RESTART_FIRST_MS = 1_000;
const RESTART_MAX_MS = 60_000;
/** It ends with the agent, also with one that is killed. */
const COMMAND = ["setpriv", "--pdeathsig", "KILL", "nft", "monitor"];

/** Counts the changes of the kernel's rules, whoever makes them: while there is none, the rules need not be read again. */
export class CommitMonitor {
  readonly #backoff = new Backoff(RESTART_FIRST_MS, RESTART_MAX_MS);
  #program: Program | null = null;
  #restart: NodeJS.Timeout | undefined;
  #changes = 0;
  /** By the monotonic clock; undefined: no monitor runs. */
  #startedMs: number | undefined;

  constructor(
    private readonly command: readonly string[] = COMMAND,
    private readonly listeningAfterMs = LISTENING_AFTER_MS,
  ) {
    this.#start();
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
        if (!COMMIT.test(line) && !LOST.test(line)) continue;
        this.#backoff.reset();
        this.#changes++;
      }
    }
  }
}
