import { escapePath } from "../../pipe-path.ts";
import { copiesOn, copy } from "./copy.ts";
import { element } from "./dom.ts";
import { followProgress, type Progress, type ProgressEvent, showProgress } from "./progress.ts";
import { shareToken } from "./share.ts";
import { size } from "./units.ts";

const PREFIX = `${location.origin}/api/v1/pipe/`;
/** `curlTrust` is null where nobody has to sign in. */
const boot = JSON.parse(element("boot").textContent) as { curlTrust: string | null };
const nameOf = (typed: string) => typed.trim().replace(/^\/+/, "");
const path = (typed: string) => escapePath(nameOf(typed));
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const field = (id: string) => element<HTMLInputElement>(id);

// -- tabs

const tabs = [element("tab-send"), element("tab-receive")];

function select(chosen: HTMLElement): void {
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", String(tab === chosen));
    tab.tabIndex = tab === chosen ? 0 : -1;
    element(tab.getAttribute("aria-controls") ?? "").hidden = tab !== chosen;
  }
}

for (const [at, tab] of tabs.entries()) {
  tab.addEventListener("click", () => select(tab));
  tab.addEventListener("keydown", ({ key }) => {
    if (key !== "ArrowLeft" && key !== "ArrowRight") return;
    const other = tabs[1 - at] ?? tab;
    select(other);
    other.focus();
  });
}

// -- sending

const form = element<HTMLFormElement>("send-form");
const fileInput = element<HTMLInputElement>("file");
let file: File | undefined;
let stop: (() => void) | undefined;

const isText = () => (form.elements.namedItem("kind") as RadioNodeList).value === "text";
const sendUrl = () => {
  const n = Number(field("send-n").value);
  return `${PREFIX}${path(field("send-path").value)}${n > 1 ? `?n=${n}` : ""}`;
};

function command(url: string): string {
  const output = isText() ? "" : `-o ${quoted(file?.name ?? "file")}`;
  return ["curl -f", boot.curlTrust, output, quoted(url)].filter(Boolean).join(" ");
}

function showLinks(): void {
  element("link").textContent = sendUrl();
  element("curl").textContent = command(sendUrl());
}

/** The address that others can open. */
async function sharedUrl(): Promise<string> {
  const url = new URL(sendUrl());
  if (boot.curlTrust !== null)
    url.searchParams.set("share_token", await shareToken(nameOf(field("send-path").value)));
  return url.href;
}

element("share-hint").hidden = boot.curlTrust === null;
copiesOn(element("copy-link"), element("link"), sharedUrl);
copiesOn(element("copy-curl"), element("curl"), async () => command(await sharedUrl()));

function choose(chosen: File | undefined): void {
  file = chosen;
  element("file-name").textContent =
    file === undefined ? "Nothing chosen" : `${file.name} (${size(file.size)})`;
  showLinks();
}

form.addEventListener("input", () => {
  element("file-field").hidden = isText();
  element("text-field").hidden = !isText();
  showLinks();
});
fileInput.addEventListener("change", () => choose(fileInput.files?.[0]));

const drop = element("drop");
for (const name of ["dragover", "dragleave", "drop"] as const) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", name === "dragover");
    const dropped = event.dataTransfer?.files[0];
    if (name === "drop" && dropped !== undefined) choose(dropped);
  });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = element<HTMLTextAreaElement>("text").value;
  const body = isText() ? new Blob([text], { type: "text/plain;charset=utf-8" }) : file;
  if (body === undefined) {
    fileInput.focus();
    showMessage("Choose a file first.", true);
  } else {
    send(body);
  }
});

/**
 * Sends a body. A browser reads the response only after the upload, so the path's progress events show the state
 * until then.
 */
