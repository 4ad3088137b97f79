import { relativeTime } from "./time.ts";

const API = "/api/v1/notifications/";
/** How often relative times are updated. */
const TICK_MS = 60_000;
/** A longer body is clamped until the reader expands it. */
const CLAMPED_CHARS_MIN = 320;
const CLAMPED_LINES_MIN = 6;
/** The largest number of notices on the page; a button loads older ones. */
const SHOWN_MAX = 500;
/** The pause after a refused stream, which browsers do not retry by themselves. */
const RETRY_MS = 5_000;
/** How often displays are asked for: a new one has no stream that this page reads. */
const DISPLAYS_MS = 15_000;
/** How soon the counts follow what is shown. */
const COUNT_MS = 5_000;
/** The first desktop of a container. */
const FIRST_DISPLAY = ":1";
/** Where the browser keeps which display was shown last. */
const REMEMBERED = "berth.notifications.display";

interface Action {
  readonly name: string;
  readonly label: string;
}

interface NotificationRecord {
  readonly id: string;
  readonly display: string;
  readonly title: string;
  readonly body: string;
  readonly urgency: string;
  readonly created_at: string;
  readonly dismissed: boolean;
  readonly error: string | null;
  readonly icon_id: string | null;
  readonly action: string | null;
  readonly actions: readonly Action[];
  readonly source: string | null;
  readonly user_id: string | null;
}

interface Display {
  readonly display: string;
  /** How many of its notifications are not dismissed. */
  readonly active: number;
}

interface HistoryPage {
  readonly notifications: readonly NotificationRecord[];
  readonly next_cursor: string | null;
}

/** An item of the list, with the record that it shows. */
type Item = HTMLElement & { record: NotificationRecord; display: string; view: number };

function element<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element "${id}"`);
  return found as Kind;
}

const field = (id: string) => element<HTMLInputElement>(id);
const items = () => [...element("list").children] as Item[];
const boot = JSON.parse(element("boot").textContent ?? "{}") as {
  curlArguments: string;
};

/** The display that is shown; empty until one is chosen. */
let display = "";
let source: EventSource | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
let counting: ReturnType<typeof setTimeout> | undefined;
let cursor: string | null = null;
/** Identifies the present display and filter, so that a late response for another one is ignored. */
let view = 0;

const named = (text: string) => `:${text.replace(/^:/, "")}`;
element("filter").addEventListener("submit", (event) => {
  event.preventDefault();
  show(named(field("display").value));
});
element("all").addEventListener("change", () => reload());
element("more").addEventListener("click", () => older());
element("dismiss-all").addEventListener("click", () => dismissAll());
element("test").addEventListener("click", () => sendTest());
setInterval(() => {
  for (const item of items()) showTime(item);
}, TICK_MS);
setInterval(() => refreshDisplays(), DISPLAYS_MS);
document.addEventListener("visibilitychange", () => refreshDisplays());
begin();

/** Shows the display of the address, else the one that was shown last, else the only one that there is. */
function begin(): void {
  const wanted = new URLSearchParams(location.search).get("display");
  field("display").value = wanted === null ? (remembered() ?? "") : named(wanted);
  if (element<HTMLFormElement>("filter").checkValidity()) show(field("display").value);
  else {
    if (wanted !== null) problem("The address names no display.");
    field("display").value = "";
    state("No display chosen", "");
    showEmpty();
  }
  refreshDisplays();
}

function remembered(): string | null {
  try {
    return localStorage.getItem(REMEMBERED);
  } catch {
    // In a frame of another site a browser may keep nothing.
    return null;
  }
}

function remember(name: string): void {
  try {
    localStorage.setItem(REMEMBERED, name);
  } catch {
    // The address has it too.
  }
}

/** Buttons of the displays that have had notifications, with how many of them are not dismissed. */
async function refreshDisplays(): Promise<void> {
  if (document.hidden) return;
  const { displays } = await request<{ displays: Display[] }>("displays").catch(() => ({ displays: [] }));
  const only = displays.length === 1 ? displays[0] : undefined;
  if (display === "" && only !== undefined) show(only.display);
  element("choose-known").textContent =
    displays.length === 0
      ? "None has had a notification yet: type the one that you look at."
      : "These have had notifications: choose one above, or type another.";
  const focused = (document.activeElement as HTMLElement | null)?.dataset.display;
  element("displays").replaceChildren(...displays.map(displayButton));
  if (focused !== undefined) document.querySelector<HTMLElement>(`[data-display="${focused}"]`)?.focus();
}

/** What is shown has changed: many changes at once are one question. */
function countSoon(): void {
  if (counting !== undefined) return;
  counting = setTimeout(() => {
    counting = undefined;
    void refreshDisplays();
  }, COUNT_MS);
}

function displayButton({ display: name, active }: Display): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.display = name;
  button.textContent = active === 0 ? name : `${name} (${active})`;
  button.setAttribute("aria-pressed", String(name === display));
  button.addEventListener("click", () => show(name));
  return button;
}

function show(name: string): void {
  display = name;
  remember(name);
  for (const button of element("displays").children)
    button.setAttribute("aria-pressed", String((button as HTMLElement).dataset.display === name));
  field("display").value = name;
  history.replaceState(null, "", `?display=${encodeURIComponent(name)}`);
  clearTimeout(retry);
  source?.close();
  // The stream is opened before the history is read, so that no notice is missed between them.
  source = new EventSource(`${API}stream?display=${encodeURIComponent(name)}`);
  state("Connecting…", "");
  source.addEventListener("open", () => {
    state("Live", "live");
    reload();
  });
  source.addEventListener("error", () => {
    state("Not connected; trying again…", "lost");
    if (source?.readyState !== EventSource.CLOSED) return;
    retry = setTimeout(() => show(name), RETRY_MS);
    reload();
  });
  source.addEventListener("notification", ({ data }) => {
    const record = JSON.parse(data) as NotificationRecord;
    place(record);
    element("news").textContent = `${record.title}. ${record.body}`;
  });
  for (const type of ["dismissed", "undismissed", "action"]) {
    source.addEventListener(type, ({ data }) => place(JSON.parse(data)));
  }
  source.addEventListener("reset", () => reload());
}

function state(text: string, name: string): void {
  element("state").textContent = text;
  element("state").className = name;
}

function problem(text: string | null): void {
  element("problem").textContent = text ?? "";
  element("problem").hidden = text === null;
}

async function request<Reply>(path: string, options?: RequestInit): Promise<Reply> {
  const response = await fetch(API + path, options);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.details ?? answer.message ?? `answered ${response.status}`);
  return answer as Reply;
}

async function page(after: string | null): Promise<HistoryPage> {
  const query = new URLSearchParams({ limit: "50" });
  if (!field("all").checked) query.set("dismissed", "false");
  if (after !== null) query.set("cursor", after);
  return request<HistoryPage>(`${encodeURIComponent(display)}?${query}`);
}

async function reload(): Promise<void> {
  const mine = ++view;
  try {
    const { notifications, next_cursor } = await page(null);
    if (mine !== view) return;
    const known = items().filter((item) => item.display === display);
    // Notices that arrived live meanwhile are newer than the response.
    const fresh = known.filter((item) => item.view === mine);
    element("list").replaceChildren(...fresh);
    const ids = new Set(fresh.map((item) => item.record.id));
    for (const record of notifications) if (!ids.has(record.id)) element("list").append(itemOf(record));
    more(next_cursor);
    problem(null);
  } catch (error) {
    if (mine === view) problem(`The history can't be read: ${(error as Error).message}`);
  }
}

