import { readFileSync } from "node:fs";
import { join } from "node:path";

const STYLE = readFileSync(join(import.meta.dir, "page.css"), "utf8");
const NONCE_BYTES = 16;

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

/** A page for people who pay: no script, one style with a nonce of this response, no external resources. */
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
<title>${Bun.escapeHTML(title)}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
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
      // Anyone who knows the address of a hosted page can pay there, so it must not leak.
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...(again === undefined ? {} : { refresh: `${again.seconds}; url=${again.url}` }),
    },
  });
}

/** What became of a payment, in a box of its own. Trusted HTML. */
export const said = (title: string, text: string, kind: string) =>
  `<div class="said ${kind}" role="status"><strong>${title}</strong>${text}</div>`;
