import { element } from "./dom.ts";
import { followProgress, type Progress, type ProgressEvent, showProgress } from "./progress.ts";
import { duration, size } from "./units.ts";

const show = (id: string, text: string) => {
  element(id).textContent = text;
};

/** Shows a figure, or hides it if it is unknown. */
function reveal(id: string, text: string | undefined): void {
  const tile = element(id).parentElement;
  if (tile !== null) tile.hidden = text === undefined;
  show(id, text ?? "–");
}

/** The first progress that this page received. */
let first: { readonly bytes: number; readonly at: number } | undefined;

function showFigures(event: ProgressEvent, data: Progress): void {
  const { bytes, total, bytes_per_second: rate, receivers, n } = data;
  const isOver = event === "complete" || event === "failed";
  if (bytes !== undefined) {
    show("bytes", size(bytes));
    first ??= { bytes, at: performance.now() };
  }
  reveal("total", total === undefined ? undefined : size(total));
  if (receivers !== undefined)
    show("receivers", event === "waiting" ? `${receivers} of ${n}` : String(receivers));
  const isTimed = rate !== undefined && rate > 0 && total !== undefined && !isOver;
  reveal("left", isTimed ? duration((total - (bytes ?? 0)) / rate) : undefined);
  show("speed-label", isOver ? "Average speed" : "Speed");
  if (isOver) show("speed", averageSpeed(bytes ?? 0));
  else if (rate !== undefined) show("speed", `${size(rate)}/s`);
}

function averageSpeed(bytes: number): string {
  const seconds = first === undefined ? 0 : (performance.now() - first.at) / 1_000;
  return seconds > 0 && first !== undefined ? `${size((bytes - first.bytes) / seconds)}/s` : "–";
}

function watch() {
  first = undefined;
  show("bytes", "–");
  show("speed", "–");
  element("again").hidden = true;
  followProgress(location.pathname, (event, data) => {
    showProgress(event, data);
    showFigures(event, data);
    element("again").hidden = event !== "complete" && event !== "failed";
  });
}

element("again").addEventListener("click", watch);
watch();
