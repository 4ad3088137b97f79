/** The used part of a Bun socket. */
interface Sink {
  write(bytes: Uint8Array): number;
}

/**
 * Bytes that a socket has not accepted yet: a Bun socket writes what the kernel accepts and leaves the rest to the
 * caller.
 */
export class WriteBuffer {
  readonly #sink: Sink;
  #waiting: Uint8Array[] = [];
  #bytes = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** The number of waiting bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Sends bytes, which the caller must not change any more. */
  send(bytes: Uint8Array): void {
    const written = this.#bytes === 0 ? Math.max(this.#sink.write(bytes), 0) : 0;
    if (written === bytes.length) return;
    this.#waiting.push(written === 0 ? bytes : bytes.subarray(written));
    this.#bytes += bytes.length - written;
  }

  /** Must be called when the socket accepts more. */
  flush(): void {
    let done = 0;
    for (const bytes of this.#waiting) {
      const written = Math.max(this.#sink.write(bytes), 0);
      this.#bytes -= written;
      if (written < bytes.length) {
        this.#waiting[done] = bytes.subarray(written);
        break;
      }
      done += 1;
    }
    this.#waiting.splice(0, done);
  }
}