async function older(): Promise<void> {
  const mine = view;
  try {
    const { notifications, next_cursor } = await page(cursor);
    if (mine !== view) return;
    for (const record of notifications)
      if (find(record.id) === undefined) element("list").append(itemOf(record));
    more(next_cursor);
  } catch (error) {
    problem(`Older ones can't be read: ${(error as Error).message}`);
  }
}

function more(next: string | null): void {
  cursor = next;
  element("more").hidden = next === null;
  showEmpty();
}

/** The display that the example and the test notice are for. */
function exampleDisplay(): string {
  return display || FIRST_DISPLAY;
}

function showEmpty(): void {
  element("empty").hidden = element("list").children.length > 0;
  element("dismiss-all").hidden = !items().some(({ record }) => !record.dismissed);
  element("choose").hidden = display !== "";
  element("empty-title").textContent = display === "" ? "Which display?" : `Nothing on display ${display}`;
  element("test").textContent = `Send a test notification to ${exampleDisplay()}`;
  const body = JSON.stringify({
    display: exampleDisplay(),
    title: "Backup done",
    body: "12.4 GB, nothing failed",
  });
  const curl = ["curl", boot.curlArguments, "-H 'Content-Type: application/json'"].filter(Boolean).join(" ");
  element("token-hint").hidden = !boot.curlArguments.includes("$TOKEN");
  element("example").textContent = `${curl} ${location.origin}${API}notify \\\n  -d '${body}'`;
}

const find = (id: string) => items().find((item) => item.record.id === id);

