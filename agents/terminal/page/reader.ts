import type { Terminal } from "@xterm/xterm";
import { button } from "./element.ts";

const KEPT = "berth-terminal-screen-reader";

/** Turns on that screen readers are told what the terminal shows. Seen by who comes by the keyboard; remembered. */
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
      // A browser that keeps nothing: for this page it is on all the same.
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
