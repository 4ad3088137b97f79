import type { Exit, KeptProcess, SpawnRequest } from "../../exec/target.ts";
import type { KeeperLink } from "./link.ts";
import { type Attached, frame, place, placeIn, SAY, TELL } from "./protocol.ts";

/** A record is left out while the keeper does not take what it was sent. */
const STORE_WAITING_BYTES_MAX = 1 << 20;

/** A program that a keeper holds, for the agent. */
export class KeptPty implements KeptProcess {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  readonly #link: KeeperLink;
  readonly #terminal: SpawnRequest["terminal"];
  readonly #exit: (exit: Exit) => void;
  readonly #liveAt: number;
  readonly #shownAt: number;
  readonly #onShown: () => void;
  #at: number;
  #hasExited = false;

  /** @param onShown called when all has come that there was when it was attached to */
  constructor(
    link: KeeperLink,
    attached: Attached,
    terminal: SpawnRequest["terminal"],
    onShown: () => void = () => undefined,
  ) {
    const { promise, resolve } = Promise.withResolvers<Exit>();
    this.pid = attached.pid;
    this.exited = promise;
    this.#exit = resolve;
    this.#link = link;
    this.#terminal = terminal;
    this.#at = attached.from;
    this.#liveAt = attached.answered;
    this.#shownAt = attached.end;
    this.#onShown = onShown;
    link.onFrame = (type, payload) => this.#told(type, payload);
    link.onClose = () => this.#lost();
  }

  /** Takes its output from here on. */
  begin(): void {
    if (this.#at >= this.#liveAt) this.#terminal.live?.();
    this.#look();
    this.#link.outbox.send(frame(SAY.begin));
    // It may have gone while nobody listened.
    if (this.#link.isClosed) this.#lost();
  }

  write(bytes: Uint8Array): void {
    if (!this.#hasExited) this.#link.outbox.send(frame(SAY.input, place(this.#at), bytes));
  }

  resize(cols: number, rows: number): void {
    if (this.#hasExited) return;
    const size = Buffer.alloc(4);
    size.writeUInt16LE(cols, 0);
    size.writeUInt16LE(rows, 2);
    this.#link.outbox.send(frame(SAY.resize, place(this.#at), size));
  }

  store(record: Uint8Array): void {
    if (this.#link.outbox.bytes > STORE_WAITING_BYTES_MAX) return;
    this.#link.outbox.send(frame(SAY.store, place(this.#at), record));
  }

  guard(pids: readonly number[]): void {
    this.#link.outbox.send(frame(SAY.guard, Buffer.from(Uint32Array.from(pids).buffer)));
  }

  close(): void {
    this.#link.outbox.send(frame(this.#hasExited ? SAY.release : SAY.hangUp));
    if (this.#hasExited) this.leave();
  }

  kill(): void {
    if (!this.#hasExited) this.#link.outbox.send(frame(SAY.kill));
  }

  leave(): void {
    this.#link.onFrame = () => undefined;
    this.#link.onClose = () => undefined;
    this.#link.end();
  }

  #look(): void {
    if (this.#at >= this.#shownAt || this.#hasExited) this.#onShown();
  }

  #told(type: number, payload: Buffer): void {
    if (type === TELL.output) this.#output(payload);
    else if (type === TELL.gap) {
      this.#at = placeIn(payload);
      this.#terminal.gap?.();
      if (this.#at >= this.#liveAt) this.#terminal.live?.();
    } else if (type === TELL.resized) {
      this.#terminal.resized?.(payload.readUInt16LE(0), payload.readUInt16LE(2));
    } else if (type === TELL.taken) this.#terminal.taken?.(placeIn(payload));
    else if (type === TELL.exit) {
      this.#hasExited = true;
      this.#terminal.closed();
      this.#exit(JSON.parse(payload.toString()));
    }
    this.#look();
  }

  /** What was answered before must not be answered again: the screen hears where that ends. */
  #output(bytes: Buffer): void {
    const answered = this.#liveAt - this.#at;
    if (answered <= 0 || answered > bytes.length) {
      this.#at += bytes.length;
      this.#terminal.data(bytes);
      return;
    }
    this.#at += answered;
    this.#terminal.data(bytes.subarray(0, answered));
    this.#terminal.live?.();
    if (answered < bytes.length) this.#output(bytes.subarray(answered));
  }

  #lost(): void {
    this.#hasExited = true;
    this.#look();
    this.#terminal.closed();
    this.#exit({ code: null, signal: null, reason: "the process that held it was ended" });
  }
}
