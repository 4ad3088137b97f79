/** As much as this needs of a terminal, whether @xterm/headless or @xterm/xterm. */
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

/** What Unicode's stream-safe text has at most upon one character (UAX #15). */
export const MARKS_MAX = 30;
/** Ten titles can be put aside, and one is shown. */
const TITLE_CHARS_MAX = 4_096;
/** All 256 colours fit, each set to one. */
const COLOURS_CHARS_MAX = 8_192;
/** Window title, icon name, or both. */
const TITLES = [0, 1, 2];
/** Lists of colours, which xterm takes apart in time that grows with the square of their length. */
const COLOURS = [4, 10, 11, 12, 104];
/** Data in a sequence: what a program may put on a clipboard fits. xterm keeps ten million characters, for each handler. */
export const PAYLOAD_CHARS_MAX = 256 * 1024;

/** Sequences that xterm 6.0.0 repeats as often as they say, up to 2^31 times, in one go. */
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
 * Bounds the work and the memory that a few bytes of a program can cost: without it `CSI 2147483647 S` stops everything
 * for minutes, and marks upon one character, links and titles are kept however many and large they are. Server and page need
 * the same bounds, so that they show the same.
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

/** Leaves out what would be too many marks upon one character. */
function limitMarks(core: Core): void {
  const { _inputHandler, unicodeService } = core;
  const { _parser: parser } = _inputHandler;
  // The first that is no wider than nothing is at 0x300, but for the soft hyphen, which is as wide as any.
  const isMark = (code: number) => code >= 0x300 && unicodeService.wcwidth(code) === 0;
  parser.setPrintHandler((codes, start, end) => {
    // After a sequence a mark has no character to be upon, and takes a place of its own.
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

/** How many marks the character has that is before the cursor. */
function marksBefore({ _bufferService: { buffer } }: Core): number {
  const line = buffer.lines.get(buffer.ybase + buffer.y);
  if (line === undefined) return 0;
  const x = buffer.x - (line.getWidth(buffer.x - 1) === 0 ? 2 : 1);
  return Math.max([...line.getString(x)].length - 1, 0);
}

/** Forgets a sequence whose data becomes too much. */
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
