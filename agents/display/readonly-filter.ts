/** What a client of RFB sends (RFC 6143 §7, and the extensions that noVNC speaks), without what would change anything. */

/** The version, the security type that the client chose, its answer to a challenge, and its ClientInit, in this order. */
const VERSION_BYTES = 12;
const RESPONSE_BYTES = 16;
const [NO_SECURITY, VNC_SECURITY] = [1, 2];
const SHARED = 1;

/** A message that needs its first bytes to tell how long it is. */
interface Message {
  readonly passes: boolean;
  /** How many bytes tell the length. */
  readonly head: number;
  length(head: Buffer): number;
}

const fixed = (passes: boolean, bytes: number): Message => ({ passes, head: 1, length: () => bytes });
const CLIENT_MESSAGES: Readonly<Record<number, Message>> = {
  /** SetPixelFormat, SetEncodings, FramebufferUpdateRequest */
  0: fixed(true, 20),
  2: { passes: true, head: 4, length: (head) => 4 + 4 * head.readUInt16BE(2) },
  3: fixed(true, 10),
  /** KeyEvent, PointerEvent, ClientCutText: a negative length says that it has the extended form. */
  4: fixed(false, 8),
  5: fixed(false, 6),
  6: { passes: false, head: 8, length: (head) => 8 + Math.abs(head.readInt32BE(4)) },
  /** EnableContinuousUpdates, ClientFence */
  150: fixed(true, 10),
  248: { passes: true, head: 9, length: (head) => 9 + head.readUInt8(8) },
  /** xvp, SetDesktopSize, QEMU's key events */
  250: fixed(false, 4),
  251: { passes: false, head: 8, length: (head) => 8 + 16 * head.readUInt8(6) },
  255: fixed(false, 12),
};
/** The longest that is passed on: so many encodings nobody knows. */
const PASSED_BYTES_MAX = 64 * 1024;

/** The client says what a viewer has no business to say, or what cannot be told apart from that. */
export class FilterError extends Error {
  override readonly name = "FilterError";
}

/** Lets a client watch: keys, pointer, clipboard and sizes do not pass. One for each connection. */
export class ReadonlyFilter {
  #phase: "version" | "security" | "response" | "init" | "messages" = "version";
  #waiting: Buffer = Buffer.alloc(0);
  /** Bytes of a message that does not pass, which are still to come. */
  #skip = 0;

  /**
   * What of these bytes is passed on.
   *
   * @throws FilterError
   */
  push(bytes: Uint8Array): Buffer {
    const passed: Buffer[] = [];
    this.#waiting = Buffer.concat([this.#waiting, bytes]);
    for (let taken = this.#next(); taken !== null; taken = this.#next()) passed.push(taken);
    return Buffer.concat(passed);
  }

  /** The next piece that passes, empty where one does not; null: more has to come first. */
  #next(): Buffer | null {
    if (this.#skip > 0) {
      const skipped = this.#take(Math.min(this.#skip, this.#waiting.length));
      this.#skip -= skipped.length;
      return this.#skip > 0 ? null : Buffer.alloc(0);
    }
    if (this.#waiting.length === 0) return null;
    return this.#phase === "messages" ? this.#message() : this.#handshake(this.#phase);
  }

  #handshake(phase: "version" | "security" | "response" | "init"): Buffer | null {
    const length = { version: VERSION_BYTES, security: 1, response: RESPONSE_BYTES, init: 1 }[phase];
    if (this.#waiting.length < length) return null;
    const piece = this.#take(length);
    switch (phase) {
      case "version":
        // In 3.3 the server chooses the security, and what the client sends next cannot be told.
        if (!/^RFB 003\.00[78]\n$/.test(piece.toString("latin1")))
          throw new FilterError("only RFB 3.7 and 3.8");
        this.#phase = "security";
        return piece;
      case "security":
        if (piece[0] !== NO_SECURITY && piece[0] !== VNC_SECURITY)
          throw new FilterError("this kind of password is not taken to watch");
        this.#phase = piece[0] === VNC_SECURITY ? "response" : "init";
        return piece;
      case "response":
        this.#phase = "init";
        return piece;
      case "init":
        this.#phase = "messages";
        // Who watches alone would send the others away.
        return Buffer.of(SHARED);
    }
  }

  #message(): Buffer | null {
    const message = CLIENT_MESSAGES[this.#waiting[0] ?? -1];
    if (message === undefined) throw new FilterError("a message of an unknown kind");
    if (this.#waiting.length < message.head) return null;
    const length = message.length(this.#waiting);
    if (!message.passes) {
      this.#skip = length;
      return Buffer.alloc(0);
    }
    if (length > PASSED_BYTES_MAX) throw new FilterError("a message that is too long");
    return this.#waiting.length < length ? null : this.#take(length);
  }

  #take(length: number): Buffer {
    const taken = this.#waiting.subarray(0, length);
    this.#waiting = this.#waiting.subarray(length);
    return taken;
  }
}
