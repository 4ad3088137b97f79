import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A page's parts are files of their own, and leave as one: nothing has to be fetched besides. */

const read = (name: string): string => readFileSync(join(import.meta.dir, name), "utf8");

export const ICON: string = read("icon.svg").trim();
const STYLE = read("style.css");

export interface Page {
  readonly type: string;
  readonly body: string;
  /** Its Content-Security-Policy. */
  readonly policy?: string;
}

export interface Content {
  readonly title: string;
  readonly subtitle: string;
  readonly html: string;
  readonly scripts?: readonly string[];
}

export const htmlFile = (name: string): string => read(`${name}.html`);

/** Scripts and styles carry a nonce of this one response; what else gets into a page is not run. */
export function page({ title, subtitle, html, scripts = [] }: Content): Page {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url");
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    ...(scripts.length > 0 ? [`script-src 'nonce-${nonce}'`, "connect-src 'self'", "media-src blob:"] : []),
    "img-src data:",
    "form-action 'self'",
    "frame-ancestors 'self'",
    "base-uri 'none'",
  ].join("; ");
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<header>${ICON.replace("<svg", '<svg aria-hidden="true"')}<div><h1>${escapeHtml(title)}</h1><p>${escapeHtml(subtitle)}</p></div></header>
${html}
</main>
${scripts.map((script) => `<script type="module" nonce="${nonce}">${script}</script>`).join("\n")}
</body>
</html>
`;
  return { type: "text/html; charset=utf-8", body, policy };
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
