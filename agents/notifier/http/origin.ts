import { initiatorOf, isNavigation } from "../../web/origin.ts";
import { Refusal } from "./refusal.ts";

export interface OriginRules {
  /** The origin of this service for a request; null if the address is not the service's own. */
  readonly origin: (request: Request) => string | null;
  /** Other origins whose pages may use this service. */
  readonly allowedOrigins: readonly string[];
}

/** The methods that a page of another origin may use. */
const METHODS = "GET, POST, DELETE, OPTIONS";
const ALLOWED_HEADERS = "Content-Type, Authorization, Last-Event-ID";
const PREFLIGHT_SECONDS = 600;

/**
 * Refuses requests from pages of other origins. Such a page may link here (`GET /`), but it may not read or change
 * anything, nor hold a stream open.
 *
 * @throws Refusal (403)
 */
export function assertAllowedOrigin(request: Request, rules: OriginRules): void {
  const own = rules.origin(request);
  if (own === null) throw new Refusal(403, "FORBIDDEN_HOST", "this is not the address of this service");
  const fields = (name: string) => request.headers.get(name);
  if (initiatorOf(fields, own, ...rules.allowedOrigins) !== "foreign") return;
  const leadsHere = fields("origin") === null && request.method === "GET" && isNavigation(fields);
  if (!leadsHere) throw new Refusal(403, "FORBIDDEN_ORIGIN", "pages of this origin may not use this service");
}

/** The CORS headers with which a page of an allowed origin can read a response; none for other origins. */
export function corsHeaders(request: Request, rules: OriginRules): Record<string, string> {
  if (rules.allowedOrigins.length === 0) return {};
  const from = request.headers.get("origin");
  if (from === null || !rules.allowedOrigins.includes(from)) return { vary: "Origin" };
  return {
    vary: "Origin",
    "access-control-allow-origin": from,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": "ETag, Retry-After",
    "cross-origin-resource-policy": "cross-origin",
  };
}

/** The response to a preflight that `assertAllowedOrigin` has admitted. */
export const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": METHODS,
      "access-control-allow-headers": ALLOWED_HEADERS,
      "access-control-max-age": String(PREFLIGHT_SECONDS),
    },
  });
