import { isIP } from "node:net";
import { DomainError } from "../../../schemas/errors.ts";

/**
 * Refuses what another site's page sends. Browsers send Fetch Metadata over https and to loopback only; elsewhere `Origin` says the same.
 * Where the console has a public name, pages of any other name are refused too: a name that somebody points at this server's address makes
 * a page of theirs look like its own.
 *
 * @throws FORBIDDEN_ORIGIN
 */
export function assertOwnPage({ headers, url }: Request, publicUrl: string | undefined): void {
  const site = headers.get("sec-fetch-site");
  const origin = URL.parse(headers.get("origin") ?? "")?.host;
  const isAsked = new URL(url);
  const configured = URL.parse(publicUrl ?? "");
  const hasName = configured !== null && !isAddress(configured);
  const own = [configured?.host, ...(hasName && !isAddress(isAsked) ? [] : [isAsked.host])];
  const isOwn =
    site === null
      ? origin !== undefined && own.includes(origin)
      : site === "same-origin" && (!hasName || origin === undefined || own.includes(origin));
  if (!isOwn) throw new DomainError("FORBIDDEN_ORIGIN", "Only the console's own pages may ask this");
}

/** Nobody else can point a network address or `localhost` elsewhere. */
const isAddress = ({ hostname }: URL): boolean =>
  isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || hostname === "localhost";

/** Whether the browser has the page by TLS. Behind a proxy that ends it, the gateway hears plain http, and the browser says it. */
export const isSecurePage = ({ headers }: Request, publicUrl: string | undefined): boolean =>
  [publicUrl, headers.get("origin")].some((url) => url?.startsWith("https:"));
