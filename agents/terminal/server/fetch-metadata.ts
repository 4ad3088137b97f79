import { cookieOf } from "../../web/cookies.ts";
import { initiatorOf } from "../../web/origin.ts";

/** Set on every page: a browser that sends it was here before, and was not led here by another site. */
export const SEEN_COOKIE = "berth_terminal_seen";

/** Whether the browser itself says that another site made it ask. */
export const isForeign = (request: Request, origin: string): boolean =>
  initiatorOf((name) => request.headers.get(name), origin) === "foreign";

/**
 * Whether somebody else may have made the browser ask: a link, an image or a script of another site. `GET /` starts
 * programs, so such a request has to be confirmed by a person first.
 *
 * @param origin the service's own
 */
export function isCrossSiteRequest(request: Request, origin: string): boolean {
  const fields = (name: string) => request.headers.get(name);
  const initiator = initiatorOf(fields, origin);
  if (initiator === "foreign") return true;
  const isPage = ["document", "iframe", "frame", null].includes(fields("sec-fetch-dest"));
  // What its own pages load never asks for `/` but as a page.
  if (initiator !== "unknown") return !isPage;
  // A browser too old to say where a request comes from; programs such as curl are led by nobody.
  const isBrowser = (fields("user-agent") ?? "").startsWith("Mozilla/");
  return isBrowser && cookieOf(request, SEEN_COOKIE) === undefined;
}

/** A page that the browser loads in case somebody wants it. */
export const isSpeculative = (request: Request): boolean =>
  PURPOSES.some((name) => /prefetch|prerender|preview/i.test(request.headers.get(name) ?? ""));

/** Of browsers of today, and of those before them. */
const PURPOSES = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/**
 * Whether a request that changes something comes from this service's own pages, or from no page at all.
 *
 * @param origin the service's own
 */
export function isOwn(request: Request, origin: string): boolean {
  const initiator = initiatorOf((name) => request.headers.get(name), origin);
  return initiator === "own" || initiator === "unknown";
}
