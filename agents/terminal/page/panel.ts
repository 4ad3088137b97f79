import type { Panel } from "../parameters/parse.ts";
import { element } from "./element.ts";

const WIDTH_PX_MIN = 120;
/** What is left to the terminal. */
const REST_PX_MIN = 160;
/** By one press of an arrow key. */
const STEP_PX = 20;

/** The side panel: a page of somebody else's, in a sandbox. On narrow screens it lies below. */
export class SidePanel {
  readonly #panel: Panel;
  readonly #frame: HTMLIFrameElement;
  readonly #root: HTMLElement;

  constructor(panel: Panel, workspace: HTMLElement, resized: () => void) {
    this.#panel = panel;
    // A page of our own origin could reach out of a sandbox that leaves it its origin.
    const isOurs = new URL(panel.url).origin === location.origin;
    this.#frame = element("iframe", {
      title: "Side panel",
      sandbox: `allow-scripts allow-forms allow-popups allow-downloads${isOurs ? "" : " allow-same-origin"}`,
      referrerpolicy: "no-referrer",
    });
    const handle = element("div", {
      class: "handle",
      role: "separator",
      "aria-orientation": "vertical",
      "aria-label": "Panel width",
      tabindex: "0",
    });
    this.#root = element("aside", { class: "panel", "data-position": panel.position }, this.#frame);
    if (panel.resizable) {
      this.#root.append(handle);
      this.#drag(handle, workspace, resized);
    }
    this.#root.style.setProperty("--panel-width", panel.width);
    this.#root.style.setProperty("--panel-height", panel.height);
    if (panel.position === "left") workspace.prepend(this.#root);
    else workspace.append(this.#root);
    new ResizeObserver(resized).observe(this.#root);
    this.show(panel.visible);
  }

  get isVisible(): boolean {
    return !this.#root.hidden;
  }

  show(visible: boolean): void {
    this.#root.hidden = !visible;
    // A panel that nobody opens loads nothing.
    if (visible && !this.#frame.hasAttribute("src")) this.#frame.src = this.#panel.url;
  }

  #drag(handle: HTMLElement, workspace: HTMLElement, resized: () => void): void {
    const widen = (wanted: number) => {
      const { width } = workspace.getBoundingClientRect();
      const px = Math.round(Math.max(Math.min(wanted, width - REST_PX_MIN), WIDTH_PX_MIN));
      this.#root.style.setProperty("--panel-width", `${px}px`);
      handle.setAttribute("aria-valuenow", String(px));
      resized();
    };
    const isLeft = this.#panel.position === "left";
    handle.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: isLeft ? -STEP_PX : STEP_PX, ArrowRight: isLeft ? STEP_PX : -STEP_PX }[
        event.key
      ];
      if (step === undefined) return;
      event.preventDefault();
      widen(this.#root.getBoundingClientRect().width + step);
    });
    handle.addEventListener("pointerdown", (down) => {
      handle.setPointerCapture(down.pointerId);
      workspace.classList.add("dragging");
      const move = ({ clientX }: PointerEvent) => {
        const { left, right } = workspace.getBoundingClientRect();
        widen(isLeft ? clientX - left : right - clientX);
      };
      const up = () => {
        handle.removeEventListener("pointermove", move);
        workspace.classList.remove("dragging");
      };
      handle.addEventListener("pointermove", move);
      handle.addEventListener("pointerup", up, { once: true });
      handle.addEventListener("pointercancel", up, { once: true });
    });
  }
}
