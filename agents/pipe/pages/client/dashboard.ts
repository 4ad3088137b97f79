import { element } from "./dom.ts";
import { followProgress, showProgress } from "./progress.ts";
import { duration, size } from "./units.ts";

const show = (id: string, text: string) => {
  element(id).textContent = text;
};

function watch() {
  element("again").hidden = true;
  followProgress(location.pathname, (event, data) => {
    showProgress(event, data);
    const { bytes, total, bytes_per_second: rate, receivers } = data;
    if (bytes !== undefined) show("bytes", size(bytes));
    show("total", total === undefined ? "–" : size(total));
    if (receivers !== undefined) show("receivers", String(receivers));
    if (rate !== undefined) show("speed", `${size(rate)}/s`);
    show(
      "left",
      rate !== undefined && rate > 0 && total !== undefined ? duration((total - (bytes ?? 0)) / rate) : "–",
    );
    element("again").hidden = event !== "complete" && event !== "failed";
  });
}

element("again").addEventListener("click", watch);
watch();
