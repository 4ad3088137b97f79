import type RFB from "@novnc/novnc";
import { clipboardPanel } from "./clipboard.ts";
import { Connection } from "./connection.ts";
import { button, element } from "./element.ts";
import { touchKeyboard } from "./keyboard.ts";
import { stateMark, wordmark } from "./marks.ts";

/** Narrower, a desktop of the window's size would be of no use: it is scaled. */
const RESIZE_WIDTH_MIN = 700;

const root = document.getElementById("display") as HTMLElement;
const boot = { display: Number(root.dataset.display), readonly: root.dataset.readonly === "true" };

const screen = element("div", { class: "screen" });
const name = element("h1", {}, `Desktop :${boot.display}`);
const state = stateMark();
const notice = element("div", { class: "notice", role: "status" });
let isFitted = innerWidth >= RESIZE_WIDTH_MIN && !boot.readonly;

const connection = new Connection(
  screen,
  boot,
  {
    state(now, reason) {
      root.dataset.state = now;
      state.show(now);
      if (now === "connected") {
        notice.hidden = true;
        connection.rfb?.focus({ preventScroll: true });
      } else say(...wordsFor(now, reason));
    },
    clipboard: (text) => clipboard.received(text),
    name: (text) => {
      // One that Berth has started is called by its number alone.
      if (text !== `display :${boot.display}`) name.textContent = `${text} (:${boot.display})`;
      document.title = name.textContent;
    },
    password: askPassword,
  },
  fit,
);

function fit(rfb: RFB | null): void {
  if (rfb !== null) rfb.resizeSession = isFitted;
  fitting.setAttribute("aria-pressed", String(isFitted));
}

const clipboard = clipboardPanel(
  (text) => connection.rfb?.clipboardPasteFrom(text),
  () => copying.classList.add("news"),
);
const copying = button(
  "Clipboard",
  () => {
    clipboard.panel.hidden = !clipboard.panel.hidden;
    copying.classList.remove("news");
    copying.setAttribute("aria-expanded", String(!clipboard.panel.hidden));
  },
  { "aria-expanded": "false" },
);
const fitting = button(
  "Fit",
  () => {
    isFitted = !isFitted;
    fit(connection.rfb);
  },
  { title: "Give the display the size of this window; otherwise its picture is scaled" },
);
const keyboard = touchKeyboard(() => connection.rfb);
const typing = button("Keyboard", () => keyboard.focus(), { class: "touch" });
// The phone's keyboard would go and come.
typing.addEventListener("pointerdown", (event) => event.preventDefault());
const leaving = button("Ctrl+Alt+Del", () => connection.rfb?.sendCtrlAltDel(), { class: "wide" });
const growing = button(
  "Full screen",
  () => {
    if (document.fullscreenElement === null) void root.requestFullscreen();
    else void document.exitFullscreen();
  },
  { class: "wide" },
);

const tools = boot.readonly
  ? [element("span", { class: "soft" }, "Watching"), growing]
  : [copying, fitting, typing, leaving, growing];
root.append(
  element(
    "header",
    { class: "bar" },
    element("div", { class: "title" }, wordmark(), name, state.element),
    element("nav", { "aria-label": "Desktop" }, ...tools),
  ),
  element("div", { class: "workspace" }, screen, notice, clipboard.panel, keyboard),
);

type Words = readonly [title: string, text: string, action: string | null];

function wordsFor(state: "connecting" | "waiting" | "stopped", reason: string): Words {
  if (state === "connecting") return ["Connecting…", "A desktop that is not there yet is started.", null];
  const because = reason === "" ? "" : `${reason[0]?.toUpperCase()}${reason.slice(1)}. `;
  if (state === "waiting") return ["Connection lost", `${because}Trying again…`, "Try now"];
  return ["This desktop cannot be shown", because, "Try again"];
}

function say(title: string, text: string, action: string | null): void {
  const act = action === null ? [] : [button(action, () => connection.retry(), { class: "primary" })];
  notice.replaceChildren(element("strong", {}, title), element("p", {}, text), ...act);
  notice.hidden = false;
}

/** For a VNC server that somebody started with a password. */
function askPassword(isWrong: boolean): void {
  const field = element("input", { type: "password", "aria-label": "Password", autocomplete: "off" });
  const form = element(
    "form",
    {},
    element("strong", {}, isWrong ? "The password is wrong" : "This desktop has a password of its own"),
    field,
    element("button", { class: "primary" }, "Enter"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    connection.answer(field.value);
  });
  notice.replaceChildren(form);
  notice.hidden = false;
  field.focus();
}

fit(null);
connection.open();
