/** The socket of a connection. Bun's sockets, plain and TLS, satisfy it. */
export interface Transport {
  /** Writes as many bytes as the socket accepts now, and returns their number; less than 0 if it is closed or broken. */
  write(bytes: Uint8Array): number;
  /** Sends the written bytes, then ends this side. */
  end(): unknown;
  /** Closes the socket; written bytes are still delivered. */
  close(): unknown;
  /** Resets the connection, so that the other side sees an error instead of a normal end. */
  terminate(): unknown;
  pause(): unknown;
  resume(): unknown;
  /** Undefined when the socket is closed. */
  readonly remoteAddress: string | undefined;
}

/** Written pieces up to this size leave together at the end of the turn: one system call, one packet. */
const CORKED_PIECE_BYTES_MAX = 4 * 1024;
const CORKED_BYTES_MAX = 16 * 1024;

/**
 * The write buffer of a transport. Its writers bound it: they pause from a `write` that returns false until
 * `onDrain`.
 */
export class WriteBuffer {
  readonly #transport: Transport;
  readonly #onDrain: () => void;
  #corked: Uint8Array[] = [];
  #corkedBytes = 0;
  /** Bytes that the socket did not accept yet. Later bytes wait behind them. */
  #waiting: Uint8Array[] = [];
  #flushing = false;
  #isBroken = false;

  constructor(transport: Transport, onDrain: () => void) {
    this.#transport = transport;
    this.#onDrain = onDrain;
  }

  /** A write has failed: the other side is gone. */
  get isBroken(): boolean {
    return this.#isBroken;
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
      queueMicrotask(this.#flush);
    }
    return true;
  }

  readonly #flush = (): void => {
    this.#flushing = false;
    if (this.#corkedBytes > 0 && this.#uncork()) this.#onDrain();
  };

  /** The socket accepts bytes again. */
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
      const taken = this.#transport.write(bytes);
      if (taken === bytes.length) return true;
      if (taken < 0) this.#onBroken();
      this.#waiting.push(bytes.subarray(Math.max(0, taken)));
    } else {
      this.#waiting.push(bytes);
    }
    return false;
  }

  /**
   * A write that meets a reset takes the error from the socket. A paused socket then stays open without an event: reading brings
   * what came before the reset, and the end.
   */
  #onBroken(): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    // Later, since the events of the end must not come within a write.
    queueMicrotask(() => this.#transport.resume());
  }
}
