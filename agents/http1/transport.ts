/** What a connection is made of: Bun's sockets, plain and TLS, are such. */
export interface Transport {
  /** Writes what the socket takes now, and returns how many bytes that was; less than 0 when it is closed. */
  write(bytes: Uint8Array): number;
  /** Sends what was written, then the end of this side. */
  end(): unknown;
  /** Lets go of the socket; what was written is still delivered. */
  close(): unknown;
  /** Ends the connection so that the other side sees it broken, not ended. */
  terminate(): unknown;
  pause(): unknown;
  resume(): unknown;
  /** Undefined when the socket is gone. */
  readonly remoteAddress: string | undefined;
}

/** Written pieces up to this size leave together at the end of the turn: one system call, one packet. */
const CORKED_PIECE_BYTES_MAX = 4 * 1024;
const CORKED_BYTES_MAX = 16 * 1024;

/** What is on its way to a transport. It is bounded by its writers, who stop when `write` returns false until `onDrain`. */
export class WriteBuffer {
  readonly #transport: Transport;
  readonly #onDrain: () => void;
  #corked: Uint8Array[] = [];
  #corkedBytes = 0;
  /** What the socket did not take; nothing may overtake it. */
  #waiting: Uint8Array[] = [];
  #flushing = false;

  constructor(transport: Transport, onDrain: () => void) {
    this.#transport = transport;
    this.#onDrain = onDrain;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#corkedBytes === 0;
  }

  get waitingBytes(): number {
    return this.#waiting.reduce((sum, { length }) => sum + length, this.#corkedBytes);
  }

  /** Returns whether more may be written now. */
  write(bytes: Uint8Array): boolean {
    if (this.#waiting.length > 0) {
      this.#waiting.push(bytes);
      return false;
    }
    if (bytes.length > CORKED_PIECE_BYTES_MAX) {
      this.#uncork();
      return this.#push(bytes);
    }
    this.#corked.push(bytes);
    this.#corkedBytes += bytes.length;
    if (this.#corkedBytes > CORKED_BYTES_MAX) return this.#uncork();
    if (!this.#flushing) {
      this.#flushing = true;
      queueMicrotask(() => {
        this.#flushing = false;
        if (this.#corkedBytes > 0 && this.#uncork()) this.#onDrain();
      });
    }
    return true;
  }

  /** The socket takes bytes again. */
  drained(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    for (const bytes of waiting) this.#push(bytes);
    if (this.isEmpty) this.#onDrain();
  }

  #uncork(): boolean {
    if (this.#corkedBytes === 0) return this.#waiting.length === 0;
    const [first] = this.#corked;
    const bytes = this.#corked.length === 1 && first !== undefined ? first : Buffer.concat(this.#corked);
    this.#corked = [];
    this.#corkedBytes = 0;
    return this.#push(bytes);
  }

  #push(bytes: Uint8Array): boolean {
    if (this.#waiting.length === 0) {
      const taken = Math.max(0, this.#transport.write(bytes));
      if (taken === bytes.length) return true;
      this.#waiting.push(bytes.subarray(taken));
    } else {
      this.#waiting.push(bytes);
    }
    return false;
  }
}
