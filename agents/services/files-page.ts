import { BASE_STYLE } from "../web/base-style.ts";
import { renderPage } from "../web/page.ts";
import { asText, inAddress } from "./file-names.ts";
import type { Entry, Listing } from "./listing.ts";

const STYLE = `${BASE_STYLE}
main { max-width: 60rem; }
h1 { font-size: 1.15rem; font-weight: 600; overflow-wrap: anywhere; margin-bottom: 1rem; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 500; color: var(--soft); font-size: .9rem; }
th, td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); }
tbody tr:last-child td { border-bottom: 0; }
td:nth-child(n+2), th:nth-child(n+2) { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td:nth-child(n+2) { color: var(--soft); }
td:last-child, th:last-child { padding-right: 0; }
td:first-child { overflow-wrap: anywhere; }
a { text-decoration: none; } a:hover { text-decoration: underline; }
.note { color: var(--soft); margin: 0; }
@media (max-width: 30rem) { td:nth-child(3), th:nth-child(3) { display: none; } td:nth-child(2), th:nth-child(2) { padding-right: 0; } }`;

/** Unicode's symbols for control characters begin here. */
const PICTURES = 0x2400;

/** Marks the position of the rows in a page; no text contains this character. */
const ROWS = "\0";

/**
 * A folder as a page without scripts. It is generated in pieces, so that it is never in memory as a whole.
 * @param path in Latin-1, as from `pathOf`
 */
export function folderPage(
  path: string,
  { entries, isCut }: Listing,
): { policy: string; pieces: Iterable<string> } {
  const steps = path.split("/").filter((step) => step !== "");
  const trail = steps
    .map((step, at) => `<a href="${addressOf(steps.slice(0, at + 1))}/">${shown(asText(step))}</a>`)
    .join(" / ");
  const note = isCut
    ? `<p class="note">This folder holds more: these are ${entries.length} of it, in no order.</p>`
    : "";
  const table = `<table><thead><tr><th>Name</th><th>Size</th><th>Changed</th></tr></thead><tbody>
${ROWS}</tbody></table>${note}`;
  const content = entries.length === 0 ? `<p class="note">${ROWS}This folder is empty.</p>` : table;
  const body = () => `<main><h1><a href="/">/</a> ${trail}</h1><div class="card">${content}</div></main>`;
  const { html, policy } = renderPage({ title: withPictures(asText(path)), style: STYLE, body });
  const [before = "", after = ""] = html.split(ROWS);
  return { policy, pieces: enclose(before, entries, (entry) => `${row(addressOf(steps), entry)}\n`, after) };
}

/** A folder as JSON. */
export function* folderJson(path: string, { entries, isCut }: Listing): Iterable<string> {
  const fields = JSON.stringify({ path: asText(path), truncated: isCut, count: entries.length });
  let comma = "";
  const written = (entry: Entry) => {
    const text = comma + JSON.stringify(entry);
    comma = ",";
    return text;
  };
  yield* enclose(`${fields.slice(0, -1)},"entries":[`, entries, written, "]}");
}

function* enclose<T>(before: string, items: readonly T[], write: (item: T) => string, after: string) {
  yield before;
  for (const item of items) yield write(item);
  yield after;
}

function row(folder: string, { name, address, type, link, size, modified }: Entry): string {
  const end = type === "folder" ? "/" : "";
  // Isolated, so that a name's text direction does not affect its neighbours.
  const text = `<bdi>${shown(name)}</bdi>${end}${link ? " ↪" : ""}`;
  const cell = type === "other" ? text : `<a href="${folder}/${address}${end}">${text}</a>`;
  const bytes = type === "file" && !link ? sizeOf(size) : "";
  return `<tr><td>${cell}</td><td>${bytes}</td><td>${modified.slice(0, 16).replace("T", " ")}</td></tr>`;
}

/** The address of a folder, without a slash at its end. */
const addressOf = (steps: readonly string[]): string => steps.map((step) => `/${inAddress(step)}`).join("");

/** A name for the page: invisible characters are replaced by symbols. */
const shown = (text: string): string => Bun.escapeHTML(withPictures(text));

const withPictures = (text: string): string =>
  text.replace(/\p{Cc}/gu, (sign) =>
    sign < " " ? String.fromCharCode(PICTURES + sign.charCodeAt(0)) : "\ufffd",
  );

function sizeOf(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