function send(body: Blob): void {
  const aborter = new AbortController();
  const url = sendUrl();
  let ended = false;
  const end = (event: ProgressEvent, data: Progress) => {
    if (ended) return;
    ended = true;
    unfollow();
    stop = undefined;
    setSending(false);
    showProgress(event, data);
  };
  const unfollow = followProgress(url.split("?")[0] ?? url, (event, data) => {
    if (event === "complete" || event === "failed") end(event, data);
    else if (!ended) showProgress(event, data);
  });
  const headers: Record<string, string> = { "Content-Type": body.type || "application/octet-stream" };
  if (file !== undefined && body === file) {
    const ascii = file.name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
    const full = encodeURIComponent(file.name).replace(
      /['()*]/g,
      (char) => `%${char.charCodeAt(0).toString(16)}`,
    );
    headers["Content-Disposition"] = `attachment; filename="${ascii}"; filename*=UTF-8''${full}`;
  }
  stop = () => aborter.abort();
  setSending(true);
  showProgress("waiting", { sender: true, receivers: 0, n: Number(field("send-n").value) });
  put(url, headers, body, aborter.signal).then(
    (last) => {
      if (last === "Transfer complete.") end("complete", { bytes: body.size });
      else end("failed", { reason: last.replace(/\.$/, "") });
    },
    (error: unknown) => {
      const broke = navigator.onLine ? "the connection to the pipe broke" : "this device is offline";
      end("failed", { reason: aborter.signal.aborted ? "you cancelled it" : broke });
      if (error instanceof RefusedUpload) showMessage(`It was not sent. ${error.message}`, true);
    },
  );
}

/** The pipe, or an edge in front of it, refused an upload, with the reason. */
class RefusedUpload extends Error {}

/**
 * Uploads, and returns the last line of the response. It bypasses the browser's cache, which would make this request
 * wait for a receiver of the same URL in this browser.
 */
async function put(
  url: string,
  headers: Record<string, string>,
  body: Blob,
  signal: AbortSignal,
): Promise<string> {
  const response = await fetch(url, { method: "PUT", headers, body, signal, cache: "no-store" });
  const lines = (await response.text()).trimEnd().split("\n");
  if (!response.ok) {
    const isOver = response.status === 401;
    const said = isOver ? "Your sign-in is over: sign in again, then reload this page." : lines.at(-1);
    throw new RefusedUpload((said ?? "").replace(/^\[\w+\] /, ""));
  }
  return (lines.at(-1) ?? "").replace(/^\[\w+\] /, "");
}

function setSending(sending: boolean): void {
  element("status").hidden = false;
  element("cancel").hidden = !sending;
  element("status").classList.remove("message");
  if (sending) element("status").scrollIntoView({ block: "nearest" });
  element<HTMLButtonElement>("start").disabled = sending;
  for (const control of form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea"))
    control.disabled = sending;
}

function showMessage(text: string, bad: boolean): void {
  element("status").hidden = false;
  element("status").classList.add("message");
  element("status").scrollIntoView({ block: "nearest" });
  element("said").hidden = false;
  element("said").className = bad ? "said bad" : "said";
  element("said").textContent = text;
}

element("cancel").addEventListener("click", () => stop?.());
addEventListener("beforeunload", (event) => {
  if (stop !== undefined) event.preventDefault();
});

// -- receiving

field("receive-path").addEventListener("input", () => {
  const n = /[?&]n=(\d+)/.exec(field("receive-path").value)?.[1];
  if (n !== undefined) field("receive-n").value = n;
});

element("receive-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const given = field("receive-path").value.trim();
  const name = given.startsWith(PREFIX) ? (given.slice(PREFIX.length).split("?")[0] ?? "") : path(given);
  const n = Number(field("receive-n").value);
  const url = (query: Record<string, string>) =>
    `${PREFIX}${name}?${new URLSearchParams(n > 1 ? { n: String(n), ...query } : query)}`;
  const how = (event.submitter as HTMLButtonElement | null)?.value ?? "download";
  if (how === "text") receiveText(url({}));
  // A navigation cannot bypass the browser's cache, but a different URL has a separate entry.
  else if (how === "download")
    location.href = url({ download: "true", once: String(crypto.getRandomValues(new Uint32Array(1))[0]) });
  else open(url({ [how]: "true" }), "_blank", "noopener");
});

/** The longest text that is shown; more would make the page slow. Downloads have no limit. */
const SHOWN_CHARS_MAX = 1_000_000;

async function receiveText(url: string): Promise<void> {
  const state = element("shown-state");
  const area = element<HTMLTextAreaElement>("shown-text");
  element("shown").hidden = false;
  state.textContent = "Waiting for a sender";
  area.value = "";
  try {
    const response = await fetch(url, { credentials: "same-origin", cache: "no-store" });
    if (response.body === null) return;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    state.textContent = response.ok ? "Receiving" : "Refused";
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      area.value += step.value;
      if (area.value.length <= SHOWN_CHARS_MAX) continue;
      await reader.cancel();
      state.textContent = "Too long to be shown here: download it";
      return;
    }
    if (response.ok) state.textContent = "Complete";
  } catch {
    state.textContent = "Not all of it arrived";
  }
}

for (const button of document.querySelectorAll<HTMLElement>("[data-copy]")) {
  const source = element<HTMLTextAreaElement>(button.dataset.copy ?? "");
  button.addEventListener("click", () => void copy(source.value, source, button));
}

const letters = crypto.getRandomValues(new Uint8Array(8));
field("send-path").value = Array.from(letters, (byte) => "abcdefghjkmnpqrstuvwxyz23456789"[byte % 31]).join(
  "",
);
showLinks();
