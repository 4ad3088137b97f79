/** What this needs of a terminal, whether @xterm/headless or @xterm/xterm. */
interface Erasable {
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

/**
 * xterm 6.0.0 throws when a program erases all above a cursor that stands at the bottom right, and then parses nothing
 * any more. There, what is above is all there is.
 */
export function mendErase(terminal: Erasable): void {
  const { _core } = terminal as unknown as {
    readonly _core: { readonly _inputHandler: { eraseInDisplay(params: { params: number[] }): boolean } };
  };
  terminal.parser.registerCsiHandler({ final: "J" }, ([which]) => {
    const { cursorX, cursorY } = terminal.buffer.active;
    if (which !== 1 || cursorY !== terminal.rows - 1 || cursorX < terminal.cols - 1) return false;
    return _core._inputHandler.eraseInDisplay({ params: [2] });
  });
}
