import { type Linking, limitLinks } from "./links.ts";
import { type CursorSaving, patchSavedCursor } from "./saved-cursor.ts";

/** The used part of a terminal, for both @xterm/headless and @xterm/xterm. */
interface Patchable {
  readonly cols: number;
  readonly rows: number;
  readonly buffer: { readonly active: { readonly cursorX: number; readonly cursorY: number } };
  readonly parser: {
    registerCsiHandler(
      id: { final: string },
      callback: (params: (number | number[])[]) => boolean,
    ): { dispose(): void };
  };
}

/** Replaced as a whole whenever it changes. */
interface Extended {
  underlineStyle: number;
  urlId: number;
  clone(): Extended;
}

interface Look {
  fg: number;
  extended: Extended;
  clone(): Look;
  updateExtended(): void;
}

interface Core extends Linking, CursorSaving {
  readonly _bufferService: Linking["_bufferService"] &
    CursorSaving["_bufferService"] & { readonly buffer: { readonly savedCurAttrData: Look } };
  readonly _inputHandler: CursorSaving["_inputHandler"] & {
    _curAttrData: Look;
    eraseInDisplay(params: { params: number[] }): boolean;
    screenAlignmentPattern(): boolean;
  };
}

const UNDERLINE = 0x10000000;

/** Fixes bugs of xterm 6.0.0. Server and page need the same fixes, so that they show the same. */
export function applyXtermPatches(terminal: Patchable): void {
  const { _core: core } = terminal as unknown as { readonly _core: Core };
  patchErase(terminal, core);
  patchSavedAttributes(core);
  patchSavedCursor(core);
  patchAlignment(core);
  limitLinks(core);
}

/**
 * xterm throws when a program erases everything above a cursor at the bottom right, and then parses nothing any more.
 * At that position, everything above is the whole screen.
 */
function patchErase(terminal: Patchable, core: Core): void {
  terminal.parser.registerCsiHandler({ final: "J" }, ([which]) => {
    const { cursorX, cursorY } = terminal.buffer.active;
    if (which !== 1 || cursorY !== terminal.rows - 1 || cursorX < terminal.cols - 1) return false;
    return core._inputHandler.eraseInDisplay({ params: [2] });
  });
}

/**
 * With the cursor xterm saves that there is an underline or a link, but not which one. This saves the underline's
 * style and colour. A link stays open until it is closed, whatever the cursor does.
 */
function patchSavedAttributes({ _inputHandler: handler, _bufferService: service }: Core): void {
  const { saveCursor, restoreCursor, softReset } = handler;
  const save = () => {
    service.buffer.savedCurAttrData.extended = handler._curAttrData.extended;
  };
  handler.saveCursor = () => {
    save();
    return saveCursor.call(handler);
  };
  handler.softReset = () => {
    const isDone = softReset.call(handler);
    save();
    return isDone;
  };
  handler.restoreCursor = () => {
    const isDone = restoreCursor.call(handler);
    const look = handler._curAttrData;
    const { urlId } = look.extended;
    look.extended = service.buffer.savedCurAttrData.extended.clone();
    look.extended.urlId = urlId;
    look.updateExtended();
    return isDone;
  };
}

/** xterm fills the screen with letters that are marked as having an underline or a link without one. */
function patchAlignment({ _inputHandler: handler }: Core): void {
  const { screenAlignmentPattern } = handler;
  handler.screenAlignmentPattern = () => {
    const look = handler._curAttrData;
    const bare = look.clone();
    bare.fg &= ~UNDERLINE;
    bare.extended.underlineStyle = 0;
    bare.extended.urlId = 0;
    bare.updateExtended();
    handler._curAttrData = bare;
    const isDone = screenAlignmentPattern.call(handler);
    handler._curAttrData = look;
    return isDone;
  };
}
