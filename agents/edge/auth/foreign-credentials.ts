import { ACCESS_TOKEN_TYPE, CONTAINER_TOKEN_TYPE, TOKEN_ISSUER } from "../../../schemas/accounts/auth.ts";
import type { RequestHead } from "../../http1/head.ts";

/**
 * Finds credentials of the API in requests to an edge. The host's operator, or a program in a container behind it,
 * could use them to spend their owner's money. So the edge refuses such a request and forwards nothing of it.
 */

const API_TOKEN = /berth_[0-9a-f]{24}_[A-Za-z0-9_-]{43}/;
/** The account, the session and the two secrets. */
const REFRESH_TOKEN = /[0-9a-f]{24}\.[0-9a-f]{24}\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/;
/**
 * Text that may be a credential in Base64, in either alphabet: as in HTTP Basic, in WebSocket subprotocols that carry
 * a bearer token, and in frameworks' JSON cookies. The shortest credential, of 74 characters, has 99 in Base64.
 */
const BASE64 = /[A-Za-z0-9+/_-]{96,}/g;
/**
 * The length of a group in Base64. The text before a credential may look like Base64 too, so all four offsets are
 * tried.
 */
const BASE64_GROUP = 4;
/** A cookie in Base64 may hold a field in Base64. */
const BASE64_DECODINGS_MAX = 2;
/** Proxies, frameworks and programs may each decode an address once; longer chains do not occur in practice. */
const ESCAPE_DECODINGS_MAX = 8;
/**
 * Escapes in addresses, including those of JavaScript's `unescape`; in JSON and JavaScript; and quoted pairs in
 * fields (RFC 9110 §5.6.4).
 */
const ESCAPES = /%([0-9a-f]{2})|%u([0-9a-f]{4})|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\(.)/gi;
/** The characters of an API token, the shortest credential that is no JWT; in Base64 it has more. */
const SHORTEST_CHARS = 74;
/** By code: the characters of credentials, and of Base64. */
const OF_WORDS = new Uint8Array(256);
for (const sign of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-+/") {
  OF_WORDS[sign.charCodeAt(0)] = 1;
}
/** Separators of tokens in a header or an address. */
const SEPARATORS = /[^A-Za-z0-9._-]+/;
/** The beginning of a JWT's header and of its claims: `{"` in base64url. */
const JWT_PART = "eyJ";

export type ForeignCredential = "api" | "container";

/**
 * The credential of Berth in a request's head: one for the API, or else one for a container. It is recognized by its
 * form, valid or expired, since it is refused in any case.
 */
export function findCredential(request: RequestHead): ForeignCredential | undefined {
  let text = `${request.method}\n${request.target}`;
  for (const { name, value } of request.headers.lines) text += `\n${name}: ${value}`;
  const seen = new Set<string>();
  let found = findIn(text, BASE64_DECODINGS_MAX, seen);
  for (let round = 0; round < ESCAPE_DECODINGS_MAX && found !== "api" && /[%\\]/.test(text); round++) {
    const decoded = decodeEscapes(text);
    if (decoded === text) break;
    text = decoded;
    found = findIn(text, BASE64_DECODINGS_MAX, seen) ?? found;
  }
  return found;
}

/** @param seen words that were decoded already */
function findIn(text: string, decodingsMax: number, seen: Set<string>): ForeignCredential | undefined {
  if (!mayHoldCredential(text)) return undefined;
  let found = findPlain(text);
  if (decodingsMax === 0) return found;
  for (const [word] of text.matchAll(BASE64)) {
    if (seen.has(word)) continue;
    seen.add(word);
    for (let begin = 0; begin < BASE64_GROUP && found !== "api"; begin++) {
      const decoded = Buffer.from(word.slice(begin), "base64").toString("latin1");
      found = findIn(decoded, decodingsMax - 1, seen) ?? found;
    }
  }
  return found;
}

/** Whether a text has what every credential has in some form: a JWT, or a long word. Most requests have neither. */
const mayHoldCredential = (text: string): boolean => text.includes(JWT_PART) || hasWord(text, SHORTEST_CHARS);

/**
 * Whether a text has so many characters of words in a row. Between two others there is no room for them, so that most of the text
 * need not be looked at.
 */
function hasWord(text: string, chars: number): boolean {
  let begin = 0;
  for (let end = chars - 1; end < text.length; end = begin + chars - 1) {
    let at = end;
    while (at >= begin && OF_WORDS[text.charCodeAt(at)] === 1) at -= 1;
    if (at < begin) return true;
    begin = at + 1;
  }
  return false;
}

function findPlain(text: string): ForeignCredential | undefined {
  if (API_TOKEN.test(text) || REFRESH_TOKEN.test(text)) return "api";
  const types = text.includes(JWT_PART) ? jwtTypes(text) : [];
  if (types.includes(ACCESS_TOKEN_TYPE)) return "api";
  return types.includes(CONTAINER_TOKEN_TYPE) ? "container" : undefined;
}

/** The types of the JWTs in a text that Berth issued. */
function jwtTypes(text: string): unknown[] {
  return text.split(SEPARATORS).flatMap((word) => {
    const parts = word.split(".");
    return parts.flatMap((part, at) => {
      const begin = part.indexOf(JWT_PART);
      const claims = parts[at + 1];
      if (begin === -1 || !claims?.startsWith(JWT_PART)) return [];
      return fieldOf(claims, "iss") === TOKEN_ISSUER ? [fieldOf(part.slice(begin), "typ")] : [];
    });
  });
}

function fieldOf(part: string, name: string): unknown {
  try {
    return (JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

const decodeEscapes = (text: string): string =>
  text.replace(ESCAPES, (_, percent, wide, unicode, hex, quoted) =>
    quoted === undefined
      ? String.fromCharCode(Number.parseInt(percent ?? wide ?? unicode ?? hex, 16))
      : quoted,
  );
