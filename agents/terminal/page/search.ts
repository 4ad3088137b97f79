import type { ISearchDecorationOptions, SearchAddon } from "@xterm/addon-search";
import { element } from "./element.ts";
import { iconButton } from "./icons.ts";

const ON_DARK = {
  matchBackground: "#5c4a00",
  activeMatchBackground: "#a35200",
  matchOverviewRuler: "#d7a000",
  activeMatchColorOverviewRuler: "#ff8800",
};
const ON_LIGHT = { ...ON_DARK, matchBackground: "#ffe58f", activeMatchBackground: "#ffbb55" };

/** The search box over the terminal. */
export class SearchBox {
  readonly root: HTMLElement;
  readonly #input: HTMLInputElement;
  readonly #search: SearchAddon;
  readonly #closed: () => void;

  readonly #colours: ISearchDecorationOptions;

  constructor(search: SearchAddon, isDark: boolean, closed: () => void) {
    this.#colours = isDark ? ON_DARK : ON_LIGHT;
    this.#search = search;
    this.#closed = closed;
    this.#input = element("input", {
      type: "search",
      placeholder: "Search",
      "aria-label": "Search",
      autocomplete: "off",
    });
    this.#input.addEventListener("input", () => this.#find("next", true));
    this.#input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.#find(event.shiftKey ? "previous" : "next");
      if (event.key === "Escape") this.close();
    });
    const found = element("small", { role: "status" });
    search.onDidChangeResults(({ resultIndex, resultCount }) => {
      const sum = resultCount === 0 ? "none" : String(resultCount);
      found.textContent =
        this.#input.value === "" ? "" : resultIndex < 0 ? sum : `${resultIndex + 1} of ${sum}`;
    });
    this.root = element(
      "div",
      { class: "search", role: "search", hidden: true },
      this.#input,
      found,
      iconButton("Previous", "up", () => this.#find("previous")),
      iconButton("Next", "down", () => this.#find("next")),
      iconButton("Close", "close", () => this.close()),
    );
  }

  open(): void {
    this.root.hidden = false;
    this.#input.select();
    this.#input.focus();
  }

  close(): void {
    this.root.hidden = true;
    this.#search.clearDecorations();
    this.#closed();
  }

  #find(where: "next" | "previous", incremental = false): void {
    const options = { incremental, decorations: this.#colours };
    const found =
      where === "next"
        ? this.#search.findNext(this.#input.value, options)
        : this.#search.findPrevious(this.#input.value, options);
    this.#input.classList.toggle("nothing", this.#input.value !== "" && !found);
  }
}
