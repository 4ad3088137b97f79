import { element } from "./element.ts";

/** As the console draws them (ui/status.tsx, ui/icons.tsx): a shape and a word beside the colour. */
const STATES = {
  connecting: ["busy", "connecting", "M5 0a5 5 0 100 10A5 5 0 005 0zm0 2a3 3 0 010 6z"],
  connected: ["good", "connected", "M5 0a5 5 0 100 10A5 5 0 005 0z"],
  waiting: ["warn", "connection lost", "M5 0l5 10H0z"],
  stopped: ["bad", "not shown", "M2 0L0 2l3 3-3 3 2 2 3-3 3 3 2-2-3-3 3-3-2-2-3 3z"],
} as const;

/** The state of the connection, in the head of the page. */
export function stateMark() {
  const mark = element("span", { class: "status" });
  return {
    element: mark,
    show(state: keyof typeof STATES): void {
      const [tone, words, path] = STATES[state];
      mark.className = `status ${tone}`;
      mark.replaceChildren(drawing("0 0 10 10", path), words);
    },
  };
}

export function wordmark(): SVGSVGElement {
  const mark = drawing("0 0 32 32", "M5 3h5v26H5z", "M12 13h15c0 9-4.500 16-13 16h-2z");
  mark.setAttribute("class", "wordmark");
  return mark;
}

function drawing(viewBox: string, ...paths: readonly string[]): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", viewBox);
  svg.setAttribute("aria-hidden", "true");
  for (const d of paths) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}
