import type { Terminal } from "@xterm/xterm";
import { button } from "./element.ts";

const KEPT = "berth-terminal-screen-reader";

/** A button that turns on screen reader support. It is visible on keyboard focus, and the setting is remembered. */
export function readerSwitch(terminal: Terminal): HTMLButtonElement {
  const set = (on: boolean) => {
    terminal.options.screenReaderMode = on;
    one.setAttribute("aria-pressed", String(on));
  };
  const one = button("Screen reader mode", "Screen reader mode", () => {
    const on = terminal.options.screenReaderMode !== true;
    set(on);
    try {
      localStorage.setItem(KEPT, on ? "1" : "");
    } catch {
      // A browser without storage: the setting holds for this page only.
    }
  });
  one.classList.add("only-focused");
  let isKept = false;
  try {
    isKept = localStorage.getItem(KEPT) === "1";
  } catch {
    // As above.
  }
  set(isKept);
  return one;
}
