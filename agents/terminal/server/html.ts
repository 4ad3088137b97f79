import { renderPage } from "../../web/page.ts";
import { SECURITY_HEADERS } from "../../web/security-headers.ts";

/** JSON that is safe inside a script element of type application/json. */
export const jsonForScript = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

export interface Page {
  readonly title: string;
  /** HTML of the head and the body; all external text in it is escaped. */
  readonly head?: (nonce: string) => string;
  readonly body: (nonce: string) => string;
  /** Where the page may connect to; by default nowhere. */
  readonly connect?: string;
  /** What the page may frame; by default nothing. */
  readonly frame?: string;
  /** Whether pages of its own origin may frame it. */
  readonly framed?: boolean;
}

/** A page whose Content-Security-Policy allows only the server's own scripts. */
export function htmlResponse(
  page: Page,
  init: { status?: number; headers?: Record<string, string> } = {},
): Response {
  const { html, policy } = renderPage({
    title: page.title,
    ...(page.head === undefined ? {} : { head: page.head }),
    body: page.body,
    hasScripts: true,
    viewport: "width=device-width, initial-scale=1, interactive-widget=resizes-content",
    policy: {
      "img-src": "'self' data:",
      "connect-src": page.connect ?? "'none'",
      "frame-src": page.frame ?? "'none'",
      "frame-ancestors": page.framed ? "'self'" : "'none'",
    },
  });
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

/** Headers of every terminal response. Windows of other sites get no reference to the terminal's window either. */
export const HARDENING = { ...SECURITY_HEADERS, "cross-origin-opener-policy": "same-origin" } as const;
