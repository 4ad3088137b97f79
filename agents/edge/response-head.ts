import type { Framing } from "../http1/head.ts";
import { type FieldMap, hasOption, parseFields } from "../http1/head.ts";
import { Refusal } from "../http1/refusal.ts";

/** The header of a target's response. `close`: its body ends with the connection. */
export interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  readonly headers: FieldMap;
  readonly framing: Framing | { readonly kind: "close" };
  /** Whether the connection can be reused: the target keeps it open, and no bytes of this response can still arrive. */
  readonly keepsAlive: boolean;
}

const STATUS_LINE = /^HTTP\/1\.[01] [1-9]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?$/;
/** Where its parts begin. */
const MINOR_AT = "HTTP/1.".length;
const STATUS_AT = "HTTP/1.1 ".length;
const REASON_AT = "HTTP/1.1 200 ".length;
const DIGITS = /^\d{1,15}$/;

/**
 * Reads the header of a response, as strictly as that of a request: a wrong end would mix up responses.
 * @param text without the empty line at its end
 * @param method the request's method
 * @throws Refusal 502
 */
export function parseResponseHead(text: string, method: string): ResponseHead {
  const newline = text.indexOf("\r\n");
  const line = newline === -1 ? text : text.slice(0, newline);
  if (!STATUS_LINE.test(line)) throw noHttp();
  const minor = line[MINOR_AT];
  const status = Number(line.slice(STATUS_AT, STATUS_AT + 3));
  const reason = line.slice(REASON_AT);
  const headers = fieldsOf(text, newline === -1 ? text.length : newline + 2);
  // HTTP/1.0 has no transfer codings: sender and relay may disagree on the end of such a response (RFC 9112 §6.1).
  if (minor === "0" && headers.get("transfer-encoding") !== undefined) throw noHttp();
  const framing = framingOf(status, method, headers);
  const keepsAlive =
    minor === "1" &&
    framing.kind !== "close" &&
    !hasNoBody(status, method) &&
    !hasOption(headers.get("connection"), "close");
  return { status, reason, headers, framing, keepsAlive };
}

function fieldsOf(text: string, from: number): FieldMap {
  try {
    return parseFields(text, from);
  } catch {
    throw noHttp();
  }
}

/**
 * Whether a response ends with its header, whatever the header says (RFC 9112 §6.3). Some programs send a body by
 * mistake, a moment later: over a reused connection the next client would get it as its response.
 */
const hasNoBody = (status: number, method: string): boolean =>
  method === "HEAD" || status < 200 || status === 204 || status === 304;

function framingOf(status: number, method: string, headers: FieldMap): ResponseHead["framing"] {
  if (hasNoBody(status, method)) return { kind: "none" };
  const lengths = headers.all("content-length");
  const codings = headers.all("transfer-encoding");
  if (codings.length > 0) {
    if (lengths.length > 0 || codings.length > 1 || codings[0]?.toLowerCase() !== "chunked") throw noHttp();
    return { kind: "chunked" };
  }
  if (lengths.length === 0) return { kind: "close" };
  const [length = ""] = lengths;
  // The same length twice occurs in practice and is unambiguous.
  if (!DIGITS.test(length) || lengths.some((one) => one !== length)) throw noHttp();
  const bytes = Number(length);
  return bytes === 0 ? { kind: "none" } : { kind: "length", bytes };
}

/** The refusal for a target that speaks another protocol, or ambiguous HTTP. */
export const noHttp = () => new Refusal(502, "What the program in the container answered is no HTTP.");
