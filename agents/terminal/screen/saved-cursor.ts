type Charset = object | undefined;

interface Buffer {
  readonly ybase: number;
  readonly y: number;
  savedY: number;
}

interface Saved {
  /** Counted from the top of the screen. */
  readonly row: number;
  /** The character sets G0 to G3. */
  readonly charsets: readonly Charset[];
  /** The number of the active one. */
  readonly level: number;
}

export interface CursorSaving {
  readonly _bufferService: { readonly buffer: Buffer };
  readonly _charsetService: {
    readonly glevel: number;
    _charsets: Charset[];
    setgLevel(level: number): void;
  };
  readonly _inputHandler: {
    saveCursor(): boolean;
    restoreCursor(): boolean;
    softReset(): boolean;
  };
}

/** The state that is restored if nothing was saved. */
const HOME: Saved = { row: 0, charsets: [], level: 0 };

const saved = new WeakMap<object, Saved>();

/** The saved state of a buffer's cursor that xterm itself does not save correctly. */
export const savedWith = (buffer: object): Saved => saved.get(buffer) ?? HOME;

/**
 * Saves and restores the cursor as terminals do: with its row on the screen, and all four character sets with the
 * active one. xterm 6.0.0 saves a row of the scrollback, which moves as output scrolls, and one set without its
 * number, so that the next shift selects a wrong one.
 */
export function patchSavedCursor({
  _inputHandler: handler,
  _charsetService,
  _bufferService,
}: CursorSaving): void {
  const { saveCursor, restoreCursor, softReset } = handler;
  handler.saveCursor = () => {
    const { glevel: level, _charsets } = _charsetService;
    saved.set(_bufferService.buffer, { row: _bufferService.buffer.y, charsets: [..._charsets], level });
    return saveCursor.call(handler);
  };
  handler.softReset = () => {
    saved.delete(_bufferService.buffer);
    return softReset.call(handler);
  };
  handler.restoreCursor = () => {
    const { row, charsets, level } = savedWith(_bufferService.buffer);
    _bufferService.buffer.savedY = _bufferService.buffer.ybase + row;
    const isDone = restoreCursor.call(handler);
    _charsetService._charsets = [...charsets];
    _charsetService.setgLevel(level);
    return isDone;
  };
}
