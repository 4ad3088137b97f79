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

interface Core {
  readonly unicodeService: { wcwidth(code: number): 0 | 1 | 2 };
  readonly _inputHandler: Record<string, (params: { params: number[] }) => boolean> & {
    print(codes: Uint32Array, start: number, end: number): void;
    readonly _parser: {
      setPrintHandler(handler: (codes: Uint32Array, start: number, end: number) => void): void;
    };
  };
}

/** What Unicode's stream-safe text has at most upon one character (UAX #15). */
export const MARKS_MAX = 30;
/** Ten titles can be put aside, and one is shown. */
const TITLE_CHARS_MAX = 4_096;
/** Window title, icon name, or both. */
const TITLES = [0, 1, 2];

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
export function bound(terminal: Bounded): void {
  const { _core: core } = terminal as unknown as { readonly _core: Core };
  for (const [final, [act, side]] of Object.entries(REPEATED)) {
    terminal.parser.registerCsiHandler({ final }, ([times]) => {
      if (typeof times !== "number" || times <= terminal[side]) return false;
      return core._inputHandler[act]?.({ params: [terminal[side]] }) ?? false;
    });
  }
  boundMarks(core);
  for (const title of TITLES) {
    terminal.parser.registerOscHandler(title, (data) => data.length > TITLE_CHARS_MAX);
  }
}

/** Leaves out what would be too many marks upon one character. */
function boundMarks({ _inputHandler, unicodeService }: Core): void {
  let marks = 0;
  _inputHandler._parser.setPrintHandler((codes, start, end) => {
    let from = start;
    for (let at = start; at < end; at++) {
      const code = codes[at] as number;
      // The first that is no wider than nothing is at 0x300, but for the soft hyphen, which is as wide as any.
      if (code < 0x300 || unicodeService.wcwidth(code) !== 0) marks = 0;
      else if (++marks > MARKS_MAX) {
        if (from < at) _inputHandler.print(codes, from, at);
        from = at + 1;
      }
    }
    if (from < end) _inputHandler.print(codes, from, end);
  });
}
