import type { ErrorCode } from "../../schemas/errors.ts";
import type { RequestHead } from "../http1/head.ts";
import type { Fields } from "../http1/response.ts";
import { BASE_STYLE } from "../web/base-style.ts";
import { framedAlsoBy } from "../web/framing.ts";
import { renderPage } from "../web/page.ts";

/** A response of the edge itself. */
export interface LocalResponse {
  readonly status: number;
  readonly fields: Fields;
  readonly body: string;
  /** The error, for formatters; undefined if the response is not an error, or is a page. */
  readonly refusal?: { readonly code: ErrorCode; readonly message: string };
}

/** Formats a response of the edge like those of the service at that address. */
export type ResponseFormatter = (answer: LocalResponse) => LocalResponse;

const TITLES: Readonly<Record<number, string>> = {
  303: "See Other",
  400: "Bad Request",
  401: "Sign in first",
  403: "Forbidden",
  404: "There is nothing here",
  405: "Method Not Allowed",
  408: "Request Timeout",
  411: "Length Required",
  421: "Misdirected Request",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  505: "HTTP Version Not Supported",
};

/** What a page says above the message: whoever reads it may not know the words of HTTP. */
const HEADINGS: Readonly<Record<number, string>> = {
  ...TITLES,
  403: "No access",
  502: "Nothing answers here",
  503: "Not available now",
  504: "No answer in time",
};

const STYLE = `${BASE_STYLE}
main { min-height: 100vh; display: grid; align-content: center; padding-block: 2rem; }
h1 + p { margin: .75rem 0 0; }
.card { margin: 0; }
.card code { background: var(--code); padding: .1em .35em; border-radius: .25em; display: inline-block; max-width: 100%; overflow-wrap: anywhere; }
.code { margin: .75rem 0 0; color: var(--soft); font-size: .85rem; }`;

const COMMON: Fields = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};

/** Whether the client prefers a page, as browsers do. */
export const wantsPage = ({ headers }: RequestHead): boolean =>
  (headers.get("accept") ?? "").includes("text/html");

/** Whether a browser shows the answer in a frame of another page. */
export const isFramed = ({ headers }: Pick<RequestHead, "headers">): boolean =>
  headers.get("sec-fetch-dest") === "iframe";

/** In a frame there is no address bar to go on with. */
const OPEN_IN_A_TAB = `<p><a href="" target="_blank" rel="noopener">Open this address in a tab</a></p>`;

/**
 * The error response to a request: a page for browsers, the error envelope for programs.
 *
 * @param request undefined if it could not be read
 */
export function localErrorResponse(
  request: RequestHead | undefined,
  status: number,
  code: ErrorCode,
  message: string,
  fields: Fields = {},
): LocalResponse {
  if (request === undefined || !wantsPage(request)) {
    const error = TITLES[status] ?? "Error";
    const body = `${JSON.stringify({ statusCode: status, error, message, code })}\n`;
    const json = { "Content-Type": "application/json" };
    return { status, fields: { ...json, ...COMMON, ...fields }, body, refusal: { code, message } };
  }
  const title = HEADINGS[status] ?? "Error";
  // Text in backquotes is code.
  const text = Bun.escapeHTML(message).replace(/`([^`]*)`/g, "<code>$1</code>");
  const link = isFramed(request) ? OPEN_IN_A_TAB : "";
  const body = () =>
    `<main><div class="card"><h1>${title}</h1><p>${text}</p>${link}<p class="code">${code}</p></div></main>`;
  const { html, policy } = renderPage({ title, style: STYLE, body });
  const page = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy };
  return { status, fields: { ...page, ...COMMON, ...fields }, body: html };
}

/** A page of the edge's own that pages of this origin may frame, where it is a page. */
export function framedBy(answer: LocalResponse, origin: string | null): LocalResponse {
  const policy = answer.fields["Content-Security-Policy"];
  if (typeof policy !== "string") return answer;
  return {
    ...answer,
    fields: { ...answer.fields, "Content-Security-Policy": framedAlsoBy(policy, origin) },
  };
}

/** The same response for unknown, disabled, expired and deleted names, and for resources of others. */
export const notFound = (request: RequestHead): LocalResponse =>
  localErrorResponse(request, 404, "ADDRESS_NOT_FOUND", "No program is served under this name.");

export const redirect = (location: string, fields: Fields = {}): LocalResponse => ({
  status: 303,
  fields: { Location: location, ...COMMON, ...fields },
  body: "",
});

const CODES: Readonly<Record<number, ErrorCode>> = {
  408: "REQUEST_TIMEOUT",
  411: "LENGTH_REQUIRED",
  431: "HEADER_TOO_LARGE",
  501: "TRANSFER_CODING_UNKNOWN",
  502: "TARGET_UNREACHABLE",
  503: "OVERLOADED",
  504: "TARGET_TIMEOUT",
  505: "HTTP_VERSION_NOT_SUPPORTED",
};
export const codeOf = (status: number): ErrorCode =>
  CODES[status] ?? (status < 500 ? "BAD_REQUEST" : "INTERNAL_ERROR");
