const ENTER = [0x0d, 0x0a];
const BACKSPACE = [0x08, 0x7f];
const CTRL_C = 0x03;
const CTRL_D = 0x04;
/** Longer than any password. */
const ANSWER_BYTES_MAX = 1024;
/** As much as a terminal buffers in canonical mode. */
const AHEAD_BYTES_MAX = 4096;

/** Questions that the user answers in the terminal before the shell starts, such as passwords and codes. */
export class Questions {
  readonly #show: (text: string) => void;
  #current: { echo: boolean; bytes: number[]; answer: (text: string | null) => void } | null = null;

  /** Input typed while no question was open; it goes to the next question or to the shell. */
  #ahead: number[] = [];

  /** @param show puts text on the terminal */
  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  /** Null when the user cancels with ^C or ^D. */
  ask(prompt: string, echo: boolean): Promise<string | null> {
    // The host's prompt is shown as text, without escape sequences.
    this.#show(prompt.replace(/[^\P{Cc}\n]/gu, "").replaceAll("\n", "\r\n"));
    return new Promise((answer) => {
      this.#current = { echo, bytes: [], answer };
      this.typed(Uint8Array.from(this.takeAhead()));
    });
  }

  /** Takes the input typed while no question was open. */
  takeAhead(): number[] {
    const ahead = this.#ahead;
    this.#ahead = [];
    return ahead;
  }

  typed(bytes: Uint8Array): void {
    for (const byte of bytes) this.#key(byte);
  }

  #key(byte: number): void {
    const question = this.#current;
    if (question === null) {
      if (this.#ahead.length < AHEAD_BYTES_MAX) this.#ahead.push(byte);
    } else if (byte === CTRL_C || byte === CTRL_D) this.#done(null);
    else if (ENTER.includes(byte)) this.#done(Buffer.from(question.bytes).toString());
    else if (BACKSPACE.includes(byte)) {
      if (question.bytes.pop() !== undefined && question.echo) this.#show("\b \b");
    } else if (byte >= 0x20 && question.bytes.length < ANSWER_BYTES_MAX) {
      question.bytes.push(byte);
      if (question.echo) this.#show(String.fromCharCode(byte));
    }
  }

  #done(answer: string | null): void {
    const question = this.#current;
    this.#current = null;
    this.#show("\r\n");
    question?.answer(answer);
  }
}
