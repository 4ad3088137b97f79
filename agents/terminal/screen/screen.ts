import { type ITerminalAddon, Terminal } from "@xterm/headless";
import { stripUnsafe } from "../parameters/control-characters.ts";
import { installLimits } from "./bounds.ts";
import { type Internals, internalsOf } from "./internals.ts";
import { applyXtermPatches } from "./quirks.ts";
import { serialise } from "./serialise.ts";
import { Tail } from "./tail.ts";
import { PendingOutput, WAITING_BYTES_MAX } from "./waiting.ts";

// Required, not imported: the package's types are for browsers, and would bring the DOM's names into all of Berth.
const { Unicode11Addon } = require("@xterm/addon-unicode11") as { Unicode11Addon: new () => ITerminalAddon };

/** 1000 lines of 80 columns take 2.2 MB, which is the cost of a session without viewers. Pages keep more. */
export const SCROLLBACK_LINES = 1000;
const TITLE_CHARS_MAX = 200;
/** How long plain text may wait to be parsed. Reading the screen parses it first. */
const WAITING_MS_MAX = 50;
/** Two of them fit where output waits. */
const PIECE_BYTES = WAITING_BYTES_MAX / 2;
/** ESC begins sequences, including queries; ENQ is a query. */
const ESC = 0x1b;
const ENQ = 0x05;
/** The parser's state between sequences. */
const GROUND = 0;

export interface ScreenOptions {
  readonly cols: number;
  readonly rows: number;
  /** Receives the terminal's replies to a program's queries, such as for the cursor's position. */
  readonly reply: (text: string) => void;
  readonly foreground: readonly [number, number, number];
  readonly background: readonly [number, number, number];
}

/** The screen of a session on the server: the only terminal that replies to programs, and the source of snapshots. */
export class Screen {
  private readonly terminal: Terminal;
  readonly #internals: Internals;
  readonly #tail = new Tail();
  #title = "";
  readonly #pending = new PendingOutput();
  #timer: Timer | undefined;

  constructor(options: ScreenOptions) {
    this.terminal = new Terminal({
      cols: options.cols,
      rows: options.rows,
      scrollback: SCROLLBACK_LINES,
      // The same as on the pages, since programs can query it.
      cursorBlink: true,
      allowProposedApi: true,
      logLevel: "off",
    });
    this.#internals = internalsOf(this.terminal);
    this.terminal.loadAddon(new Unicode11Addon());
    this.terminal.unicode.activeVersion = "11";
    applyXtermPatches(this.terminal);
    installLimits(this.terminal);
    this.terminal.onData(options.reply);
    this.terminal.onTitleChange((title) => {
      this.#title = stripUnsafe(title).slice(0, TITLE_CHARS_MAX);
    });
    this.#replyColour(10, options.foreground, options.reply);
    this.#replyColour(11, options.background, options.reply);
    this.#replyColour(12, options.foreground, options.reply);
  }

  get cols(): number {
    return this.terminal.cols;
  }

  get rows(): number {
    return this.terminal.rows;
  }

  /** The title that a program set. */
  get title(): string {
    return this.#title;
  }

  /**
   * Processes output. Plain text may wait for a moment, since little of a flood is visible in the end. Everything
   * whose effect a program may wait for is parsed before this returns. Meanwhile nothing is read from the PTY, so
   * that the kernel slows a flood down, and no queue grows.
   */
  feed(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      if (!this.#pending.fits(piece)) this.#trim();
      if (!this.#pending.fits(piece)) this.flush();
      this.#pending.push(piece);
    }
    if (bytes.includes(ESC) || bytes.includes(ENQ)) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), WAITING_MS_MAX);
  }

  resize(cols: number, rows: number): void {
    this.flush();
    this.terminal.resize(cols, rows);
  }

  /**
   * The bytes that bring a fresh terminal of the same size into this state; null in the middle of a sequence that is
   * too long to repeat.
   */
  snapshot(): Uint8Array | null {
    this.flush();
    const tail = this.#tail.bytes;
    if (tail === null) return null;
    return Buffer.concat([Buffer.from(serialise(this.terminal, this.#title)), tail]);
  }

  /** The text of the screen and its scrollback, a line a row. */
  text(): string {
    this.flush();
    const buffer = this.terminal.buffer.active;
    const rows = Array.from({ length: buffer.length }, (_, row) =>
      buffer.getLine(row)?.translateToString(true),
    );
    return rows.join("\n").trimEnd();
  }

  /** Parses the waiting output. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.isEmpty) return;
    this.#trim();
    this.#parse(this.#pending.drain());
  }

  #parse(bytes: Uint8Array): void {
    try {
      this.#internals._inputHandler.parse(bytes);
    } catch {
      // A program's output must not end its session, even if the parser throws.
      this.#internals._inputHandler._parser.reset();
    }
    this.#tail.push(bytes, this.#internals._inputHandler._parser.currentState === GROUND);
  }

  #trim(): void {
    if (this.#canSkip()) this.#pending.trim(SCROLLBACK_LINES + 2 * this.terminal.rows);
  }

  #canSkip(): boolean {
    const { _bufferService, _inputHandler } = this.#internals;
    const isAlternate = this.terminal.buffer.active.type === "alternate";
    const { scrollTop, scrollBottom } = _bufferService.buffers[isAlternate ? "alt" : "normal"];
    const tail = this.#tail.bytes;
    return (
      _inputHandler._parser.currentState === GROUND &&
      tail !== null &&
      tail.length === 0 &&
      scrollTop === 0 &&
      scrollBottom === this.terminal.rows - 1
    );
  }

  #replyColour(
    command: number,
    [red, green, blue]: readonly [number, number, number],
    reply: (text: string) => void,
  ): void {
    const [r, g, b] = [red, green, blue].map((part) => (part * 0x101).toString(16).padStart(4, "0"));
    this.terminal.parser.registerOscHandler(command, (data) => {
      if (data !== "?") return false;
      reply(`\x1b]${command};rgb:${r}/${g}/${b}\x1b\\`);
      return true;
    });
  }
}
