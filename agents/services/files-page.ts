/** What a folder holds. */
export interface Entry {
  readonly name: string;
  /** Of what a link leads to. */
  readonly type: "folder" | "file" | "other";
  readonly link: boolean;
  /** In bytes. */
  readonly size: number;
  /** ISO 8601 */
  readonly modified: string;
}

const STYLE = `
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.15rem; font-weight: 600; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 500; opacity: .7; }
th, td { padding: .3rem .75rem .3rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 15%, transparent); }
td:nth-child(n+2), th:nth-child(n+2) { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td:first-child { overflow-wrap: anywhere; }
a { text-decoration: none; } a:hover { text-decoration: underline; }`;

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (one) => ESCAPES[one] ?? one);

/** Folders first, then by name. */
export const sortEntries = (entries: readonly Entry[]): Entry[] =>
  entries.toSorted(
    (a, b) => Number(b.type === "folder") - Number(a.type === "folder") || a.name.localeCompare(b.name),
  );

/** A folder as a page, without any script. */
export function folderPage(path: string, entries: readonly Entry[], isCut: boolean): string {
  const steps = path.split("/").filter((step) => step !== "");
  const trail = steps
    .map((step, at) => `<a href="${addressOf(steps.slice(0, at + 1), "/")}">${escapeHtml(step)}</a>`)
    .join(" / ");
  const rows = entries.map((entry) => row(steps, entry)).join("\n");
  const note = isCut ? `<p>There is more than these ${entries.length}.</p>` : "";
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(path)}</title><style>${STYLE}</style></head>
<body><h1><a href="/">/</a> ${trail}</h1>
<table><thead><tr><th>Name</th><th>Size</th><th>Changed</th></tr></thead><tbody>
${rows}
</tbody></table>${entries.length === 0 ? "<p>This folder is empty.</p>" : note}</body>
</html>
`;
}

function row(steps: readonly string[], { name, type, link, size, modified }: Entry): string {
  const isFolder = type === "folder";
  const text = `${escapeHtml(name)}${isFolder ? "/" : ""}${link ? " ↪" : ""}`;
  const shown =
    type === "other" ? text : `<a href="${addressOf([...steps, name], isFolder ? "/" : "")}">${text}</a>`;
  const bytes = type === "file" && !link ? sizeOf(size) : "";
  return `<tr><td>${shown}</td><td>${bytes}</td><td>${modified.slice(0, 16).replace("T", " ")}</td></tr>`;
}

const addressOf = (steps: readonly string[], end: string): string =>
  `/${steps.map(encodeURIComponent).join("/")}${end}`;

function sizeOf(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
