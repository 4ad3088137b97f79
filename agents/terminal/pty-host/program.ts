import { startOnPty } from "../../exec/pty.ts";
import { tailRead } from "../../exec/pty-tail.ts";
import type { Exit, PtyProcess } from "../../exec/target.ts";
import { Backlog } from "./backlog.ts";
import type { Attached } from "./protocol.ts";

/** Many times a viewer's scrollback: older output would never be seen again. */
export const TAIL_BYTES_MAX = 4 << 20;
/**
 * Size changes that are kept: dragging a window's edge makes one each frame. A running agent stores a record long
 * before.
 */
const SIZES_MAX = 1_000;
/** The time for a program to end after the hang-up. */
export const END_MS_MAX = 5_000;
/** The precision with which an agent knows how much input a program has read. */
const ACKNOWLEDGE_BYTES = 64 * 1024;
/** Unsent output of a running agent above which the program is slowed down. */
const SLOW_BYTES = TAIL_BYTES_MAX / 2;
/** The delay at each read of the output. All other programs wait as well. */
const SLOW_MS = 10;

/** A reader that is attached to a program. */
export interface Reader {
  /** The output up to this offset was sent or dropped. */
  readonly offset: number;
  /** Whether it has accepted something lately. */
  readonly isAlive: boolean;
  /** Sends what can be sent. */
  pump(): void;
  acknowledge(bytes: number): void;
  close(): void;
}

export interface ProgramOptions {
  readonly key: number;
  readonly owner: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
  /** The limit of its stored output. */
  readonly tailBytesMax: () => number;
  readonly onExit: (program: Program) => void;
}

/** A program on a PTY, with the last part of its output. It runs whether or not a reader is attached. */
export class Program {
  readonly key: number;
  readonly owner: string;
  readonly pid: number;
  readonly backlog = new Backlog();
  /** Size changes of its screen, with their offsets in the output. */
  sizes: { readonly at: number; readonly cols: number; readonly rows: number }[] = [];
  record: { readonly at: number; readonly bytes: Uint8Array } = { at: 0, bytes: new Uint8Array() };
  reader: Reader | null = null;
  /** Whether its exit status is not needed. */
  isUnwanted = false;
  /** Whether it was told to end. */
  isEnding = false;
  exit: Exit | null = null;
  readonly #pty: PtyProcess;
  readonly #options: ProgramOptions;
  #lastOutput = 0;
  #isClosed = false;
  #answered = 0;
  #given = 0;
  #taken = 0;
  #told = 0;

  /** @throws Error when the program cannot be started */
  constructor(options: ProgramOptions) {
    this.key = options.key;
    this.owner = options.owner;
    this.#options = options;
    this.#pty = startOnPty(options.argv, options, {
      cols: options.cols,
      rows: options.rows,
      data: (bytes) => this.#output(bytes),
      closed: () => {
        this.#isClosed = true;
      },
      drained: () => this.#drained(),
    });
    this.pid = this.#pty.pid;
    void this.#ended();
  }

  get attached(): Attached {
    return {
      ...{ key: this.key, owner: this.owner, pid: this.pid, from: this.record.at, end: this.backlog.end },
      ...{ answeredUpTo: this.#answered, given: this.#given, taken: this.#taken },
      ended: this.exit !== null,
    };
  }

  input(at: number, bytes: Uint8Array): void {
    this.#answered = Math.max(this.#answered, at);
    if (bytes.length === 0 || this.exit !== null) return;
    this.#given += bytes.length;
    this.#pty.write(bytes);
  }

  /** @throws RangeError for a size that no terminal has */
  resize(at: number, cols: number, rows: number): void {
    this.sizes.push({ at, cols, rows });
    if (this.sizes.length > SIZES_MAX) this.sizes.shift();
    this.#pty.resize(cols, rows);
  }

  store(at: number, bytes: Uint8Array): void {
    if (at < this.record.at) return;
    this.record = { at, bytes };
    this.sizes = this.sizes.filter((size) => size.at > at);
    this.backlog.drop(at);
  }

  hangUp(): void {
    this.isEnding = true;
    this.#pty.close();
    const timer = setTimeout(() => this.#pty.kill(), END_MS_MAX);
    void this.#pty.exited.then(() => clearTimeout(timer));
  }

  kill(): void {
    this.#pty.kill();
  }

  #output(bytes: Uint8Array): void {
    this.#lastOutput = performance.now();
    this.backlog.push(bytes, this.#options.tailBytesMax());
    this.reader?.pump();
    const { reader } = this;
    if (reader === null) return;
    // While this callback runs, the kernel blocks the program. A stopped agent must not slow anything down.
    for (let ms = 0; ms < SLOW_MS && this.backlog.end - reader.offset > SLOW_BYTES && reader.isAlive; ms++) {
      Bun.sleepSync(1);
      reader.pump();
    }
  }

  #drained(): void {
    this.#taken = this.#given;
    if (this.#taken - this.#told < ACKNOWLEDGE_BYTES) return;
    this.#told = this.#taken;
    this.reader?.acknowledge(this.#taken);
  }

  async #ended(): Promise<void> {
    const exit = await this.#pty.exited;
    const program = this;
    await tailRead({
      get lastOutput() {
        return program.#lastOutput;
      },
      get isClosed() {
        return program.#isClosed;
      },
    });
    this.#pty.close();
    this.exit = exit;
    this.#options.onExit(this);
    this.reader?.pump();
  }
}
