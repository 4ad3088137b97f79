import type { FieldMap, RequestHead } from "../http1/head.ts";
import { encodeHead, httpDate } from "../http1/response.ts";
import { FRAME_COOKIE, SESSION_COOKIE } from "./auth/sessions.ts";
import { isForwardingHeader } from "./forwarded-headers.ts";
import type { ResponseHead } from "./response-head.ts";

/** Which header fields pass through the edge, and how they change (RFC 9110 §7.6.1). */

const HOP_BY_HOP = [
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
/** Fields that are rewritten from the parsed request. */
const REWRITTEN = ["host", "content-length"];

const NOT_REQUESTED = new Set([...HOP_BY_HOP, ...REWRITTEN]);
const NOT_ANSWERED = new Set(HOP_BY_HOP);

/** End-to-end fields. They are forwarded even if `Connection` names them (RFC 9110 §7.6.1). */
const END_TO_END =
  /^(host|cookie|set-cookie|authorization|www-authenticate|origin|referer|range|accept-ranges|expect|date|expires|etag|vary|location|last-modified|cache-control|strict-transport-security|(content|if|sec|access-control|cross-origin)-.+)$/;

/**
 * The field with the admitted user, for built-in services. Only the edge can connect to those services, and no other
 * target gets the field.
 */
export const USER_FIELD = "x-berth-user";
/** The field with the console's origin, for built-in services, on what the console shows in a frame. */
export const FRAME_FIELD = "x-berth-frame";

const SESSION_COOKIES: ReadonlySet<string> = new Set([SESSION_COOKIE, FRAME_COOKIE]);

/** The pseudonym of this server in `Via` (RFC 9110 §7.6.3). */
const PSEUDONYM = "berth";

/** The client of a request, and the requested address. */
export interface Origin {
  readonly address: string;
  readonly scheme: "http" | "https";
  /** Normalised, with the requested port. */
  readonly host: string;
}

export interface RequestRewrite {
  /** Lower-case names of further fields that are not forwarded. */
  readonly withheld: ReadonlySet<string>;
  /** The user to name to a built-in service. */
  readonly userId: string | undefined;
  /** The origin of the console that shows the response in a frame. */
  readonly framedBy: string | undefined;
}

/**
 * Rewrites the headers of a connection's requests for their targets. Most clients send the same fields with each request: then
 * only the request line is written again.
 */
export class RequestRewriter {
  #former: { readonly source: FieldsSource; readonly fields: Buffer } | undefined;

  /** @param target the path and query for the target */
  rewrite(target: string, source: FieldsSource): Buffer {
    if (this.#former === undefined || !areSame(this.#former.source, source)) {
      this.#former = { source, fields: encodeHead(`${fieldsForTarget(source)}\r\n`) };
    }
    return encodeHead(`${source.head.method} ${target} HTTP/1.1\r\n`, this.#former.fields);
  }
}

/** Everything that the fields for a target are made from. */
interface FieldsSource {
  readonly head: RequestHead;
  readonly origin: Origin;
  readonly rewrite: RequestRewrite;
  /** Whether the client requests a WebSocket, and may have one. */
  readonly isWebSocket: boolean;
}

/** Whether two requests get the same fields. `parseHead` gives two heads one object of fields only if all but their targets is the same. */
const areSame = (a: FieldsSource, b: FieldsSource): boolean =>
  a.head.headers === b.head.headers &&
  a.origin.address === b.origin.address &&
  a.origin.scheme === b.origin.scheme &&
  a.origin.host === b.origin.host &&
  a.rewrite.withheld === b.rewrite.withheld &&
  a.rewrite.userId === b.rewrite.userId &&
  a.rewrite.framedBy === b.rewrite.framedBy &&
  a.isWebSocket === b.isWebSocket;

function fieldsForTarget({ head, origin, rewrite, isWebSocket }: FieldsSource): string {
  const { headers, framing, method, minor } = head;
  const named = namedInConnection(headers);
  let text = `Host: ${origin.host}\r\n`;
  for (const { key, name, value } of headers.lines) {
    // Programs that read fields as environment variables treat `_` like `-`.
    const read = key.includes("_") ? key.replaceAll("_", "-") : key;
    if (NOT_REQUESTED.has(read) || isForwardingHeader(read)) continue;
    if (named?.has(key) || rewrite.withheld.has(key)) continue;
    // The name may have had a built-in service before: its session cookie must not reach a program.
    if (key === "cookie") {
      const rest = withoutCookies(value, SESSION_COOKIES);
      if (rest !== "") text += `${name}: ${rest}\r\n`;
      continue;
    }
    // HTTP/1.0 clients do not wait for 100 (RFC 9110 §10.1.1).
    if (key === "expect" && minor === 0) continue;
    // RFC 9110 §7.6.2
    if (key === "max-forwards" && method === "OPTIONS" && /^[1-9]\d{0,8}$/.test(value)) {
      text += `${name}: ${Number(value) - 1}\r\n`;
      continue;
    }
    text += `${name}: ${value}\r\n`;
  }
  text += `X-Forwarded-For: ${origin.address}\r\nX-Forwarded-Proto: ${origin.scheme}\r\nX-Forwarded-Host: ${origin.host}\r\n`;
  text += `Via: 1.${minor} ${PSEUDONYM}\r\n`;
  if (rewrite.userId !== undefined) text += `${USER_FIELD}: ${rewrite.userId}\r\n`;
  if (rewrite.framedBy !== undefined) text += `${FRAME_FIELD}: ${rewrite.framedBy}\r\n`;
  if (isWebSocket) text += "Connection: Upgrade\r\nUpgrade: websocket\r\n";
  if (framing.kind === "chunked") text += "Transfer-Encoding: chunked\r\n";
  else if (framing.kind === "length") text += `Content-Length: ${framing.bytes}\r\n`;
  else if (headers.get("content-length") !== undefined) text += "Content-Length: 0\r\n";
  return text;
}

/**
 * Rewrites a response's header for its client.
 *
 * @param host the requested host, normalised, with or without a port
 * @param extra complete header lines
 * @param following bytes to go after it in the same piece
 */
export function rewriteResponseHead(
  { status, reason, headers, framing }: ResponseHead,
  host: string,
  extra: string,
  following?: Uint8Array,
): Buffer {
  const named = namedInConnection(headers);
  let text = `HTTP/1.1 ${status} ${reason}\r\n`;
  let lengths = 0;
  let isDated = status < 200;
  for (const { key, name, value } of headers.lines) {
    if (NOT_ANSWERED.has(key) || named?.has(key)) continue;
    if (key === "set-cookie" && SESSION_COOKIES.has(nameOfCookie(value))) continue;
    if (key === "set-cookie") {
      text += `${name}: ${ofOneHost(value, host)}\r\n`;
      continue;
    }
    if (key === "content-length") {
      lengths += 1;
      // Of the responses without a body, only those to HEAD and 304 have a length: that of the omitted body.
      if (lengths > 1 || framing.kind === "close" || status < 200 || status === 204) continue;
    }
    if (key === "date") isDated = true;
    text += `${name}: ${value}\r\n`;
  }
  // RFC 9110 §6.6.1
  if (!isDated) text += `Date: ${httpDate()}\r\n`;
  return encodeHead(`${text}${extra}\r\n`, following);
}

/** The fields that the sender declares as hop-by-hop. */
function namedInConnection(headers: FieldMap): Set<string> | undefined {
  const connection = headers.get("connection");
  if (connection === undefined) return undefined;
  const options = connection.toLowerCase();
  if (options === "keep-alive" || options === "close") return undefined;
  const named = options.split(",").map((one) => one.trim());
  return new Set(named.filter((one) => !END_TO_END.test(one)));
}

function withoutCookies(value: string, withheld: ReadonlySet<string>): string {
  return value
    .split(";")
    .filter((one) => !withheld.has(nameOfCookie(one)))
    .join(";")
    .trim();
}

/**
 * The name under which a browser sends a cookie: without blanks around it (RFC 6265 §5.2). Of a cookie without a name
 * it sends only the value.
 */
const nameOfCookie = (cookie: string): string => /^[\s=]*([^=;]*)/.exec(cookie)?.[1]?.trimEnd() ?? "";

/**
 * Restricts a cookie to the requested host. With the parent domain, it would be sent to the programs of other
 * tenants, and could overwrite their cookies.
 */
function ofOneHost(cookie: string, host: string): string {
  const [pair = "", ...attributes] = cookie.split(";");
  const own = host.split(":", 1)[0];
  const kept = attributes.filter((one) => {
    const [name = "", ...value] = one.split("=");
    if (name.trim().toLowerCase() !== "domain") return true;
    // A dot before it means nothing (RFC 6265 §5.2.3).
    return value.join("=").trim().toLowerCase().replace(/^\./, "") === own;
  });
  return kept.length === attributes.length ? cookie : [pair, ...kept].join(";");
}

/** The values of the cookies with a name, at most `max`. */
export function cookiesOf(headers: FieldMap, name: string, max: number): string[] {
  return headers
    .all("cookie")
    .flatMap((value) => value.split(";"))
    .map((one) => one.trim())
    .filter((one) => one.startsWith(`${name}=`))
    .slice(0, max)
    .map((one) => one.slice(name.length + 1));
}
