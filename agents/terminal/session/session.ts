import type { Exit } from "../../exec/target.ts";
import { foregroundOn, rgbOf } from "../parameters/colours.ts";
import { Screen } from "../screen/screen.ts";
import { Checkpoints } from "./checkpoints.ts";
import { OutputScheduler } from "./output-scheduler.ts";
import type { ProcessEvents, SessionProcess, StartProcess } from "./process.ts";
import { CLOSE, type Size } from "./protocol.ts";
import { type SessionRecord, type ShownProcess, writeRecord } from "./record.ts";
import { Viewer, type ViewerSocket } from "./viewer.ts";

/**
 * The limit of input that a program has not read. A whole pasted book fits; a program that never reads must not use
 * more memory.
 */
export const INPUT_BYTES_MAX = 16 << 20;
/** The limit of terminal replies to a program that queries without reading them, so that typed input still fits. */
export const REPLY_BYTES_MAX = 64 * 1024;
const FIRST_SIZE: Size = { cols: 80, rows: 24 };
/** Ends a truncated escape sequence. */
const CANCEL = Uint8Array.of(0x18);
/** Programs that are told two sizes at once see only the last one. */
const REDRAW_MS = 100;

export interface SessionOptions {
  readonly id: number;
  readonly backgroundColor: string;
  /** What runs in it, such as `bash` or `ssh user@host`. */
  readonly description: string;
  /** The user of the target machine that it runs as; null for the service's own. */
  readonly user: string | null;
  /** What it belongs to and ends with, such as one run of a container. */
  readonly location?: string;
  readonly shown?: ShownProcess;
  readonly start: StartProcess;
  /** Called once, when the process has ended. */
  readonly onEnd: (session: Session) => void;
}

type Ended = Omit<Exit, "reason"> & { readonly reason: string | null };

export interface AdoptOptions {
  readonly record: SessionRecord;
  readonly snapshot: Uint8Array;
  readonly start: (size: Size, events: ProcessEvents) => Promise<SessionProcess>;
  readonly onEnd: (session: Session) => void;
}

const EMPTY = new Uint8Array();

/** One terminal: a process, its screen, and any number of viewers. */
export class Session {
  readonly id: number;
  readonly description: string;
  readonly user: string | null;
  readonly location: string;
  /** The running process that it moved to its terminal; null if it started one. */
  readonly shown: ShownProcess | null;
  readonly createdAt: Date;
  readonly #backgroundColor: string;
  readonly #screen: Screen;
  readonly #checkpoints = new Checkpoints(() => this.#checkpoint());
  readonly #output: OutputScheduler;
  readonly #viewers = new Set<Viewer>();
  readonly #onEnd: (session: Session) => void;
  #process: SessionProcess | null = null;
  #exit: Ended | null = null;
  #endedAt: number | null = null;
  #reason: string | null = null;
  #name: string | null = null;
  #isEnding = false;
  /** The output is a replay: terminal query replies are suppressed. */
  #isReplay = false;

