import { button } from "./element.ts";

/** Icons as lines in a 24 by 24 box, drawn for this page. */
const PATHS = {
  sessions: "M4 6h16M4 12h16M4 18h16",
  search: "M16 16l4.5 4.5M18 11a7 7 0 1 1-14 0 7 7 0 0 1 14 0z",
  smaller: "M3 18l5-13 5 13M5 14h6M16 12h6",
  larger: "M3 18l5-13 5 13M5 14h6M16 12h6M19 9v6",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  paste: "M8 5H5v15h14V5h-3M9 3h6v4H9z",
  upload: "M12 16V4M7 9l5-5 5 5M4 20h16",
  download: "M12 4v12M7 11l5 5 5-5M4 20h16",
  panel: "M4 5h16v14H4zM14 5v14",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  close: "M6 6l12 12M18 6L6 18",
  up: "M5 15l7-7 7 7",
  down: "M5 9l7 7 7-7",
  rename: "M4 20h4L19 9l-4-4L4 16z",
} as const;
export type IconName = keyof typeof PATHS;

const SVG = "http://www.w3.org/2000/svg";

/** An icon, without an accessible name of its own. */
export function icon(name: IconName): SVGSVGElement {
  const drawing = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  drawing.setAttribute("viewBox", "0 0 24 24");
  drawing.setAttribute("aria-hidden", "true");
  path.setAttribute("d", PATHS[name]);
  drawing.append(path);
  return drawing;
}

export function iconButton(label: string, name: IconName, act: () => void): HTMLButtonElement {
  const made = button(label, "", act);
  made.append(icon(name));
  return made;
}
