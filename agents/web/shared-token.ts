import { createHash, timingSafeEqual } from "node:crypto";
import { cookieOf } from "./cookies.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";

const COOKIE_SECONDS = 12 * 60 * 60;

export interface SharedTokenOptions {
  readonly token: string;
  /** The name of the cookie that carries the token in a browser. */
  readonly cookie: string;
  /** Whether `?access_token=` is exchanged for the cookie at this path; by default at every path. */
  readonly isEntry?: (path: string) => boolean;
  /** The response to a request without the token. */
  readonly refuse: (request: Request, headers: Readonly<Record<string, string>>) => Response;
}

/**
 * One token for all users of a stand-alone service: as `Authorization: Bearer`, or once as `?access_token=`, which is
 * exchanged for a cookie that browsers do not send with requests from other sites.
 */
export function bySharedToken(
  options: SharedTokenOptions,
): (request: Request) => { readonly readonly: false } | Response {
  const { token, cookie: name, isEntry = () => true, refuse } = options;
  const wanted = digest(token);
  const isRight = (shown: string | undefined) =>
    shown !== undefined && timingSafeEqual(digest(shown), wanted);
  return (request) => {
    const url = new URL(request.url);
    if (isEntry(url.pathname) && isRight(url.searchParams.get("access_token") ?? undefined)) {
      url.searchParams.delete("access_token");
      const cookie = `${name}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${COOKIE_SECONDS}`;
      const headers = { location: `${url.pathname}${url.search}`, "set-cookie": cookie, ...SECURITY_HEADERS };
      return new Response(null, { status: 302, headers });
    }
    const bearer = /^Bearer (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    if (isRight(bearer) || isRight(cookieOf(request, name))) return { readonly: false };
    return refuse(request, { "www-authenticate": "Bearer" });
  };
}

const digest = (text: string) => createHash("sha256").update(text).digest();
