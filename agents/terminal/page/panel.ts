import type { Panel } from "../parameters/parse.ts";
import { element } from "./element.ts";

const WIDTH_PX_MIN = 120;
/** What is left to the terminal. */
const REST_PX_MIN = 160;

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
    handle.addEventListener("pointerdown", (down) => {
      handle.setPointerCapture(down.pointerId);
      workspace.classList.add("dragging");
      const move = ({ clientX }: PointerEvent) => {
        const { left, right, width } = workspace.getBoundingClientRect();
        const wanted = this.#panel.position === "left" ? clientX - left : right - clientX;
        const px = Math.min(Math.max(wanted, WIDTH_PX_MIN), width - REST_PX_MIN);
        this.#root.style.setProperty("--panel-width", `${px}px`);
        resized();
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
