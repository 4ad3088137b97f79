import type { Panel } from "../parameters/parse.ts";
import { element } from "./element.ts";
import { iconButton } from "./icons.ts";

const SIZE_PX_MIN = 120;
/** The smallest size of the terminal. */
const REST_PX_MIN = 160;
/** The change of size by an arrow key. */
const STEP_PX = 20;
/** The same as in the style sheet: on narrow screens the panel is below the terminal. */
const NARROW = matchMedia("(max-width: 700px)");

/** Whether an address is one of the same server, as those of one container are. */
function isBeside(url: string): boolean {
  const parent = ({ host }: { host: string }) => host.slice(host.indexOf("."));
  return location.host.includes(".") && parent(new URL(url)) === parent(location);
}

/** The side panel: another page in a sandbox. On narrow screens it is below the terminal. */
export class SidePanel {
  readonly #panel: Panel;
  readonly #frame: HTMLIFrameElement;
  readonly #root: HTMLElement;
  readonly #grip = element("div", {
    class: "grip",
    role: "separator",
    "aria-label": "Panel size",
    tabindex: "0",
  });
  readonly #workspace: HTMLElement;
  readonly #changed: () => void;

  /** @param changed called when the terminal's size has changed, or the panel was opened or closed */
  constructor(panel: Panel, workspace: HTMLElement, changed: () => void) {
    this.#panel = panel;
    this.#workspace = workspace;
    this.#changed = changed;
    const { origin, host, pathname } = new URL(panel.url);
    this.#frame = element("iframe", {
      title: "Side panel",
      // A page of our own origin could reach out of this sandbox; it is our own page.
      sandbox: "allow-scripts allow-forms allow-popups allow-downloads allow-same-origin",
      // Addresses of one container know its terminal by its name, and let its panel in.
      referrerpolicy: isBeside(panel.url) ? "origin" : "no-referrer",
    });
    const isOwn = origin === location.origin;
    const address = isOwn ? pathname : `${host}${pathname === "/" ? "" : pathname}`;
    const bar = element(
      "header",
      {},
      element("span", { class: "address", title: panel.url }, address),
      element("a", { href: panel.url, target: "_blank", rel: "noopener noreferrer" }, "Open in a tab"),
      iconButton("Close the panel", "close", () => this.show(false)),
      // Browsers do not report whether a page refuses to be framed, so this hint is shown for all but our own.
      ...(isOwn
        ? []
        : [element("small", {}, "Nothing to see? The page may not allow itself to be shown in a panel.")]),
    );
    this.#root = element("aside", { class: "panel" }, bar, this.#frame);
    this.#root.style.setProperty("--panel-width", panel.width);
    this.#root.style.setProperty("--panel-height", panel.height);
    workspace.dataset.panel = panel.position;
    workspace.append(this.#grip, this.#root);
    if (panel.resizable) this.#resizeByGrip();
    this.#grip.classList.toggle("fixed", !panel.resizable);
    new ResizeObserver(changed).observe(this.#root);
    this.#setVisible(panel.visible);
  }

  get isVisible(): boolean {
    return !this.#root.hidden;
  }

  toggle(): void {
    this.show(!this.isVisible);
  }

  show(visible: boolean): void {
    this.#setVisible(visible);
    this.#changed();
  }

  #setVisible(visible: boolean): void {
    this.#root.hidden = !visible;
    this.#grip.hidden = !visible;
    // A closed panel loads nothing.
    if (visible && !this.#frame.hasAttribute("src")) this.#frame.src = this.#panel.url;
  }

  #resize(wanted: number): void {
    const side = NARROW.matches ? "height" : "width";
    const room = this.#workspace.getBoundingClientRect()[side];
    const px = Math.round(Math.max(Math.min(wanted, room - REST_PX_MIN), SIZE_PX_MIN));
    this.#root.style.setProperty(`--panel-${side}`, `${px}px`);
    this.#grip.setAttribute("aria-valuenow", String(px));
    this.#changed();
  }

  #resizeByGrip(): void {
    const grip = this.#grip;
    const isLeft = this.#panel.position === "left";
    const orient = () => grip.setAttribute("aria-orientation", NARROW.matches ? "horizontal" : "vertical");
    NARROW.addEventListener("change", orient);
    orient();
    grip.addEventListener("keydown", (event) => {
      const sideways = isLeft ? -STEP_PX : STEP_PX;
      const step = NARROW.matches
        ? { ArrowUp: STEP_PX, ArrowDown: -STEP_PX }[event.key]
        : { ArrowLeft: sideways, ArrowRight: -sideways }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const { width, height } = this.#root.getBoundingClientRect();
      this.#resize((NARROW.matches ? height : width) + step);
    });
    grip.addEventListener("pointerdown", (down) => {
      grip.setPointerCapture(down.pointerId);
      this.#workspace.classList.add("dragging");
      const move = ({ clientX, clientY }: PointerEvent) => {
        const { left, right, bottom } = this.#workspace.getBoundingClientRect();
        this.#resize(NARROW.matches ? bottom - clientY : isLeft ? clientX - left : right - clientX);
      };
      const up = () => {
        grip.removeEventListener("pointermove", move);
        this.#workspace.classList.remove("dragging");
      };
      grip.addEventListener("pointermove", move);
      grip.addEventListener("pointerup", up, { once: true });
      grip.addEventListener("pointercancel", up, { once: true });
    });
  }
}
