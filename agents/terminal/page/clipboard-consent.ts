import { stripUnsafe } from "../parameters/control-characters.ts";
import { button, element } from "./element.ts";

/** The length of the preview: as much as a person reads before deciding. */
const PREVIEW_CHARS_MAX = 200;
/**
 * For this time a new button does nothing, in case it appears under a finger that was about to press something else.
 */
const UNREADY_MS = 500;
/** After a denial, further requests are ignored for this time. */
const DENIED_MS = 10_000;

/**
 * Asks for consent before a program writes the clipboard, whose text may be pasted into another window as a command.
 * The keyboard focus stays on the terminal, so that typed text does not answer; Ctrl+F6 moves to the buttons.
 */
export class ClipboardConsent {
  readonly root = element("section", {
    class: "consent",
    role: "alertdialog",
    "aria-label": "A program wants to write the clipboard",
    hidden: true,
  });
  readonly #write: (text: string) => Promise<boolean>;
  readonly #left: () => void;
  #isAllowed = false;
  #deniedAt = Number.NEGATIVE_INFINITY;
  #shownAt = 0;
  #text = "";

  /** @param left returns the keyboard focus to the terminal */
  constructor(write: (text: string) => Promise<boolean>, left: () => void) {
    this.#write = write;
    this.#left = left;
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.#deny();
    });
  }

  /** Asks about a text for the clipboard. A newer request replaces an unanswered one. */
  asked(text: string): void {
    if (this.#isAllowed) void this.#write(text);
    else if (performance.now() - this.#deniedAt > DENIED_MS) this.#show(text);
  }

  /** Focuses the first button; false if there is no question. */
  focus(): boolean {
    if (this.root.hidden) return false;
    this.root.querySelector("button")?.focus();
    return true;
  }

  #show(text: string): void {
    this.#text = text;
    this.#shownAt = performance.now();
    const preview = stripUnsafe(text.slice(0, PREVIEW_CHARS_MAX).replace(/\s+/g, " "));
    const more = text.length > PREVIEW_CHARS_MAX ? "…" : "";
    this.root.replaceChildren(
      element("p", {}, `A program wants to put ${text.length} characters on your clipboard:`),
      element("pre", {}, preview + more),
      element(
        "div",
        { class: "actions" },
        this.#answer("Deny", () => this.#deny()),
        this.#answer("Allow once", () => this.#allow()),
        this.#answer("Allow for this session", () => {
          this.#isAllowed = true;
          this.#allow();
        }),
        element("small", {}, "Control F6 leads here"),
      ),
    );
    this.root.hidden = false;
  }

  #answer(label: string, act: () => void): HTMLButtonElement {
    return button(label, label, () => {
      if (performance.now() - this.#shownAt >= UNREADY_MS) act();
    });
  }

  #allow(): void {
    void this.#write(this.#text);
    this.#close();
  }

  #deny(): void {
    this.#deniedAt = performance.now();
    this.#close();
  }

  #close(): void {
    this.#text = "";
    this.root.hidden = true;
    this.#left();
  }
}
