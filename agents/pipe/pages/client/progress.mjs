import { element } from "./dom.mjs";
import { size } from "./units.mjs";

const STATES = {
  waiting: "Waiting",
  streaming: "Sending",
  progress: "Sending",
  complete: "Complete",
  failed: "Failed",
};

/** Shows what is told of a transfer: state, figures and bar. */
export function showProgress(
  event,
  { sender, receivers, n, bytes = 0, total, bytes_per_second: rate, reason },
) {
  const bar = element("bar");
  const waits = event === "waiting";
  const missing = sender ? `Waiting for receivers: ${receivers} of ${n}` : "Waiting for a sender";
  element("state").textContent = waits ? missing : STATES[event];
  const speed = rate === undefined ? "" : `, ${size(rate)}/s`;
  element("figures").textContent = waits ? "" : `${size(bytes)}${total ? ` of ${size(total)}` : ""}${speed}`;
  if (event === "complete") bar.value = 1;
  else if (!waits && total > 0) bar.value = bytes / total;
  else if (event === "failed") bar.value = 0;
  else bar.removeAttribute("value");
  const said = element("said");
  said.hidden = reason === undefined;
  said.className = "said bad";
  said.textContent = reason === undefined ? "" : `Not all of it arrived: ${reason}.`;
}

/** Follows a path's progress until its transfer is over. Returns what stops it. */
export function follow(url, onEvent) {
  const source = new EventSource(`${url}?progress=true`, { withCredentials: true });
  for (const name of Object.keys(STATES)) {
    source.addEventListener(name, (message) => {
      if (name === "complete" || name === "failed") source.close();
      onEvent(name, JSON.parse(message.data));
    });
  }
  return () => source.close();
}
