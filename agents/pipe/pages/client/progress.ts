import { element } from "./dom.ts";
import { size } from "./units.ts";

/** The progress of a transfer (spec, container services §4.2). */
export interface Progress {
  readonly sender?: boolean;
  readonly receivers?: number;
  readonly n?: number;
  readonly bytes?: number;
  readonly total?: number;
  readonly bytes_per_second?: number;
  readonly reason?: string;
}

export type ProgressEvent = keyof typeof STATES;

const STATES = {
  waiting: "Waiting",
  streaming: "Sending",
  progress: "Sending",
  complete: "Complete",
  failed: "Failed",
};

/** Shows the progress of a transfer: state, figures and bar. */
export function showProgress(
  event: ProgressEvent,
  { sender, receivers, n, bytes = 0, total, bytes_per_second: rate, reason }: Progress,
): void {
  const bar = element<HTMLProgressElement>("bar");
  const waits = event === "waiting";
  const missing = sender ? `Waiting for receivers: ${receivers} of ${n}` : "Waiting for a sender";
  element("state").textContent = waits ? missing : STATES[event];
  const speed = rate === undefined ? "" : `, ${size(rate)}/s`;
  element("figures").textContent = waits ? "" : `${size(bytes)}${total ? ` of ${size(total)}` : ""}${speed}`;
  if (event === "complete") bar.value = 1;
  else if (!waits && total !== undefined && total > 0) bar.value = bytes / total;
  else if (event === "failed") bar.value = 0;
  else bar.removeAttribute("value");
  const said = element("said");
  said.hidden = reason === undefined;
  said.className = "said bad";
  said.textContent = reason === undefined ? "" : `Not all of it arrived: ${reason}.`;
}

/** Follows the progress of a path until its transfer is over. Returns a function that stops following. */
export function followProgress(
  url: string,
  onEvent: (event: ProgressEvent, data: Progress) => void,
): () => void {
  const query = new URLSearchParams({ progress: "true" });
  // Visitors with a shared link have no other credential.
  const shared = new URLSearchParams(location.search).get("share_token");
  if (shared !== null) query.set("share_token", shared);
  const source = new EventSource(`${url}?${query}`, { withCredentials: true });
  for (const name of Object.keys(STATES) as ProgressEvent[]) {
    source.addEventListener(name, (message) => {
      if (name === "complete" || name === "failed") source.close();
      onEvent(name, JSON.parse(message.data));
    });
  }
  return () => source.close();
}
