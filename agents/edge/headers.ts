import type { FieldMap, RequestHead } from "../http1/head.ts";
import { httpDate } from "../http1/response.ts";
import { SESSION_COOKIE } from "./auth/sessions.ts";
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
/** Rewritten from the parsed request. */
const REWRITTEN = ["host", "content-length"];

const NOT_REQUESTED = new Set([...HOP_BY_HOP, ...REWRITTEN]);
const NOT_ANSWERED = new Set(HOP_BY_HOP);

/** What is for both ends, whatever `Connection` says: a sender may leave it out, but not have it taken out on the way (RFC 9110 §7.6.1). */
const END_TO_END =
  /^(host|cookie|set-cookie|authorization|www-authenticate|origin|referer|range|accept-ranges|expect|date|expires|etag|vary|location|last-modified|cache-control|strict-transport-security|(content|if|sec|access-control|cross-origin)-.+)$/;

/** Tells a built-in service which user was let in. Only the edge reaches those services, and no other target gets the field. */
export const USER_FIELD = "x-berth-user";

/** The name by which this server goes in `Via` (RFC 9110 §7.6.3). */
const PSEUDONYM = "berth";

/** Who asks, and where. */
export interface Origin {
  readonly address: string;
  readonly scheme: "http" | "https";
  /** Normalised, with the port that was asked for. */
  readonly host: string;
}

export interface RequestRewrite {
  /** Path and query for the target. */
  readonly target: string;
  /** Lower-case names of fields that stay here, besides those that always do. */
  readonly withheld: ReadonlySet<string>;
  /** The user that a built-in service is told of. */
  readonly userId: string | undefined;
  /** The client asks for one, and may. */
  readonly isWebSocket: boolean;
}

/** The header with which a request reaches its target. */
export function rewriteRequestHead(head: RequestHead, origin: Origin, rewrite: RequestRewrite): Buffer {
  const { headers, framing, method, minor } = head;
  const named = namedInConnection(headers);
  let text = `${method} ${rewrite.target} HTTP/1.1\r\nHost: ${origin.host}\r\n`;
  for (const { key, name, value } of headers.lines) {
    // A program that reads fields as variables takes `_` for `-`.
    const read = key.includes("_") ? key.replaceAll("_", "-") : key;
    if (NOT_REQUESTED.has(read) || isForwardingHeader(read)) continue;
    if (named?.has(key) || rewrite.withheld.has(key)) continue;
    // A name that leads to a program of its owner's now may have led to a terminal before: its session is the edge's own.
    if (key === "cookie") {
      const rest = withoutCookie(value, SESSION_COOKIE);
      if (rest !== "") text += `${name}: ${rest}\r\n`;
      continue;
    }
    // Who speaks HTTP/1.0 does not wait for it (RFC 9110 §10.1.1).
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
  if (rewrite.isWebSocket) text += "Connection: Upgrade\r\nUpgrade: websocket\r\n";
  if (framing.kind === "chunked") text += "Transfer-Encoding: chunked\r\n";
  else if (framing.kind === "length") text += `Content-Length: ${framing.bytes}\r\n`;
  else if (headers.get("content-length") !== undefined) text += "Content-Length: 0\r\n";
  return Buffer.from(`${text}\r\n`, "latin1");
}

/**
 * The header with which an answer reaches its client.
 *
 * @param host that was asked for, normalised, with or without a port
 * @param extra whole lines
 */
export function rewriteResponseHead(
  { status, reason, headers, framing }: ResponseHead,
  host: string,
  extra: string,
): Buffer {
  const named = namedInConnection(headers);
  let text = `HTTP/1.1 ${status} ${reason}\r\n`;
  let lengths = 0;
  let isDated = status < 200;
  for (const { key, name, value } of headers.lines) {
    if (NOT_ANSWERED.has(key) || named?.has(key)) continue;
    if (key === "set-cookie" && nameOfCookie(value) === SESSION_COOKIE) continue;
    if (key === "set-cookie") {
      text += `${name}: ${ofOneHost(value, host)}\r\n`;
      continue;
    }
    if (key === "content-length") {
      lengths += 1;
      // An answer of no body has a length where it speaks of another answer's: to HEAD, and 304.
      if (lengths > 1 || framing.kind === "close" || status < 200 || status === 204) continue;
    }
    if (key === "date") isDated = true;
    text += `${name}: ${value}\r\n`;
  }
  // RFC 9110 §6.6.1
  if (!isDated) text += `Date: ${httpDate()}\r\n`;
  return Buffer.from(`${text}${extra}\r\n`, "latin1");
}

/** What the sender says is meant for the next hop alone. */
function namedInConnection(headers: FieldMap): Set<string> | undefined {
  const connection = headers.get("connection");
  if (connection === undefined) return undefined;
  const options = connection.toLowerCase();
  if (options === "keep-alive" || options === "close") return undefined;
  const named = options.split(",").map((one) => one.trim());
  return new Set(named.filter((one) => !END_TO_END.test(one)));
}

function withoutCookie(value: string, withheld: string): string {
  return value
    .split(";")
    .filter((one) => nameOfCookie(one) !== withheld)
    .join(";")
    .trim();
}

/** The name under which a browser sends a cookie back: blanks around it do not count (RFC 6265 §5.2), and of a cookie without a name it sends the value alone. */
const nameOfCookie = (cookie: string): string => /^[\s=]*([^=;]*)/.exec(cookie)?.[1]?.trimEnd() ?? "";

/**
 * A cookie as it is set for the host that was asked alone. With the domain above it, it would go to its neighbours, who are other
 * tenants' programs, and could take the place of theirs.
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

/** The values of the cookies of a name that were sent, as many as are looked at. */
export function cookiesOf(headers: FieldMap, name: string, max: number): string[] {
  return headers
    .all("cookie")
    .flatMap((value) => value.split(";"))
    .map((one) => one.trim())
    .filter((one) => one.startsWith(`${name}=`))
    .slice(0, max)
    .map((one) => one.slice(name.length + 1));
}
