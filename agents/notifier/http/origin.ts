import { initiatorOf, isNavigation } from "../../web/origin.ts";
import { Refusal } from "./refusal.ts";

export interface OriginRules {
  /** The origin under which a request reached this service; null when the address is not its own. */
  readonly origin: (request: Request) => string | null;
  /** Other origins whose pages may use this service. */
  readonly allowedOrigins: readonly string[];
}

/** What a page of another origin may ask for at most. */
const METHODS = "GET, POST, DELETE, OPTIONS";
const ALLOWED_HEADERS = "Content-Type, Authorization, Last-Event-ID";
const PREFLIGHT_SECONDS = 600;

/**
 * Refuses what the page of a stranger made a browser ask. Such a page may lead here (`GET /`) and read nothing; it may
 * not change anything, nor hold a stream open.
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

/** What lets a page of an allowed origin read an answer; nothing for any other. */
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

/** The answer to a preflight of an origin that `refuseStrangers` let pass. */
export const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": METHODS,
      "access-control-allow-headers": ALLOWED_HEADERS,
      "access-control-max-age": String(PREFLIGHT_SECONDS),
    },
  });
