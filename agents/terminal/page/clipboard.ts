import type { Terminal } from "@xterm/xterm";
import { button, element } from "./element.ts";
import { cleanPaste } from "./safety.ts";

/** The number of earlier rows to choose text from. */
const PICK_ROWS_MAX = 1000;

/** Copying and pasting by buttons, for browsers without clipboard access and phones without a selection. */
export class Clipboard {
  readonly root = element("dialog", { class: "clip" });
  readonly #terminal: Terminal;
  readonly #say: (text: string) => void;

  constructor(terminal: Terminal, say: (text: string) => void) {
    this.#terminal = terminal;
    this.#say = say;
    this.root.addEventListener("close", () => terminal.focus());
  }

  async write(text: string): Promise<boolean> {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      this.#say("The browser did not let this page use the clipboard.");
      return false;
    }
  }

  /** Copies the selection. Without one, it shows the screen as plain text, which fingers can select. */
  async copy(): Promise<void> {
    const text = this.#terminal.getSelection();
    if (text === "") this.#pick();
    else if (await this.write(text)) this.#say("Copied.");
  }

  async paste(): Promise<void> {
    try {
      this.#terminal.paste(cleanPaste(await navigator.clipboard.readText()));
      this.#terminal.focus();
    } catch {
      this.#ask();
    }
  }

  #pick(): void {
    const { active } = this.#terminal.buffer;
    const lines: string[] = [];
    for (let row = Math.max(0, active.length - PICK_ROWS_MAX); row < active.length; row++) {
      const line = active.getLine(row);
      const text = line?.translateToString(true) ?? "";
      if (line?.isWrapped && lines.length > 0) lines.push(`${lines.pop()}${text}`);
      else lines.push(text);
    }
    const text = lines.join("\n").trimEnd();
    const pre = element("pre", { tabindex: "0", "aria-label": "Text of the terminal" }, text);
    this.#show(
      "Select and copy",
      pre,
      button("Copy all", "Copy all", async () => {
        if (await this.write(text)) this.#say("Copied.");
        this.root.close();
      }),
    );
    pre.scrollTop = pre.scrollHeight;
  }

  /** Shows a text field, in which the browser allows pasting. */
  #ask(): void {
    const field = element("textarea", {
      rows: "6",
      "aria-label": "Text to paste",
      placeholder: "Paste here",
    });
    this.#show(
      "Paste",
      field,
      button("Send to the terminal", "Send to the terminal", () => {
        this.root.close();
        this.#terminal.paste(cleanPaste(field.value));
      }),
    );
    field.focus();
  }

  #show(title: string, content: HTMLElement, act: HTMLElement): void {
    this.root.setAttribute("aria-label", title);
    this.root.replaceChildren(
      element("h2", {}, title),
      content,
      element(
        "div",
        { class: "actions" },
        act,
        button("Close", "Close", () => this.root.close()),
      ),
    );
    if (!this.root.open) this.root.showModal();
  }
}