/** Shows a record: in its former place, or on top if it is new. */
function place(record: NotificationRecord): void {
  const old = find(record.id);
  const hadFocus = old?.contains(document.activeElement);
  const isShown = field("all").checked || !record.dismissed;
  const next = old?.nextElementSibling ?? old?.previousElementSibling;
  if (isShown) {
    const item = itemOf(record);
    if (old === undefined) element("list").prepend(item);
    else old.replaceWith(item);
    if (hadFocus) item.querySelector<HTMLElement>(".dismiss")?.focus();
  } else {
    old?.remove();
    // The focus moves to the next notice for users of the keyboard.
    if (hadFocus) (next?.querySelector<HTMLElement>(".dismiss") ?? element("display")).focus();
  }
  countSoon();
  while (element("list").children.length > SHOWN_MAX) element("list").lastElementChild?.remove();
  showEmpty();
}

function itemOf(record: NotificationRecord): Item {
  const item = (element<HTMLTemplateElement>("notice").content.cloneNode(true) as DocumentFragment)
    .firstElementChild as Item;
  const part = <Kind extends HTMLElement = HTMLElement>(selector: string) => {
    const found = item.querySelector<Kind>(selector);
    if (found === null) throw new Error(`the template of a notification has no ${selector}`);
    return found;
  };
  Object.assign(item, { record, display, view });
  item.className = record.urgency;
  item.classList.toggle("dismissed", record.dismissed);
  item.classList.toggle("failed", record.error !== null);
  part("h2").textContent = record.title;
  part(".body").textContent = record.body;
  if (record.body.length > CLAMPED_CHARS_MIN || record.body.split("\n").length > CLAMPED_LINES_MIN)
    clamp(part(".body"), part(".whole"));
  part<HTMLTimeElement>("time").dateTime = record.created_at;
  part("time").title = new Date(record.created_at).toLocaleString();
  showTime(item);
  reveal(part(".urgency"), record.urgency === "normal" ? null : record.urgency);
  reveal(part(".source"), sourceOf(record));
  part(".source").title = record.user_id === null ? "" : `sent by user ${record.user_id}`;
  const chosen = record.actions.find(({ name }) => name === record.action);
  reveal(part(".choice"), chosen ? `answered: ${chosen.label}` : null);
  reveal(part(".error"), record.error === null ? null : `Not shown: ${record.error}`);
  if (record.icon_id !== null) {
    part<HTMLImageElement>(".icon").src = `${API}icons/${record.icon_id}`;
    part(".icon").hidden = false;
    part(".icon").addEventListener("error", () => part(".icon").remove());
  }
  const button = part(".dismiss");
  button.textContent = record.dismissed ? "Restore" : "Dismiss";
  button.setAttribute("aria-label", `${button.textContent}: ${record.title}`);
  button.addEventListener("click", () => dismiss(record, button));
  return item;
}

function sourceOf({ source, user_id }: NotificationRecord): string | null {
  if (source !== null) return `from ${source}`;
  return user_id === null ? null : `from user ${user_id.slice(0, 8)}…`;
}

function showTime(item: Item): void {
  const time = item.querySelector("time");
  if (time !== null) time.textContent = relativeTime(new Date(item.record.created_at), new Date());
}

function clamp(body: HTMLElement, button: HTMLElement): void {
  body.classList.add("clamped");
  button.hidden = false;
  button.addEventListener("click", () => {
    const isClamped = body.classList.toggle("clamped");
    button.textContent = isClamped ? "Show all" : "Show less";
  });
}

function reveal(part: HTMLElement, text: string | null): void {
  part.textContent = text ?? "";
  part.hidden = text === null;
}

async function dismiss(record: NotificationRecord, button: HTMLElement): Promise<void> {
  button.setAttribute("aria-busy", "true");
  try {
    const changed = await request<NotificationRecord>("dismiss", {
      method: record.dismissed ? "DELETE" : "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ display: record.display, id: record.id }),
    });
    problem(null);
    // The stream sends the change too, unless it is disconnected at the moment.
    if (record.display === display && find(record.id)?.record.dismissed === record.dismissed) place(changed);
  } catch (error) {
    problem(`That did not work: ${(error as Error).message}`);
  } finally {
    button.removeAttribute("aria-busy");
  }
}

const post = <Reply>(path: string, body: object): Promise<Reply> =>
  request<Reply>(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

async function dismissAll(): Promise<void> {
  try {
    await post("dismiss", { display, all: true });
    problem(null);
    // Notices that are not shown may have changed too.
    await reload();
  } catch (error) {
    problem(`That did not work: ${(error as Error).message}`);
  }
}

/** Sends a test notice. Its result appears in the list, even if no desktop accepted it. */
async function sendTest(): Promise<void> {
  if (display === "") show(exampleDisplay());
  try {
    await post("notify", {
      display,
      title: "Test",
      body: "Notifications of this display arrive.",
      source: "this page",
    });
    problem(null);
  } catch (error) {
    problem(`The test was not shown: ${(error as Error).message}`);
    await reload();
  }
}
