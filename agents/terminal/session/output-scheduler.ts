/** How long output is parsed before other sessions get a turn. */
const TURN_MS = 20;
/**
 * Four bytes can clear all cells of a screen, so the larger the screen, the fewer bytes are parsed at once: four
 * thousand for 80 by 24 cells, 64 for the largest screen.
 */
const CELL_BYTES_MAX = 8_000_000;
const PIECE_BYTES_MIN = 64;
/** What waits for its turn, besides the newest piece. More of it is of no use to anybody, since it comes faster than it can be shown. */
export const WAITING_BYTES_MAX = 1 << 20;
/** First bytes of escape sequences, including those of 8-bit control characters. */
const ESC = 0x1b;
const C1_LEAD = 0xc2;

export interface OutputSink {
  /** The number of cells of the screen. */
  cells(): number;
  /** Parses a chunk. Text may be buffered, sequences may not. */
  parse(bytes: Uint8Array, isText: boolean): void;
  /** Sends parsed output to the viewers. */
  display(bytes: Uint8Array): void;
  /** Called when output was dropped. */
  gap(): void;
}

/**
 * Parses output in short turns, so that no program's output can block other sessions. Ordinary amounts of output are
 * parsed at once.
 */
export class OutputScheduler {
  readonly #sink: OutputSink;
  #waiting: (Uint8Array | (() => void))[] = [];
  #waitingBytes = 0;
  #timer: Timer | undefined;
  #isRunning = false;

  constructor(sink: OutputSink) {
    this.#sink = sink;
  }

  /** Whether received output has not been parsed yet. */
  get isBehind(): boolean {
    return this.#waiting.length > 0;
  }

  /** Takes output. Where too much waits, that is left out and not what is newest: the end of a flood is always shown. */
  output(bytes: Uint8Array): void {
    if (this.isBehind && this.#waitingBytes + bytes.length > WAITING_BYTES_MAX) {
      this.drop();
      this.after(() => this.#sink.gap());
    }
    const isNext = !this.isBehind;
    // The caller reuses its buffer.
    this.#waiting.push(isNext ? bytes : new Uint8Array(bytes));
    this.#waitingBytes += bytes.length;
    if (!isNext) return;
    this.#run();
    const [rest] = this.#waiting;
    if (rest instanceof Uint8Array) this.#waiting[0] = new Uint8Array(rest);
  }

  /** Calls `act` when all output received before has been parsed. */
  after(act: () => void): void {
    this.#waiting.push(act);
    if (this.#waiting.length === 1) this.#run();
  }

  /** Drops all waiting output. */
  drop(): void {
    this.#waiting = this.#waiting.filter((one) => typeof one === "function");
    this.#waitingBytes = 0;
  }

  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const limit = performance.now() + TURN_MS;
    try {
      do {
        const [first] = this.#waiting;
        if (first instanceof Uint8Array) this.#parse(first, limit);
        else {
          this.#waiting.shift();
          first?.();
        }
      } while (this.isBehind && performance.now() < limit);
    } finally {
      this.#isRunning = false;
    }
    if (!this.isBehind) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.isBehind) this.#run();
    }, 0);
  }

  /** Parses as much as there is time for, and sends it to the viewers in one piece. */
  #parse(bytes: Uint8Array, limit: number): void {
    const isText = !(bytes.includes(ESC) || bytes.includes(C1_LEAD));
    const piece = Math.max(PIECE_BYTES_MIN, Math.floor(CELL_BYTES_MAX / this.#sink.cells()));
    const length = isText ? bytes.length : piece;
    let taken = 0;
    do {
      const end = Math.min(taken + length, bytes.length);
      this.#sink.parse(bytes.subarray(taken, end), isText);
      taken = end;
    } while (taken < bytes.length && performance.now() < limit);
    if (taken < bytes.length) this.#waiting[0] = bytes.subarray(taken);
    else this.#waiting.shift();
    this.#waitingBytes -= taken;
    this.#sink.display(bytes.subarray(0, taken));
  }
}
