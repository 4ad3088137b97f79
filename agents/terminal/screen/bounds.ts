/** The used part of a terminal, for both @xterm/headless and @xterm/xterm. */
interface Bounded {
  readonly cols: number;
  readonly rows: number;
  readonly parser: {
    registerCsiHandler(
      id: { final: string },
      callback: (params: (number | number[])[]) => boolean,
    ): { dispose(): void };
    registerOscHandler(id: number, callback: (data: string) => boolean): { dispose(): void };
  };
}

interface Payloads {
  put(codes: Uint32Array, start: number, end: number): void;
  reset(): void;
}

interface Core {
  readonly unicodeService: { wcwidth(code: number): 0 | 1 | 2 };
  readonly _bufferService: {
    readonly buffer: {
      readonly x: number;
      readonly y: number;
      readonly ybase: number;
      readonly lines: {
        get(row: number): { getWidth(x: number): number; getString(x: number): string } | undefined;
      };
    };
  };
  readonly _inputHandler: Record<string, (params: { params: number[] }) => boolean> & {
    print(codes: Uint32Array, start: number, end: number): void;
    readonly _parser: {
      readonly precedingJoinState: number;
      readonly _oscParser: Payloads & { start(): void };
      readonly _dcsParser: Payloads & { hook(ident: number, params: unknown): void };
      setPrintHandler(handler: (codes: Uint32Array, start: number, end: number) => void): void;
    };
  };
}

/** Combining marks on one character: the limit of Unicode's stream-safe text (UAX #15). */
export const MARKS_MAX = 30;
/** The length of a title. xterm keeps up to eleven: one shown and ten on its stack. */
const TITLE_CHARS_MAX = 4_096;
/** Long enough to set all 256 colours. */
const COLOURS_CHARS_MAX = 8_192;
/** Window title, icon name, or both. */
const TITLES = [0, 1, 2];
/** Lists of colours, which xterm parses in quadratic time. */
const COLOURS = [4, 10, 11, 12, 104];
/**
 * The data of a sequence: enough for the clipboard's limit. xterm's own limit is ten million characters for each
 * handler.
 */
export const PAYLOAD_CHARS_MAX = 256 * 1024;

/** Sequences with a repeat count, which xterm 6.0.0 executes up to 2^31 times without a pause. */
const REPEATED = {
  L: ["insertLines", "rows"],
  M: ["deleteLines", "rows"],
  S: ["scrollUp", "rows"],
  T: ["scrollDown", "rows"],
  I: ["cursorForwardTab", "cols"],
  Z: ["cursorBackwardTab", "cols"],
  b: ["repeatPrecedingCharacter", "cols"],
} as const;

/**
 * Limits the work and the memory that a few bytes of a program can cause: without it `CSI 2147483647 S` blocks
 * everything for minutes, and combining marks, links and titles have no limits. Server and page need the same limits,
 * so that they show the same.
 */
export function installLimits(terminal: Bounded): void {
  const { _core: core } = terminal as unknown as { readonly _core: Core };
  for (const [final, [act, side]] of Object.entries(REPEATED)) {
    terminal.parser.registerCsiHandler({ final }, ([times]) => {
      if (typeof times !== "number" || times <= terminal[side]) return false;
      return core._inputHandler[act]?.({ params: [terminal[side]] }) ?? false;
    });
  }
  limitMarks(core);
  limitPayloads(core);
  for (const title of TITLES) {
    terminal.parser.registerOscHandler(title, (data) => data.length > TITLE_CHARS_MAX);
  }
  for (const colours of COLOURS) {
    terminal.parser.registerOscHandler(colours, (data) => data.length > COLOURS_CHARS_MAX);
  }
}

/** Drops combining marks above the limit for one character. */
function limitMarks(core: Core): void {
  const { _inputHandler, unicodeService } = core;
  const { _parser: parser } = _inputHandler;
  // The first character of width 0 is U+0300, except for the soft hyphen, which has width 1 here.
  const isMark = (code: number) => code >= 0x300 && unicodeService.wcwidth(code) === 0;
  parser.setPrintHandler((codes, start, end) => {
    // After a sequence a mark has no base character, and occupies a cell of its own.
    let hasCharacter = parser.precedingJoinState !== 0;
    let marks = hasCharacter && isMark(codes[start] as number) ? marksBefore(core) : 0;
    let from = start;
    for (let at = start; at < end; at++) {
      if (!isMark(codes[at] as number)) {
        marks = 0;
        hasCharacter = true;
      } else if (hasCharacter && ++marks > MARKS_MAX) {
        if (from < at) _inputHandler.print(codes, from, at);
        from = at + 1;
      }
    }
    if (from < end) _inputHandler.print(codes, from, end);
  });
}

/** The number of marks on the character before the cursor. */
function marksBefore({ _bufferService: { buffer } }: Core): number {
  const line = buffer.lines.get(buffer.ybase + buffer.y);
  if (line === undefined) return 0;
  const x = buffer.x - (line.getWidth(buffer.x - 1) === 0 ? 2 : 1);
  return Math.max([...line.getString(x)].length - 1, 0);
}

/** Drops a sequence whose data exceeds the limit. */
function limitPayloads({ _inputHandler: { _parser: parser } }: Core): void {
  for (const [payloads, begin] of [
    [parser._oscParser, "start"],
    [parser._dcsParser, "hook"],
  ] as const) {
    let chars = 0;
    const { put } = payloads;
    const starts = payloads as unknown as Record<string, (...of: unknown[]) => void>;
    const started = starts[begin];
    starts[begin] = (...of) => {
      chars = 0;
      started?.apply(payloads, of);
    };
    payloads.put = (codes, start, end) => {
      chars += end - start;
      if (chars > PAYLOAD_CHARS_MAX) payloads.reset();
      else put.call(payloads, codes, start, end);
    };
  }
}
