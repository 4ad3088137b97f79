/** Set on every page: a browser that sends it was here before, and was not led here by another site. */
export const SEEN_COOKIE = "berth_terminal_seen";

/**
 * Whether somebody else may have made the browser ask: a link, an image or a script of another site. `GET /` starts
 * programs, so such a request has to be confirmed by a person first.
 *
 * @param origin the service's own
 */
export function isCrossSiteRequest(request: Request, origin: string): boolean {
  // Said by scripts and forms of other sites, in browsers of any age.
  const from = request.headers.get("origin");
  if (from !== null && from !== origin) return true;
  const site = request.headers.get("sec-fetch-site");
  const isNavigation = ["document", "iframe", "frame", null].includes(request.headers.get("sec-fetch-dest"));
  // What its own pages load never asks for `/` but as a page.
  if (site === "same-origin" || site === "none") return !isNavigation;
  if (site !== null) return true;
  // A browser too old to say where a request comes from; programs such as curl are led by nobody.
  const isBrowser = (request.headers.get("user-agent") ?? "").startsWith("Mozilla/");
  return isBrowser && !hasCookie(request, SEEN_COOKIE);
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
  const from = request.headers.get("origin");
  if (from !== null) return from === origin;
  const site = request.headers.get("sec-fetch-site");
  return site === null || site === "same-origin";
}

function hasCookie(request: Request, name: string): boolean {
  const cookies = (request.headers.get("cookie") ?? "").split(/;\s*/);
  return cookies.some((cookie) => cookie.startsWith(`${name}=`));
}
