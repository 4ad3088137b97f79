import { type IBuffer, type IBufferLine, Terminal } from "@xterm/headless";
import { isMoreThanErased, keyOf, PLAIN, sgr } from "./attributes.ts";
import { type Attributes, type Cell, type Internals, internalsOf } from "./internals.ts";
import { savedWith } from "./saved-cursor.ts";

/**
 * Serializes a terminal's whole state to bytes that bring a fresh terminal of the same size into it: both buffers
 * with the scrollback, and every mode that affects later output. `@xterm/addon-serialize` leaves out the scroll
 * region, character sets, tab stops, saved cursors, mouse encodings, cursor style, links and the wait at the end of a
 * full row.
 */
export function serialise(terminal: Terminal, title: string): string {
  const internals = internalsOf(terminal);
  const onAlternate = terminal.buffer.active.type === "alternate";
  const writer = new Writer(terminal, internals);
  // The alternate screen keeps its saved cursor, tab stops and region while it is not shown.
  if (!onAlternate) {
    writer.text("\x1b[?47h");
    writer.state("alt");
    writer.text("\x1b[?47l\x1b[H");
  }
  writer.rows("normal");
  writer.state("normal");
  if (onAlternate) {
    const { x, y } = internals._bufferService.buffers.normal;
    writer.text(`\x1b[${y + 1};${x + 1}H\x1b[?47h\x1b[H`);
    writer.rows("alt");
    writer.state("alt");
  }
  if (title !== "") writer.text(`\x1b]2;${title}\x1b\\`);
  writer.cursorAndModes(onAlternate ? "alt" : "normal");
  return writer.done();
}

type Which = "normal" | "alt";

class Writer {
  readonly #parts: string[] = [];
  readonly #terminal: Terminal;
  readonly #internals: Internals;
  #look = PLAIN;
  #link = 0;

  constructor(terminal: Terminal, internals: Internals) {
    this.#terminal = terminal;
    this.#internals = internals;
  }

  text(text: string): void {
    this.#parts.push(text);
  }

  done(): string {
    return this.#parts.join("");
  }

