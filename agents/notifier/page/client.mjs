const API = "/api/v1/notifications/";
/** What the page holds at most; older ones are a click away. */
const SHOWN_MAX = 500;
/** After a refusal, which browsers take for final. */
const RETRY_MS = 5_000;
const element = (id) => document.getElementById(id);
const boot = JSON.parse(element("boot").textContent);

let display = "";
let source;
let retry;
let cursor = null;
/** Which display and filter an answer belongs to: one that comes late is of another. */
let view = 0;

element("displays").replaceChildren(
  ...boot.displays.map((name) => {
    const option = document.createElement("option");
    option.value = name;
    return option;
  }),
);

const named = (text) => `:${text.replace(/^:/, "")}`;
const wanted = new URLSearchParams(location.search).get("display");
element("display").value = named(wanted ?? boot.displays[0] ?? ":0");
element("filter").addEventListener("submit", (event) => {
  event.preventDefault();
  show(named(element("display").value));
});
element("all").addEventListener("change", () => reload());
element("more").addEventListener("click", () => older());
if (element("filter").checkValidity()) show(element("display").value);
else problem("The address names no display.");

function show(name) {
  display = name;
  element("display").value = name;
  history.replaceState(null, "", `?display=${encodeURIComponent(name)}`);
  clearTimeout(retry);
  source?.close();
  // The stream first, so that nothing falls between it and the history.
  source = new EventSource(`${API}stream?display=${encodeURIComponent(name)}`);
  state("Connecting…", "");
  source.addEventListener("open", () => {
    state("Live", "live");
    reload();
  });
  source.addEventListener("error", ({ target }) => {
    state("Not connected; trying again…", "lost");
    if (target.readyState !== EventSource.CLOSED) return;
    retry = setTimeout(() => show(name), RETRY_MS);
    reload();
  });
  source.addEventListener("notification", ({ data }) => {
    const record = JSON.parse(data);
    place(record);
    element("news").textContent = `${record.title}. ${record.body}`;
  });
  for (const type of ["dismissed", "undismissed", "action"]) {
    source.addEventListener(type, ({ data }) => place(JSON.parse(data)));
  }
  source.addEventListener("reset", () => reload());
}

function state(text, name) {
  element("state").textContent = text;
  element("state").className = name;
}

function problem(text) {
  element("problem").textContent = text ?? "";
  element("problem").hidden = text === null;
}

async function ask(path, options) {
  const response = await fetch(API + path, options);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.details ?? answer.message ?? `answered ${response.status}`);
  return answer;
}

async function page(after) {
  const query = new URLSearchParams({ limit: "50" });
  if (!element("all").checked) query.set("dismissed", "false");
  if (after !== null) query.set("cursor", after);
  return ask(`${encodeURIComponent(display)}?${query}`);
}

async function reload() {
  const mine = ++view;
  try {
    const { notifications, next_cursor } = await page(null);
    if (mine !== view) return;
    const known = [...element("list").children].filter((item) => item.display === display);
    // What came live meanwhile is newer than the answer.
    const fresh = known.filter((item) => item.view === mine);
    element("list").replaceChildren(...fresh);
    const ids = new Set(fresh.map((item) => item.record.id));
    for (const record of notifications) if (!ids.has(record.id)) element("list").append(itemOf(record));
    more(next_cursor);
    problem(null);
  } catch (error) {
    if (mine === view) problem(`The history can't be read: ${error.message}`);
  }
}

async function older() {
  const mine = view;
  try {
    const { notifications, next_cursor } = await page(cursor);
    if (mine !== view) return;
    for (const record of notifications)
      if (find(record.id) === undefined) element("list").append(itemOf(record));
    more(next_cursor);
  } catch (error) {
    problem(`Older ones can't be read: ${error.message}`);
  }
}

function more(next) {
  cursor = next;
  element("more").hidden = next === null;
  element("empty").hidden = element("list").children.length > 0;
}

const find = (id) => [...element("list").children].find((item) => item.record.id === id);

/** A record as it is now: where it was, or on top when it is new. */
function place(record) {
  const old = find(record.id);
  const hadFocus = old?.contains(document.activeElement);
  const isShown = element("all").checked || !record.dismissed;
  const next = old?.nextElementSibling ?? old?.previousElementSibling;
  if (isShown) {
    const item = itemOf(record);
    if (old === undefined) element("list").prepend(item);
    else old.replaceWith(item);
    if (hadFocus) item.querySelector("button").focus();
  } else {
    old?.remove();
    // Who dismisses by keyboard goes on with the next.
    if (hadFocus) (next?.querySelector("button") ?? element("display")).focus();
  }
  while (element("list").children.length > SHOWN_MAX) element("list").lastElementChild.remove();
  element("empty").hidden = element("list").children.length > 0;
}

function itemOf(record) {
  const item = element("notice").content.cloneNode(true).firstElementChild;
  const part = (selector) => item.querySelector(selector);
  Object.assign(item, { record, display, view });
  item.className = `${record.urgency}${record.dismissed ? " dismissed" : ""}`;
  part("h2").textContent = record.title;
  part(".body").textContent = record.body;
  part("time").dateTime = record.created_at;
  part("time").textContent = new Date(record.created_at).toLocaleString();
  reveal(part(".urgency"), record.urgency === "normal" ? null : record.urgency);
  const chosen = record.actions.find(({ name }) => name === record.action);
  reveal(part(".choice"), chosen ? `answered: ${chosen.label}` : null);
  reveal(part(".error"), record.error === null ? null : `Not shown: ${record.error}`);
  if (record.icon_id !== null) {
    part(".icon").src = `${API}icons/${record.icon_id}`;
    part(".icon").hidden = false;
    part(".icon").addEventListener("error", ({ target }) => target.remove());
  }
  const button = part("button");
  button.textContent = record.dismissed ? "Restore" : "Dismiss";
  button.setAttribute("aria-label", `${button.textContent}: ${record.title}`);
  button.addEventListener("click", () => dismiss(record, button));
  return item;
}

function reveal(part, text) {
  part.textContent = text ?? "";
  part.hidden = text === null;
}

async function dismiss(record, button) {
  button.setAttribute("aria-busy", "true");
  try {
    const changed = await ask("dismiss", {
      method: record.dismissed ? "DELETE" : "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ display: record.display, id: record.id }),
    });
    problem(null);
    // The stream tells it too, unless it is just away.
    if (record.display === display && find(record.id)?.record.dismissed === record.dismissed) place(changed);
  } catch (error) {
    problem(`That did not work: ${error.message}`);
  } finally {
    button.removeAttribute("aria-busy");
  }
}