  private constructor(options: Omit<SessionOptions, "start">, size: Size, createdAt: Date) {
    this.id = options.id;
    this.description = options.description;
    this.user = options.user;
    this.location = options.location ?? "";
    this.shown = options.shown ?? null;
    this.createdAt = createdAt;
    this.#backgroundColor = options.backgroundColor;
    this.#onEnd = options.onEnd;
    this.#screen = new Screen({
      ...size,
      reply: (text) => this.#reply(text),
      foreground: rgbOf(foregroundOn(options.backgroundColor)),
      background: rgbOf(options.backgroundColor),
    });
    this.#output = new OutputScheduler({
      cells: () => this.#screen.cols * this.#screen.rows,
      parse: (bytes, isText) => {
        this.#screen.feed(bytes);
        if (!isText) this.#screen.flush();
      },
      display: (bytes) => this.#forward(bytes),
      gap: () => this.#gap(),
    });
  }

  /** Starts the process. If that rejects, so does this, and there is no session. */
  static async start(options: SessionOptions): Promise<Session> {
    const session = new Session(options, FIRST_SIZE, new Date());
    session.#process = await options.start(FIRST_SIZE, session.#events(), () => session.#record(EMPTY));
    if (session.#isEnding) session.#process.end();
    return session;
  }

  /** Continues a session of an earlier process of this service, from its last saved screen. */
  static async adopt({ record, snapshot, start, onEnd }: AdoptOptions): Promise<Session> {
    const session = new Session({ ...record, onEnd }, record, new Date(record.createdAt));
    session.#name = record.name;
    session.#isReplay = true;
    session.#screen.feed(snapshot);
    session.#process = await start(record, session.#events());
    if (session.#isEnding) session.#process.end();
    return session;
  }

  #events(): ProcessEvents {
    const scheduler = this.#output;
    return {
      output: (bytes) => scheduler.output(bytes),
      exited: (exit) => {
        // The output of a session that is ending is not needed.
        if (this.#isEnding) scheduler.drop();
        scheduler.after(() => this.#exited(exit));
      },
      gap: () => scheduler.after(() => this.#gap()),
      resized: (cols, rows) => scheduler.after(() => this.#resize({ cols, rows })),
      live: () =>
        scheduler.after(() => {
          this.#screen.flush();
          this.#isReplay = false;
        }),
    };
  }

  get isRunning(): boolean {
    return this.#exit === null;
  }

  /** Whether it can be joined: it runs, and is not being ended. */
  get isOpen(): boolean {
    return this.#exit === null && !this.#isEnding;
  }

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  get name(): string | null {
    return this.#name;
  }

  get size(): Size {
    return { cols: this.#screen.cols, rows: this.#screen.rows };
  }

  get title(): string {
    return this.#screen.title;
  }

  get clients(): number {
    return this.#viewers.size;
  }

  /** When its process ended, by `performance.now()`; null while it runs. */
  get endedAt(): number | null {
    return this.#endedAt;
  }

  get exit(): Ended | null {
    return this.#exit;
  }

  /** The text on its screen. */
  text(): string {
    return this.#screen.text();
  }

  attach(socket: ViewerSocket, options: { readonly: boolean; size: Size }, resume: string): Viewer {
    const source = {
      snapshot: () => this.#screen.snapshot(),
      session: this,
      get size(): Size {
        return this.session.size;
      },
    };
    const viewer = new Viewer(socket, source, options);
    socket.sendMessage({
      type: "attached",
      id: this.id,
      name: this.#name,
      readonly: options.readonly,
      resume,
    });
    this.#viewers.add(viewer);
    this.#fitViewers();
    viewer.resync();
    this.#announce();
    if (this.#exit !== null) this.#close(viewer);
    return viewer;
  }

  detach(viewer: Viewer): void {
    viewer.stop();
    if (!this.#viewers.delete(viewer)) return;
    this.#fitViewers();
    this.#announce();
  }

  /** Input from a viewer. */
  input(viewer: Viewer, bytes: Uint8Array): void {
    if (viewer.isReadonly || this.#process === null || this.#exit !== null) return;
    if (this.#process.pending + bytes.length > INPUT_BYTES_MAX) {
      viewer.socket.sendMessage({ type: "notice", text: "The program does not read: input was not taken." });
      return;
    }
    this.#process.write(bytes);
  }

  resize(viewer: Viewer, size: Size): void {
    if (viewer.isReadonly) return;
    viewer.size = size;
    this.#fitViewers();
  }

  rename(name: string | null): void {
    this.#name = name;
    this.#checkpoints.now();
    for (const viewer of this.#viewers) viewer.socket.sendMessage({ type: "name", name });
  }

  /** @param reason shown to its viewers */
  end(reason: string): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#reason = reason;
    this.#process?.end();
  }

  /** Leaves it to the next process of this service; if it cannot outlive this one, it ends. */
  leave(reason: string): void {
    const kept = this.#process?.kept;
    this.#checkpoints.stop();
    if (kept === undefined) this.end(reason);
    else kept.leave();
  }

  /** The terminal's own replies to the program. */
  #reply(text: string): void {
    if (this.#isReplay || this.#process === null || this.#process.pending > REPLY_BYTES_MAX) return;
    this.#process.write(Buffer.from(text));
  }

  #forward(bytes: Uint8Array): void {
    for (const viewer of this.#viewers) viewer.output(bytes);
    if (this.#process?.kept !== undefined) this.#checkpoints.output(bytes.length);
  }

  #checkpoint(): boolean {
    const kept = this.#process?.kept;
    if (kept === undefined || this.#exit !== null) return true;
    // A saved screen must include all output received so far.
    if (this.#output.isBehind) return false;
    const snapshot = this.#screen.snapshot();
    if (snapshot !== null) kept.store(this.#record(snapshot));
    return snapshot !== null;
  }

  #record(snapshot: Uint8Array): Uint8Array {
    const { id, description, user, location, shown, size } = this;
    return writeRecord(
      {
        ...{ id, description, user, location, ...size, name: this.#name },
        ...(shown === null ? {} : { shown }),
        backgroundColor: this.#backgroundColor,
        createdAt: this.createdAt.toISOString(),
      },
      snapshot,
    );
  }

  /** After dropped output the screen is wrong. A change of size makes the program redraw it. */
  #gap(): void {
    this.#screen.feed(CANCEL);
    this.#forward(CANCEL);
    const { cols, rows } = this.size;
    this.#process?.resize(cols, rows - 1);
    setTimeout(() => {
      if (this.#exit !== null) return;
      this.#process?.resize(this.size.cols, this.size.rows);
      // The saved screen still has the previous size.
      this.#checkpoints.now();
    }, REDRAW_MS);
  }

  #exited(exit: Exit): void {
    if (this.#exit !== null) return;
    this.#checkpoints.stop();
    this.#exit = { ...exit, reason: this.#reason ?? exit.reason ?? null };
    this.#endedAt = performance.now();
    for (const viewer of [...this.#viewers]) this.#close(viewer);
    this.#onEnd(this);
  }

  #close(viewer: Viewer): void {
    viewer.finish();
    const { code = null, signal = null, reason = null } = this.#exit ?? {};
    viewer.socket.sendMessage({ type: "exit", code, signal, reason });
    viewer.socket.close(CLOSE.ended, "the session has ended");
  }

  /**
   * Takes the smallest of its viewers' sizes, so that everybody sees the whole screen. Without viewers the last size
   * stays.
   */
  #fitViewers(): void {
    const sizes = [...this.#viewers].flatMap(({ size }) => (size === null ? [] : [size]));
    if (sizes.length === 0) return;
    const cols = Math.min(...sizes.map((size) => size.cols));
    const rows = Math.min(...sizes.map((size) => size.rows));
    if (cols === this.size.cols && rows === this.size.rows) return;
    this.#resize({ cols, rows });
    if (this.#exit === null) this.#process?.resize(cols, rows);
  }

  #resize(size: Size): void {
    this.#screen.resize(size.cols, size.rows);
    for (const viewer of this.#viewers) viewer.resized(size);
  }

  #announce(): void {
    for (const { socket } of this.#viewers)
      socket.sendMessage({ type: "clients", count: this.#viewers.size });
  }
}
