import { cookieOf } from "../../web/cookies.ts";
import { initiatorOf } from "../../web/origin.ts";

/** Set on every page (SameSite): a browser that sends it has been here before and was not sent by another site. */
export const SEEN_COOKIE = "berth_terminal_seen";

/** Whether the browser itself says that another site caused the request. */
export const isForeign = (request: Request, origin: string): boolean =>
  initiatorOf((name) => request.headers.get(name), origin) === "foreign";

/**
 * Whether another site may have caused the request through a link, an image or a script. `GET /` starts programs, so
 * the user has to confirm such a request first.
 *
 * @param origin the service's own
 */
export function isCrossSiteRequest(request: Request, origin: string): boolean {
  const fields = (name: string) => request.headers.get(name);
  const initiator = initiatorOf(fields, origin);
  if (initiator === "foreign") return true;
  const isPage = ["document", "iframe", "frame", null].includes(fields("sec-fetch-dest"));
  // The service's own pages request `/` only as a page.
  if (initiator !== "unknown") return !isPage;
  // A browser too old to say where a request comes from. No site can make programs such as curl send requests.
  const isBrowser = (fields("user-agent") ?? "").startsWith("Mozilla/");
  return isBrowser && cookieOf(request, SEEN_COOKIE) === undefined;
}

/** Whether the browser loads the page speculatively, as in prefetching. */
export const isSpeculative = (request: Request): boolean =>
  PURPOSES.some((name) => /prefetch|prerender|preview/i.test(request.headers.get(name) ?? ""));

/** Header names of current and of older browsers. */
const PURPOSES = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/**
 * Whether a request that changes state comes from this service's own pages or from a client that is not a browser.
 *
 * @param origin the service's own
 */
export function isOwn(request: Request, origin: string): boolean {
  const initiator = initiatorOf((name) => request.headers.get(name), origin);
  return initiator === "own" || initiator === "unknown";
}
