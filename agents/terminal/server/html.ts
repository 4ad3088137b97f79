import { renderPage } from "../../web/page.ts";
import { SECURITY_HEADERS } from "../../web/security-headers.ts";

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

/** On every response of a terminal: windows of other sites have no handle of it either. */
export const HARDENING = { ...SECURITY_HEADERS, "cross-origin-opener-policy": "same-origin" } as const;
