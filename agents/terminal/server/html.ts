import { randomBytes } from "node:crypto";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as it may stand in an element or a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (one) => ESCAPES[one] ?? one);

/** Values as they may stand in a script element of type application/json. */
export const jsonForScript = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

export interface Page {
  readonly title: string;
  /** Of the head and the body; everything that came from outside is escaped. */
  readonly head?: (nonce: string) => string;
  readonly body: (nonce: string) => string;
  /** Where the page may connect to; nowhere unless told. */
  readonly connect?: string;
  /** What may be framed in it; nothing unless told. */
  readonly frame?: string;
  /** Whether pages of its own origin may frame it. */
  readonly framed?: boolean;
}

/** A page under a content security policy that lets nothing run but what the server put there. */
export function htmlResponse(
  page: Page,
  init: { status?: number; headers?: Record<string, string> } = {},
): Response {
  const nonce = randomBytes(16).toString("base64");
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    `connect-src ${page.connect ?? "'none'"}`,
    `frame-src ${page.frame ?? "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${page.framed ? "'self'" : "'none'"}`,
  ].join("; ");
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<title>${escapeHtml(page.title)}</title>
<link rel="icon" href="data:,">
${page.head?.(nonce) ?? ""}
</head>
<body>
${page.body(nonce)}
</body>
</html>
`;
  return new Response(html, {
    status: init.status ?? 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      ...HARDENING,
      ...(page.framed ? { "x-frame-options": "SAMEORIGIN" } : { "x-frame-options": "DENY" }),
      ...init.headers,
    },
  });
}

/** On every answer: nothing is kept, guessed, or told to other sites. */
export const HARDENING = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;
