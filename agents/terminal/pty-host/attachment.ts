import type { Program, Reader } from "./program.ts";
import { EventFrame, encodeOffset, frame, frameHead, jsonFrame } from "./protocol.ts";
import type { WriteBuffer } from "./write-buffer.ts";

/** As much output in one frame: large enough to cost nothing, small enough that what is said besides does not wait. */
const OUTPUT_BYTES_MAX = 256 * 1024;
/** Less is copied behind its head, so that it goes in one write. */
const COPIED_BYTES_MAX = 16 * 1024;
/** An agent that has taken nothing for so long is away or stopped. */
const ALIVE_MS = 1_000;

interface Socket {
  write(bytes: Uint8Array): number;
  end(): void;
}

/** A connection to one program: sends its output from a place on, everything in order. */
export class Attachment implements Reader {
  readonly #program: Program;
  readonly #writeBuffer: WriteBuffer;
  readonly #socket: Socket;
  /** Sizes that the output before this connection came with. */
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
