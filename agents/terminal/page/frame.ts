import { boot } from "./boot.ts";

/** What the page around this one, such as the console, may know of the session: enough to name it and to see that it works. */
export interface FrameNews {
  readonly title?: string;
  readonly state?: string;
}

/** Whether another page shows this one as a part of itself. */
export const isFramed = boot.framedBy !== null && window.parent !== window;

/** Tells it to the page that the server named, and to no other. */
export function tellFrame(news: FrameNews): void {
  if (boot.framedBy === null || !isFramed) return;
  window.parent.postMessage({ berth: "terminal", id: boot.id, ...news }, boot.framedBy);
}
