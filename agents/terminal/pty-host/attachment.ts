import type { Program, Reader } from "./program.ts";
import { EventFrame, encodeOffset, frame, frameHead, jsonFrame } from "./protocol.ts";
import type { WriteBuffer } from "./write-buffer.ts";

/** The output in one frame: large enough to be cheap, small enough that other frames do not wait long. */
const OUTPUT_BYTES_MAX = 256 * 1024;
/** Smaller output is copied behind the frame's header, so that both go in one write. */
const COPIED_BYTES_MAX = 16 * 1024;
/** An agent that has accepted nothing for this long is gone or stopped. */
const ALIVE_MS = 1_000;

interface Socket {
  write(bytes: Uint8Array): number;
  end(): void;
}

/** A connection to one program: sends its output from an offset on, in order. */
export class Attachment implements Reader {
  readonly #program: Program;
  readonly #writeBuffer: WriteBuffer;
  readonly #socket: Socket;
  /** Size changes in the output before this connection. */
  #sizes: { readonly at: number; readonly cols: number; readonly rows: number }[];
  #at: number;
  #isBegun = false;
  #isClosed = false;
  #acknowledgedAt = performance.now();

  constructor(program: Program, socket: Socket, writeBuffer: WriteBuffer) {
    this.#program = program;
    this.#socket = socket;
    this.#writeBuffer = writeBuffer;
    this.#at = program.record.at;
    this.#sizes = [...program.sizes];
  }

  get offset(): number {
    return this.#at;
  }

  get isAlive(): boolean {
    return this.#isBegun && performance.now() - this.#acknowledgedAt < ALIVE_MS;
  }

  begin(): void {
    this.#isBegun = true;
    this.#acknowledgedAt = performance.now();
    this.pump();
  }

  pump(): void {
    if (!this.#isBegun || this.#isClosed) return;
    const before = this.#writeBuffer.bytes;
    this.#writeBuffer.flush();
    if (this.#writeBuffer.bytes < before) this.#acknowledgedAt = performance.now();
    const { backlog, exit } = this.#program;
    while (this.#writeBuffer.bytes === 0) {
      if (this.#at < backlog.start) {
        this.#at = backlog.start;
        this.#writeBuffer.send(frame(EventFrame.gap, encodeOffset(this.#at)));
        continue;
      }
      const [size] = this.#sizes;
      if (size !== undefined && size.at <= this.#at) {
        this.#sizes.shift();
        const numbers = Buffer.alloc(4);
        numbers.writeUInt16LE(size.cols, 0);
        numbers.writeUInt16LE(size.rows, 2);
        this.#writeBuffer.send(frame(EventFrame.resized, numbers));
        continue;
      }
      const most = Math.min(OUTPUT_BYTES_MAX, (size?.at ?? Infinity) - this.#at);
      const bytes = backlog.read(this.#at, most);
      if (bytes.length === 0) break;
      this.#at += bytes.length;
      if (bytes.length <= COPIED_BYTES_MAX) this.#writeBuffer.send(frame(EventFrame.output, bytes));
      else {
        this.#writeBuffer.send(frameHead(EventFrame.output, bytes.length));
        this.#writeBuffer.send(bytes);
      }
      this.#acknowledgedAt = performance.now();
    }
    if (exit === null || this.#at < backlog.end) return;
    this.#isClosed = true;
    this.#writeBuffer.send(jsonFrame(EventFrame.exit, exit));
  }

  acknowledge(bytes: number): void {
    this.#writeBuffer.send(frame(EventFrame.taken, encodeOffset(bytes)));
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.end();
  }
}
