import type { Terminal } from "@xterm/xterm";
import { boot } from "./boot.ts";
import { button, element, moveByArrows } from "./element.ts";
import { type IconName, icon } from "./icons.ts";
import { readerSwitch } from "./reader.ts";

/** The actions of the tools. Null: the action is not available. */
export interface Tools {
  readonly terminal: Terminal;
  sessions(): void;
  search(): void;
  zoom(by: number): void;
  copy(): void;
  paste(): void;
  upload(): void;
  download(): void;
  readonly panel: { readonly isVisible: boolean; toggle(): void } | null;
}

const tool = (label: string, sign: IconName, act: () => void): HTMLButtonElement => {
  const made = button(label, "", act);
  made.append(icon(sign), element("span", { class: "word" }, label));
  return made;
};

/**
 * The tools over the terminal, as icons. On narrow screens the less used ones are in a menu, as words.
 *
 * @param labels the name and state of the session
 * @param left returns the keyboard focus to the terminal
 */
export function makeToolbar(tools: Tools, labels: readonly HTMLElement[], left: () => void): HTMLElement {
  const menu = element(
    "div",
    { class: "menu" },
    tool("Smaller text", "smaller", () => tools.zoom(-1)),
    tool("Larger text", "larger", () => tools.zoom(1)),
  );
  const bar = element(
    "header",
    { class: "toolbar", role: "toolbar", "aria-label": "Terminal, Control F6; Escape goes back" },
    ...labels,
    readerSwitch(tools.terminal),
    tool("Sessions", "sessions", tools.sessions),
    tool("Search", "search", tools.search),
    tool("Copy", "copy", tools.copy),
  );
  if (!boot.readonly) {
    bar.append(tool("Paste", "paste", tools.paste));
    menu.append(
      tool("Upload files", "upload", tools.upload),
      tool("Download a file", "download", tools.download),
    );
  }
  bar.append(menu);
  if (tools.panel !== null) bar.append(panelSwitch(tools.panel));
  bar.append(menuSwitch(bar, menu));
  moveByArrows(bar, left);
  return bar;
}

function panelSwitch(panel: NonNullable<Tools["panel"]>): HTMLButtonElement {
  const one = tool("Side panel", "panel", () => panel.toggle());
  one.classList.add("panel-switch");
  one.setAttribute("aria-pressed", String(panel.isVisible));
  return one;
}

/** The button that opens the menu on narrow screens. */
function menuSwitch(bar: HTMLElement, menu: HTMLElement): HTMLButtonElement {
  const show = (isOpen: boolean) => {
    bar.classList.toggle("open", isOpen);
    one.setAttribute("aria-expanded", String(isOpen));
  };
  const one = tool("More tools", "more", () => show(!bar.classList.contains("open")));
  one.classList.add("more");
  one.setAttribute("aria-expanded", "false");
  menu.addEventListener("click", () => show(false));
  document.addEventListener("pointerdown", ({ target }) => {
    if (target instanceof Node && !menu.contains(target) && !one.contains(target)) show(false);
  });
  bar.addEventListener("keydown", ({ key }) => key === "Escape" && show(false));
  return one;
}
