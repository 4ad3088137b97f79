import { readFileSync } from "node:fs";
import { join } from "node:path";

const readStyle = (path: string) => readFileSync(join(import.meta.dir, path), "utf8");
const STYLE = readStyle("../console/app/styles/tokens.css") + readStyle("page.css");
const NONCE_BYTES = 16;

/** The mark of the console. */
const WORDMARK = `<header class="wordmark"><svg viewBox="0 0 32 32" aria-hidden="true"><path d="M5 3h5v26H5z"/><path d="M12 13h15c0 9-4.500 16-13 16h-2z"/></svg>Berth</header>`;

export interface Page {
  readonly title: string;
  /** Trusted HTML; untrusted text in it has been escaped by `Bun.escapeHTML`. */
  readonly html: string;
  /** Another origin to which its forms may lead. */
  readonly formsTo?: string;
  readonly status?: number;
  /** The page is asked for again after so many seconds, under the address. */
  readonly again?: { readonly seconds: number; readonly url: string };
}

/** A page that stands alone, for people who pay or follow a link: no script, one style with a nonce of this response, no external resources. */
export function pageResponse({ title, html, formsTo, status = 200, again }: Page): Response {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(NONCE_BYTES))).toString("base64url");
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "img-src data:",
    `form-action 'self'${formsTo === undefined ? "" : ` ${new URL(formsTo).origin}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${Bun.escapeHTML(title)} · Berth</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
${WORDMARK}
<main>
${html}
</main>
</body>
</html>
`;
  return new Response(body, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      // Anyone who knows the address of such a page can pay there or use its link, so it must not leak.
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...(again === undefined ? {} : { refresh: `${again.seconds}; url=${again.url}` }),
    },
  });
}

/** What became of something, in a box of its own. Trusted HTML. */
export const said = (title: string, text: string, kind = "") =>
  `<div class="said ${kind}" role="status"><strong>${title}</strong>${text}</div>`;

interface Saying {
  readonly title: string;
  /** Trusted HTML. */
  readonly text: string;
  readonly status?: number;
  /** The next step, and the way there. */
  readonly next?: readonly [label: string, href: string];
}

/** A page that says one thing, and where to go on. */
export const sayingPage = ({ title, text, status = 200, next }: Saying): Page => ({
  title,
  status,
  html: `<div class="inside">
<h1>${title}</h1>
<div class="said ${status < 400 ? "" : "bad"}" role="status"><span>${text}</span></div>
${next === undefined ? "" : `<a class="button" href="${next[1]}">${next[0]}</a>`}
</div>`,
});
