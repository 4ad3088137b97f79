import { ACCESS_TOKEN_TYPE, CONTAINER_TOKEN_TYPE, TOKEN_ISSUER } from "../../../schemas/accounts/auth.ts";
import type { RequestHead } from "../../http1/head.ts";

/**
 * Credentials of the API in a request to an edge. The operator of the host, or code of a container behind it, could keep them and spend
 * their owner's money. So an edge answers such a request itself and passes nothing of it on.
 */

const API_TOKEN = /berth_[0-9a-f]{24}_[A-Za-z0-9_-]{43}/;
/** Account, session and the two secrets. */
const REFRESH_TOKEN = /[0-9a-f]{24}\.[0-9a-f]{24}\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/;
/** Where clients put a token in Base64: HTTP Basic, and the subprotocol by which browsers' WebSockets carry a bearer token. */
const ENCODED = /\b(?:basic +|base64url\.bearer\.(?:[a-z0-9-]+\.){0,8})([A-Za-z0-9+/_-]{8,}={0,2})/gi;
/** Some programs decode an address more than once; none decodes it more often than this. */
const PERCENT_DECODINGS_MAX = 3;
/** What separates tokens in a header or an address. */
const SEPARATORS = /[^A-Za-z0-9._-]+/;
/** How the header and the claims of a JWT begin: `{"` in base64url. */
const JWT_PART = "eyJ";

export type ForeignCredential = "api" | "container";

/**
 * The credential of Berth that a request holds anywhere in its head: one for the API, or else one for a container.
 *
 * By its looks: whether it is still good does not matter, since it is refused in any case.
 */
export function findCredential(request: RequestHead): ForeignCredential | undefined {
  const lines = request.headers.lines.map(({ name, value }) => `${name}: ${value}`);
  let text = [request.method, request.target, ...lines].join("\n");
  let found = findIn(text);
  for (let round = 0; round < PERCENT_DECODINGS_MAX && found !== "api" && text.includes("%"); round++) {
    text = decoded(text);
    found = findIn(text) ?? found;
  }
  return found;
}

function findIn(text: string): ForeignCredential | undefined {
  let found = findPlain(text);
  for (const [, encoded = ""] of text.matchAll(ENCODED)) {
    if (found === "api") break;
    found = findPlain(Buffer.from(encoded, "base64").toString("latin1")) ?? found;
  }
  return found;
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

const decoded = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
