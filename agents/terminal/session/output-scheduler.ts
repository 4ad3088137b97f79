/** Others are served after so much parsing. */
const TURN_MS = 20;
/**
 * Four bytes can clear all cells of a screen: the larger the screen, the fewer bytes are taken at once. A window of 80 by 24
 * takes four thousand, the largest one 64.
 */
const CELL_BYTES_MAX = 8_000_000;
const PIECE_BYTES_MIN = 64;
/** What waits for its turn, besides the newest piece. More of it is of no use to anybody, since it comes faster than it can be shown. */
export const WAITING_BYTES_MAX = 1 << 20;
/** First bytes of what is more than text: sequences, also those whose first byte has eight bits. */
const ESC = 0x1b;
const C1_LEAD = 0xc2;

export interface OutputSink {
  /** The cells of the screen. */
  cells(): number;
  /** Parses a piece. Text may wait, sequences may not. */
  parse(bytes: Uint8Array, isText: boolean): void;
  /** What was parsed goes to those who look on. */
  display(bytes: Uint8Array): void;
  /** Output was left out. */
  gap(): void;
}

/**
 * Takes output in for a while at a time, so that no program can keep the others' sessions from being served by what it
 * writes. What usually comes is taken at once.
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

  /** Something that has come is still to be taken. */
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
    // Whoever brings it uses its memory again.
    this.#waiting.push(isNext ? bytes : new Uint8Array(bytes));
    this.#waitingBytes += bytes.length;
    if (!isNext) return;
    this.#run();
    const [rest] = this.#waiting;
    if (rest instanceof Uint8Array) this.#waiting[0] = new Uint8Array(rest);
  }

  /** Does something when all output of before has been taken. */
  after(act: () => void): void {
    this.#waiting.push(act);
    if (this.#waiting.length === 1) this.#run();
  }

  /** Leaves out all output that waits. */
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

  /** Parses as much as there is time for, and shows it in one piece. */
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
