import { foregroundOn, LIGHT } from "../parameters/colours.ts";
import { stripUnsafe } from "../parameters/control-characters.ts";
import type { ServerMessage } from "../session/protocol.ts";
import { allowStyles, boot, cleanAddress } from "./boot.ts";
import { Clipboard } from "./clipboard.ts";
import { ClipboardConsent } from "./clipboard-consent.ts";
import { Connection } from "./connection.ts";
import { button, element } from "./element.ts";
import { acceptFiles, chooseFiles, download, takeOffers } from "./files.ts";
import { isFramed, tellFrame } from "./frame.ts";
import { keyRow } from "./keys.ts";
import { SidePanel } from "./panel.ts";
import { cleanPaste, guardClipboard } from "./safety.ts";
import { SearchBox } from "./search.ts";
import { SessionList } from "./sessions.ts";
import { makeToolbar } from "./toolbar.ts";
import { handleTouch, stayAboveKeyboard } from "./touch.ts";
import { View } from "./view.ts";

/** The page reloads itself at most once in this time. */
const RELOAD_MS_MIN = 10_000;
const NOTICE_MS = 4_000;

allowStyles();
cleanAddress();

const { appearance } = boot;
const root = document.getElementById("terminal") as HTMLElement;
root.className = "app";
root.style.setProperty("--background", appearance.backgroundColor);
if (foregroundOn(appearance.backgroundColor) !== LIGHT) document.documentElement.classList.add("light");
const screen = element("div", { class: "screen" });
const status = element("div", { class: "status", role: "status", hidden: true });
const workspace = element("div", { class: "workspace" }, screen);
const name = element("span", { class: "name" });
const viewers = element("span", { class: "viewers" });
root.append(workspace);
screen.append(status);

const view = new View(screen);
const { terminal } = view;
let sessionName: string | null = null;
let programTitle = "";
let isOver = false;

const paths = { socket: boot.socket, tokens: `${boot.sessions}/${boot.id}/tokens`, readonly: boot.readonly };
const connection = new Connection(paths, boot.token, {
  size: () => view.availableSize,
  output: (bytes, shown) => terminal.write(bytes, shown),
  message: received,
  state(state) {
    root.dataset.state = state;
    if (state === "connected") say(null);
    tellFrame({ state });
    if (state === "waiting") say("Connection lost. Reconnecting…");
    if (state === "forgotten") again();
    if (state === "crowded") say("Too many look at this session. Load the page again later.");
  },
});

function received(message: ServerMessage): void {
  if (message.type === "snapshot") {
    // Queued, so that it takes effect at its position in the output, like a new size.
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
  tellFrame({ state: "ended" });
  const how =
    signal !== null ? `was ended by ${signal}` : code !== null ? `ended with status ${code}` : "ended";
  const why = reason === null ? "" : `: ${reason}`;
  say(`The session ${how}${why}. ${boot.readonly ? "" : "Press Enter to start it again."}`);
  if (!boot.readonly) status.append(button("Start again", "Start again", () => location.reload()));
}

/** Reloads the page, since the server knows neither its token nor its session. */
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
  tellFrame({ title });
  // The page around it has a tab with the title.
  name.textContent = isFramed ? "" : title;
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
  connection.resized(view.availableSize);
}

function panelChanged(): void {
  fit();
  const isVisible = workspace.querySelector(".panel:not([hidden])") !== null;
  bar?.querySelector(".panel-switch")?.setAttribute("aria-pressed", String(isVisible));
}

const notice = (text: string) => say(text, NOTICE_MS);
const clipboard = new Clipboard(terminal, notice);
root.append(clipboard.root);

terminal.onData((text) => typed(keys.modify(text)));
terminal.onBinary((text) => {
  if (!boot.readonly) connection.inputBytes(Uint8Array.from(text, (char) => char.charCodeAt(0)));
});
terminal.onTitleChange((title) => {
  programTitle = stripUnsafe(title);
  showTitle();
});
const consent = new ClipboardConsent(
  (text) => clipboard.write(text),
  () => terminal.focus(),
);
screen.append(consent.root);
guardClipboard(terminal, {
  asked: (text) => consent.asked(text),
  tooLong: (charsMax) => notice(`A program wanted to copy more than ${charsMax} characters: it did not.`),
});
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
const panel = appearance.panel === null ? null : new SidePanel(appearance.panel, workspace, panelChanged);

const badge = element("span", { class: "badge", hidden: !boot.readonly }, "read-only");
const bar = appearance.toolbar
  ? makeToolbar(
      {
        terminal,
        sessions: () => void sessions.open(),
        search: () => search.open(),
        zoom(by) {
          view.zoom(by);
          fit();
        },
        copy: () => void clipboard.copy(),
        paste: () => void clipboard.paste(),
        upload: () => chooseFiles(say),
        download() {
          const path = prompt("File to download, from where the shell is");
          if (path) download(path);
        },
        panel,
      },
      [name, badge, viewers],
      () => terminal.focus(),
    )
  : null;
if (bar !== null) {
  root.prepend(bar);
  // Tab leads on from the tools, and not back into the terminal, which would keep it.
  const input = terminal.textarea;
  bar.addEventListener("focusin", () => input && (input.tabIndex = -1));
  bar.addEventListener("focusout", () => input && (input.tabIndex = 0));
}

terminal.attachCustomKeyEventHandler((event) => {
  // Tab belongs to the program, so another key must lead out of the terminal.
  if (event.ctrlKey && event.code === "F6") {
    event.preventDefault();
    const first = bar?.querySelector("button");
    if (event.type === "keydown" && consent.focus()) return false;
    if (event.type === "keydown" && first) first.focus();
    else if (event.type === "keydown") terminal.blur();
    return false;
  }
  if (!event.ctrlKey || !event.shiftKey) return true;
  const act = { KeyF: () => search.open(), KeyC: () => void clipboard.copy() }[event.code];
  if (act === undefined) return event.code !== "KeyV";
  event.preventDefault();
  if (event.type === "keydown") act();
  return false;
});

if (!boot.readonly) {
  root.append(keys.root);
  acceptFiles(screen, say);
  takeOffers(terminal);
}

handleTouch(terminal, screen);
stayAboveKeyboard(root);

// For the browser's console.
Object.assign(globalThis, { terminal });
showTitle();
new ResizeObserver(fit).observe(screen);
connection.open();
// The page around it says when it may have the keyboard, which somebody may be using there.
if (!isFramed) terminal.focus();
addEventListener("focus", () => document.activeElement === document.body && terminal.focus());
