/** What this needs of a socket of Bun's. */
interface Sink {
  write(bytes: Uint8Array): number;
}

/** What a socket has not taken yet: Bun's sockets take what the kernel takes, and leave the rest to us. */
export class WriteBuffer {
  readonly #sink: Sink;
  #waiting: Uint8Array[] = [];
  #bytes = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Bytes that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The bytes must not change from here on. */
  send(bytes: Uint8Array): void {
    const written = this.#bytes === 0 ? Math.max(this.#sink.write(bytes), 0) : 0;
    if (written === bytes.length) return;
    this.#waiting.push(written === 0 ? bytes : bytes.subarray(written));
    this.#bytes += bytes.length - written;
  }

  /** To be called when the socket takes more. */
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
