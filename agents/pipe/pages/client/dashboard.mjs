import { element } from "./dom.mjs";
import { follow, showProgress } from "./progress.mjs";
import { duration, size } from "./units.mjs";

const show = (id, text) => {
  element(id).textContent = text;
};

function watch() {
  element("again").hidden = true;
  follow(location.pathname, (event, data) => {
    showProgress(event, data);
    const { bytes, total, bytes_per_second: rate, receivers } = data;
    if (bytes !== undefined) show("bytes", size(bytes));
    show("total", total === undefined ? "–" : size(total));
    if (receivers !== undefined) show("receivers", String(receivers));
    if (rate !== undefined) show("speed", `${size(rate)}/s`);
    show("left", rate > 0 && total !== undefined ? duration((total - bytes) / rate) : "–");
    element("again").hidden = event !== "complete" && event !== "failed";
  });
}

element("again").addEventListener("click", watch);
watch();
