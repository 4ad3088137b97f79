import { isatty } from "node:tty";

interface HangupHandlers {
  /** The terminal of this process was closed. */
  readonly onClosed: () => void;
  /** Somebody asks it to read its settings again. */
  readonly onReload: () => void;
}

/**
 * Tells the two meanings of SIGHUP apart: the terminal that this process was started at is gone, or it is a request. One that was started
 * without a terminal (nohup, systemd) has no terminal to lose.
 */
export function followHangups({ onClosed, onReload }: HangupHandlers): void {
  const hadTerminal = isatty(0);
  process.on("SIGHUP", () => {
    if (hadTerminal && !isatty(0)) onClosed();
    else onReload();
  });
}
