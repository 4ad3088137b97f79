import { readFileSync } from "node:fs";
import { join } from "node:path";

const STYLE = readFileSync(join(import.meta.dir, "page.css"), "utf8");
const NONCE_BYTES = 16;

export interface Page {
  readonly title: string;
  /** Trusted HTML; text from elsewhere in it has gone through `Bun.escapeHTML`. */
  readonly html: string;
  /** Where its forms may lead beside the gateway itself. */
  readonly formsTo?: string;
  readonly status?: number;
}

/** A page for people who pay: no script, one style with a nonce of this response, nothing from elsewhere. */
export function pageResponse({ title, html, formsTo, status = 200 }: Page): Response {
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
      // The address of a hosted page is all that it takes to pay there.
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