  /** Writes the state of a buffer besides its rows. */
  state(which: Which): void {
    const state = this.#internals._bufferService.buffers[which];
    this.#tabs(state.tabs);
    // The saved cursor, with its attributes and character sets.
    const { row, charsets, level } = savedWith(state);
    this.#moveTo(which, state.savedX, row, 0);
    this.#plain();
    this.text(sgr(state.savedCurAttrData, state.savedCurAttrData.extended._ext));
    this.#charsets(charsets, level);
    this.text("\x1b7\x1b[m");
    this.#charsets(
      charsets.map(() => undefined),
      0,
    );
    const rows = this.#terminal.rows;
    if (state.scrollTop !== 0 || state.scrollBottom !== rows - 1) {
      this.text(`\x1b[${state.scrollTop + 1};${state.scrollBottom + 1}r`);
    }
  }

  rows(which: Which): void {
    const { normal, alternate } = this.#terminal.buffer;
    const buffer = which === "normal" ? normal : alternate;
    const cell = buffer.getNullCell() as Cell;
    for (let row = 0; row < buffer.length; row++) {
      // After its last row, the buffer would return its first.
      const wraps = row + 1 < buffer.length && buffer.getLine(row + 1)?.isWrapped === true;
      this.#row(buffer, row, cell, wraps);
      if (row + 1 < buffer.length && !wraps) {
        // Rows that scroll in get the current background.
        this.#plain();
        this.text("\r\n");
      }
    }
    this.#plain();
  }

  /** @param wraps whether the next row continues this one: then it must be full, so that the next character wraps */
  #row(buffer: IBuffer, row: number, cell: Cell, wraps: boolean): void {
    const line = buffer.getLine(row);
    if (line === undefined) return;
    const cols = this.#terminal.cols;
    const halves = this.#halves(line, cell, wraps);
    line.getCell(0, cell);
    const isPlainText = cell.getChars() !== "" && cell.getWidth() !== 0 && keyOf(cell) === PLAIN;
    if (line.isWrapped && (!isPlainText || halves.size > 0)) {
      // Rows that scroll in get the current background.
      this.#plain();
      this.text(WRAP);
    }
    for (const x of halves) this.#half(line, cell, x);
    if (halves.size > 0) this.text("\r");
    let gap = 0;
    let isWide = false;
    for (let x = 0; x < cols; x++) {
      line.getCell(x, cell);
      const chars = x === cols - 1 && cell.getWidth() === 2 ? "" : cell.getChars();
      const isSecondHalf = chars === "" && cell.getWidth() === 0 && isWide;
      isWide = cell.getWidth() === 2;
      if (isSecondHalf) continue;
      if (halves.has(x) || (chars === "" && keyOf(cell) === PLAIN)) {
        gap += 1;
        continue;
      }
      if (gap > 0) this.text(`\x1b[${gap}C`);
      gap = 0;
      this.#wear(cell);
      if (chars === "") this.text(x === cols - 1 ? "\x1b[X" : "\x1b[X\x1b[C");
      // A mark without a base character must not combine with the one before it.
      else this.text(cell.getWidth() === 0 ? `\x1b[${x + 1}G${chars}` : chars);
    }
    const endsWide = line.getCell(cols - 2)?.getWidth() === 2;
    line.getCell(cols - 1, cell);
    if (!wraps || endsWide || cell.getChars() !== "") return;
    // A wide character that does not fit leaves a blank at the row's end, and wraps.
    this.text(`\x1b[${cols}G`);
    this.#wear(cell);
    this.text(`${WIDE}\r`);
    this.#plain();
    this.text(`\x1b[${cols}X`);
  }

  /**
   * The columns of a row with half of a wide character whose other half was overwritten. Erasing cannot produce them.
   */
  #halves(line: IBufferLine, cell: Cell, wraps: boolean): ReadonlySet<number> {
    const cols = this.#terminal.cols;
    const found = new Set<number>();
    for (let x = wraps ? cols - 2 : cols - 1; x >= 0; x--) {
      line.getCell(x, cell);
      if (cell.getChars() === "" && cell.getWidth() === 1 && isMoreThanErased(cell)) found.add(x);
    }
    // The other half of the first one follows it.
    if (found.has(1)) found.delete(0);
    return found;
  }

  /** Writes a wide character, and overwrites its other half. */
  #half(line: IBufferLine, cell: Cell, x: number): void {
    const other = x === 0 ? 1 : x - 1;
    this.text(`\x1b[${Math.min(x, other) + 1}G${WIDE}\x1b[${other + 1}G`);
    line.getCell(x, cell);
    this.#wear(cell);
    this.text(" ");
    this.#plain();
    this.text(`\x1b[${other + 1}G\x1b[X`);
  }

  #tabs(tabs: Readonly<Record<number, boolean | undefined>>): void {
    const cols = Array.from({ length: this.#terminal.cols }, (_, col) => col);
    if (cols.every((col) => Boolean(tabs[col]) === (col % TAB_WIDTH === 0))) return;
    const stops = cols.filter((col) => tabs[col]).map((col) => `\x1b[${col + 1}G\x1bH`);
    this.text(`\x1b[3g${stops.join("")}`);
  }

  /** Selects the character sets G0 to G3, and the active one. */
  #charsets(charsets: readonly (object | undefined)[], level: number): void {
    // Includes holes in the array.
    for (const [at, charset] of Array.from(charsets).entries()) {
      this.text(`\x1b${"()*+"[at]}${designatorOf(charset)}`);
    }
    this.text(["\x0f", "\x0e", "\x1bn", "\x1bo"][level] ?? "");
  }

  cursorAndModes(which: Which): void {
    const { coreService, coreMouseService, _charsetService, _inputHandler } = this.#internals;
    const modes = coreService.decPrivateModes;
    const state = this.#internals._bufferService.buffers[which];
    if (modes.origin) this.text("\x1b[?6h");
    const top = modes.origin ? state.scrollTop : 0;
    this.#moveTo(which, state.x, state.y, top);
    this.#charsets(_charsetService._charsets, _charsetService.glevel);
    this.#current(_inputHandler._curAttrData);
    const on = (condition: boolean, sequence: string) => condition && this.text(sequence);
    on(!modes.wraparound, "\x1b[?7l");
    on(coreService.modes.insertMode, "\x1b[4h");
    on(this.#terminal.options.convertEol === true, "\x1b[20h");
    on(modes.applicationCursorKeys, "\x1b[?1h");
    on(modes.applicationKeypad, "\x1b=");
    on(modes.bracketedPasteMode, "\x1b[?2004h");
    on(modes.reverseWraparound, "\x1b[?45h");
    on(modes.sendFocus, "\x1b[?1004h");
    this.text(MOUSE_PROTOCOLS[coreMouseService.activeProtocol] ?? "");
    this.text(MOUSE_ENCODINGS[coreMouseService.activeEncoding] ?? "");
    if (modes.cursorStyle !== undefined) {
      const style = CURSOR_STYLES.indexOf(modes.cursorStyle) * 2 + (modes.cursorBlink ? 1 : 2);
      this.text(`\x1b[${style} q`);
    }
    // A reset of the terminal does not change this mode, so it is always written.
    this.text(this.#terminal.options.cursorBlink ? "\x1b[?12h" : "\x1b[?12l");
    on(coreService.isCursorHidden, "\x1b[?25l");
    on(modes.synchronizedOutput, "\x1b[?2026h");
    this.#preceding(which, top);
  }

  /**
   * Writes the last character again, since later output may repeat it, or add a mark to it. It gets the current
   * attributes, since a sequence in between would separate them.
   */
  #preceding(which: Which, top: number): void {
    const { buffers } = this.#internals._bufferService;
    const { x, y, ybase } = buffers[which];
    const width = (this.#internals._inputHandler._parser.precedingJoinState >> 1) & 3;
    if (width === 0) return;
    const { cols, rows, buffer } = this.#terminal;
    const { wraparound } = this.#internals.coreService.decPrivateModes;
    const to = (col: number) => this.text(`\x1b[${Math.min(y, rows - 1) - top + 1};${col + 1}H`);
    if (!wraparound && width === 2 && x === cols - 1) {
      to(x);
      // It does not fit there, but still counts as the last character.
      this.text(WIDE);
      return;
    }
    const from = Math.min(x, cols) - width;
    const line = (which === "normal" ? buffer.normal : buffer.alternate).getLine(ybase + y);
    const cell = from < 0 ? undefined : (line?.getCell(from) as Cell | undefined);
    if (cell === undefined || cell.getWidth() !== width || cell.getChars() === "") return;
    if (keyOf(cell) !== keyOf(this.#internals._inputHandler._curAttrData)) return;
    to(from);
    if (this.#internals.coreService.modes.insertMode) this.text(`\x1b[${width}P`);
    this.text(this.#typed(cell.getChars()));
  }

  /** The bytes that a program writes for these characters in the active character set. */
  #typed(chars: string): string {
    const { charset } = this.#internals._charsetService;
    const [first = ""] = chars;
    if (charset?.[first] === undefined) return chars;
    const typed = Object.keys(charset).find((one) => charset[one] === first);
    return `${typed ?? first}${chars.slice(1)}`;
  }

  /** @param top the row that programs count from */
  #moveTo(which: Which, x: number, y: number, top: number): void {
    const { cols, rows, buffer } = this.#terminal;
    const row = Math.min(y, rows - 1);
    const to = (col: number) => this.text(`\x1b[${row - top + 1};${col + 1}H`);
    if (x < cols) {
      to(x);
      return;
    }
    // The cursor is behind a full row: only writing its last character again puts it there.
    const { ybase } = this.#internals._bufferService.buffers[which];
    const line = (which === "normal" ? buffer.normal : buffer.alternate).getLine(ybase + row);
    const last = line?.getCell(cols - 2)?.getWidth() === 2 ? cols - 2 : cols - 1;
    const cell = line?.getCell(last) as Cell | undefined;
    to(last);
    if (cell !== undefined) this.#wear(cell);
    this.text(cell?.getChars() || " ");
  }

  /** Sets the attributes and the link of the given cell for the following text. */
  #wear(cell: Attributes): void {
    const look = keyOf(cell);
    if (look === this.#look) return;
    this.text(sgr(cell));
    this.#look = look;
    const link = cell.hasExtendedAttrs() ? cell.extended.urlId : 0;
    if (link !== this.#link) this.text(this.#opening(link));
    this.#link = link;
  }

  /** Sets the current attributes, which the next character gets. */
  #current(attributes: Attributes): void {
    this.#plain();
    this.text(this.#opening(attributes.extended.urlId) + sgr(attributes, attributes.extended._ext));
  }

  #opening(link: number): string {
    const data = link === 0 ? undefined : this.#internals._oscLinkService.getLinkData(link);
    return `\x1b]8;${data?.id ? `id=${data.id}` : ""};${data?.uri ?? ""}\x1b\\`;
  }

  #plain(): void {
    if (this.#link !== 0) this.text("\x1b]8;;\x1b\\");
    if (this.#look !== PLAIN) this.text("\x1b[m");
    this.#link = 0;
    this.#look = PLAIN;
  }
}

const TAB_WIDTH = 8;
/** Wraps to the next row as the continuation of a full one, and leaves nothing there. */
const WRAP = " \b\x1b[X";
const WIDE = "\u6f22";
const MOUSE_PROTOCOLS: Readonly<Record<string, string>> = {
  X10: "\x1b[?9h",
  VT200: "\x1b[?1000h",
  DRAG: "\x1b[?1002h",
  ANY: "\x1b[?1003h",
};
const MOUSE_ENCODINGS: Readonly<Record<string, string>> = { SGR: "\x1b[?1006h", SGR_PIXELS: "\x1b[?1016h" };
const CURSOR_STYLES = ["block", "underline", "bar"];

/** The designator of each character set, found through the terminal itself, since its tables have no names. */
const readDesignators = (): ReadonlyMap<object, string> =>
  new Map(
    [..."0A4C5RQKYE6ZH7="].flatMap((designator) => {
      const internals = internalsOf(
        new Terminal({ cols: 2, rows: 1, scrollback: 0, allowProposedApi: true }),
      );
      internals._inputHandler.parse(new TextEncoder().encode(`\x1b(${designator}`));
      const charset = internals._charsetService.charset;
      return charset === undefined ? [] : [[charset, designator] as const];
    }),
  );

/** Read for the first screen with another character set, which few have: it takes fifteen terminals. */
let designators: ReadonlyMap<object, string> | undefined;

function designatorOf(charset: object | undefined): string {
  if (charset === undefined) return "B";
  designators ??= readDesignators();
  return designators.get(charset) ?? "B";
}
