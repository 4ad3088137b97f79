/**
 * What caused a browser to send a request, according to `Origin` and Fetch Metadata: a page of the service's `own`
 * origin, a `foreign` page, the `user` (address bar, bookmark), or `unknown` (no browser, or an old one).
 */
export type Initiator = "own" | "foreign" | "user" | "unknown";

/** Reads a header field; null or undefined if it is missing. */
type Fields = (name: string) => string | null | undefined;

/** @param allowed the origins that count as the service's own */
export function initiatorOf(fields: Fields, ...allowed: readonly string[]): Initiator {
  const origin = fields("origin") ?? undefined;
  if (origin !== undefined) return allowed.includes(origin) ? "own" : "foreign";
  const site = fields("sec-fetch-site") ?? undefined;
  if (site === undefined) return "unknown";
  if (site === "same-origin") return "own";
  return site === "none" ? "user" : "foreign";
}

/** Whether the browser opens the response as a page, in a tab of its own or within a frame. */
export const isNavigation = (fields: Fields): boolean => fields("sec-fetch-mode") === "navigate";

/** A navigation that is not in a frame, so no other site's page surrounds it. */
export const isTopLevelNavigation = (fields: Fields): boolean =>
  isNavigation(fields) && fields("sec-fetch-dest") === "document";
