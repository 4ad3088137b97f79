import type { Exit, HostedPtyProcess, SpawnRequest } from "../../exec/target.ts";
import type { PtyHostConnection } from "./connection.ts";
import { type Attached, decodeOffset, EventFrame, encodeOffset, frame, RequestFrame } from "./protocol.ts";

/** With this much unsent data no further record is sent. */
const STORE_WAITING_BYTES_MAX = 1 << 20;

/** The agent's side of a program in the PTY host. */
export class PtySession implements HostedPtyProcess {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  readonly #connection: PtyHostConnection;
  readonly #terminal: SpawnRequest["terminal"];
  readonly #exit: (exit: Exit) => void;
  readonly #liveAt: number;
  readonly #shownAt: number;
  readonly #onShown: () => void;
  #offset: number;
  #hasExited = false;

  /** @param onShown called when all output from before the attachment has arrived */
  constructor(
    connection: PtyHostConnection,
    attached: Attached,
    terminal: SpawnRequest["terminal"],
    onShown: () => void = () => undefined,
  ) {
    const { promise, resolve } = Promise.withResolvers<Exit>();
    this.pid = attached.pid;
    this.exited = promise;
    this.#exit = resolve;
    this.#connection = connection;
    this.#terminal = terminal;
    this.#offset = attached.from;
    this.#liveAt = attached.answeredUpTo;
    this.#shownAt = attached.end;
    this.#onShown = onShown;
    connection.onFrame = (type, payload) => this.#onEvent(type, payload);
    connection.onClose = () => this.#lost();
  }

  /** Begins to receive its output. */
  begin(): void {
    if (this.#offset >= this.#liveAt) this.#terminal.live?.();
    this.#checkShown();
    this.#connection.writeBuffer.send(frame(RequestFrame.begin));
    // The connection may have closed before its handlers were set.
    if (this.#connection.isClosed) this.#lost();
  }

  write(bytes: Uint8Array): void {
    if (!this.#hasExited)
      this.#connection.writeBuffer.send(frame(RequestFrame.input, encodeOffset(this.#offset), bytes));
  }

  resize(cols: number, rows: number): void {
    if (this.#hasExited) return;
    const size = Buffer.alloc(4);
    size.writeUInt16LE(cols, 0);
    size.writeUInt16LE(rows, 2);
    this.#connection.writeBuffer.send(frame(RequestFrame.resize, encodeOffset(this.#offset), size));
  }

  store(record: Uint8Array): void {
    if (this.#connection.writeBuffer.bytes > STORE_WAITING_BYTES_MAX) return;
    this.#connection.writeBuffer.send(frame(RequestFrame.store, encodeOffset(this.#offset), record));
  }

  guard(pids: readonly number[]): void {
    this.#connection.writeBuffer.send(frame(RequestFrame.guard, Buffer.from(Uint32Array.from(pids).buffer)));
  }

  close(): void {
    this.#connection.writeBuffer.send(frame(this.#hasExited ? RequestFrame.release : RequestFrame.hangUp));
    if (this.#hasExited) this.leave();
  }

  kill(): void {
    if (!this.#hasExited) this.#connection.writeBuffer.send(frame(RequestFrame.kill));
  }

  leave(): void {
    this.#connection.onFrame = () => undefined;
    this.#connection.onClose = () => undefined;
    this.#connection.end();
  }

  #checkShown(): void {
    if (this.#offset >= this.#shownAt || this.#hasExited) this.#onShown();
  }

  #onEvent(type: number, payload: Buffer): void {
    if (type === EventFrame.output) this.#output(payload);
    else if (type === EventFrame.gap) {
      this.#offset = decodeOffset(payload);
      this.#terminal.gap?.();
      if (this.#offset >= this.#liveAt) this.#terminal.live?.();
    } else if (type === EventFrame.resized) {
      this.#terminal.resized?.(payload.readUInt16LE(0), payload.readUInt16LE(2));
    } else if (type === EventFrame.taken) this.#terminal.taken?.(decodeOffset(payload));
    else if (type === EventFrame.exit) {
      this.#hasExited = true;
      this.#terminal.closed();
      this.#exit(JSON.parse(payload.toString()));
    }
    this.#checkShown();
  }

  /** Passes output on, and marks where the replay ends: queries in the replay have their replies already. */
  #output(bytes: Buffer): void {
    const answered = this.#liveAt - this.#offset;
    if (answered <= 0 || answered > bytes.length) {
      this.#offset += bytes.length;
      this.#terminal.data(bytes);
      return;
    }
    this.#offset += answered;
    this.#terminal.data(bytes.subarray(0, answered));
    this.#terminal.live?.();
    if (answered < bytes.length) this.#output(bytes.subarray(answered));
  }

  #lost(): void {
    this.#hasExited = true;
    this.#checkShown();
    this.#terminal.closed();
    this.#exit({ code: null, signal: null, reason: "the process that held it was ended" });
  }
}
