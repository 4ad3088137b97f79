import type { ServerMessage } from "../session/protocol.ts";
import { allowStyles, boot, cleanAddress } from "./boot.ts";
import { Connection } from "./connection.ts";
import { button, element } from "./element.ts";
import { acceptFiles, download, takeOffers } from "./files.ts";
import { keyRow } from "./keys.ts";
import { SidePanel } from "./panel.ts";
import { cleanPaste, guardClipboard } from "./safety.ts";
import { SearchBox } from "./search.ts";
import { SessionList } from "./sessions.ts";
import { View } from "./view.ts";

/** Loading the page again is tried once in this time. */
const RELOAD_MS_MIN = 10_000;
const NOTICE_MS = 4_000;

allowStyles();
cleanAddress();

const { appearance } = boot;
const root = document.getElementById("terminal") as HTMLElement;
root.className = "app";
root.style.setProperty("--background", appearance.backgroundColor);
const screen = element("div", { class: "screen" });
const workspace = element("div", { class: "workspace" }, screen);
const status = element("div", { class: "status", role: "status", hidden: true });
const name = element("span", { class: "name" });
const viewers = element("span", { class: "viewers" });
root.append(workspace, status);

const view = new View(screen);
const { terminal } = view;
let sessionName: string | null = null;
let programTitle = "";
let isOver = false;

const paths = { socket: boot.socket, tokens: `${boot.sessions}/${boot.id}/tokens`, readonly: boot.readonly };
const connection = new Connection(paths, boot.token, {
  size: () => view.room,
  output: (bytes, shown) => terminal.write(bytes, shown),
  message: received,
  state(state) {
    root.dataset.state = state;
    if (state === "connected") say(null);
    if (state === "waiting") say("Connection lost. Reconnecting…");
    if (state === "forgotten") again();
  },
});

function received(message: ServerMessage): void {
  if (message.type === "snapshot") {
    // In its place among what is still to be written; so is a new size.
    terminal.write("", () => {
      terminal.reset();
      terminal.resize(message.cols, message.rows);
    });
  } else if (message.type === "size") {
    terminal.write("", () => terminal.resize(message.cols, message.rows));
  } else if (message.type === "attached" || message.type === "name") {
    sessionName = message.name;
    showTitle();
  } else if (message.type === "clients") {
    viewers.textContent = message.count > 1 ? `${message.count} viewers` : "";
  } else if (message.type === "notice") say(message.text, NOTICE_MS);
  else ended(message);
}

function ended({ code, signal, reason }: Extract<ServerMessage, { type: "exit" }>): void {
  isOver = true;
  const how =
    signal !== null ? `was ended by ${signal}` : code !== null ? `ended with status ${code}` : "ended";
  const why = reason === null ? "" : `: ${reason}`;
  say(`The session ${how}${why}. Press Enter to start it again.`);
}

/** The server knows neither this page nor its session: the page as a whole is asked for again. */
function again(): void {
  const key = "berth-terminal-reload";
  const before = Number(sessionStorage.getItem(key) ?? 0);
  if (Date.now() - before < RELOAD_MS_MIN) {
    say("This session is gone. Load the page again to start a new one.");
    return;
  }
  sessionStorage.setItem(key, String(Date.now()));
  location.reload();
}

let noticeTimer = 0;
function say(text: string | null, forMs?: number): void {
  clearTimeout(noticeTimer);
  status.hidden = text === null;
  status.textContent = text;
  if (forMs !== undefined) noticeTimer = window.setTimeout(() => say(null), forMs);
}

function showTitle(): void {
  const title = appearance.title ?? sessionName ?? (programTitle || `Terminal ${boot.id}`);
  document.title = title;
  name.textContent = title;
}

const keys = keyRow(typed, () => terminal.modes.applicationCursorKeysMode);

function typed(text: string): void {
  if (boot.readonly) return;
  if (isOver) {
    if (/[\r\n]/.test(text)) location.reload();
    return;
  }
  connection.input(text);
}

function fit(): void {
  connection.resized(view.room);
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    say("The browser did not let this page use the clipboard.", NOTICE_MS);
  }
}

async function paste(): Promise<void> {
  try {
    terminal.paste(cleanPaste(await navigator.clipboard.readText()));
  } catch {
    say("The browser did not let this page read the clipboard.", NOTICE_MS);
  }
  terminal.focus();
}

terminal.onData((text) => typed(keys.modify(text)));
terminal.onBinary((text) => {
  if (!boot.readonly) connection.inputBytes(Uint8Array.from(text, (char) => char.charCodeAt(0)));
});
terminal.onTitleChange((title) => {
  programTitle = title;
  showTitle();
});
guardClipboard(terminal, (text) => void copy(text));
screen.addEventListener(
  "paste",
  (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (!boot.readonly) terminal.paste(cleanPaste(event.clipboardData?.getData("text/plain") ?? ""));
  },
  { capture: true },
);

const search = new SearchBox(view.search, view.isDark, () => terminal.focus());
screen.append(search.root);
const sessions = new SessionList(() => terminal.focus());
root.append(sessions.root);
const panel = appearance.panel === null ? null : new SidePanel(appearance.panel, workspace, fit);

terminal.attachCustomKeyEventHandler((event) => {
  if (!event.ctrlKey || !event.shiftKey) return true;
  const act = { KeyF: () => search.open(), KeyC: () => void copy(terminal.getSelection()) }[event.code];
  if (act === undefined) return event.code !== "KeyV";
  event.preventDefault();
  if (event.type === "keydown") act();
  return false;
});

if (appearance.toolbar) {
  const zoom = (by: number) => {
    view.zoom(by);
    fit();
  };
  const bar = element(
    "header",
    { class: "toolbar", role: "toolbar", "aria-label": "Terminal" },
    name,
    element("span", { class: "badge", hidden: !boot.readonly }, "read-only"),
    viewers,
    button("Sessions", "☰", () => void sessions.open()),
    button("Search", "Find", () => search.open()),
    button("Smaller text", "A−", () => zoom(-1)),
    button("Larger text", "A+", () => zoom(1)),
    button("Copy", "Copy", () => void copy(terminal.getSelection())),
    ...(boot.readonly
      ? []
      : [
          button("Paste", "Paste", () => void paste()),
          button("Download a file", "↓", () => {
            const path = prompt("File to download, from where the shell is");
            if (path) download(path);
          }),
        ]),
    ...(panel === null
      ? []
      : [
          button("Side panel", "Panel", () => {
            panel.show(!panel.isVisible);
            fit();
          }),
        ]),
  );
  root.prepend(bar);
}
if (!boot.readonly) {
  root.append(keys.root);
  acceptFiles(screen, say);
  takeOffers(terminal);
}

// In reach of the browser's console.
Object.assign(globalThis, { terminal });
showTitle();
new ResizeObserver(fit).observe(screen);
connection.open();
terminal.focus();
