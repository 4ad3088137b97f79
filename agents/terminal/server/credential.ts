import { createHash, timingSafeEqual } from "node:crypto";
import type { Authorization } from "../options.ts";
import { HARDENING } from "./html.ts";
import { errorResponse } from "./pages.ts";

const COOKIE = "berth_terminal";
const COOKIE_SECONDS = 12 * 60 * 60;

/**
 * One token for everybody who may enter: as `Authorization: Bearer`, or once as `?access_token=`, which becomes a cookie
 * that other sites cannot make the browser send.
 */
export function byToken(token: string): (request: Request) => Authorization | Response {
  const wanted = digest(token);
  const isRight = (shown: string) => timingSafeEqual(digest(shown), wanted);
  return (request) => {
    const url = new URL(request.url);
    const asked = url.searchParams.get("access_token");
    if (asked !== null && isRight(asked)) {
      url.searchParams.delete("access_token");
      const cookie = `${COOKIE}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${COOKIE_SECONDS}`;
      return new Response(null, {
        status: 302,
        headers: { location: `${url.pathname}${url.search}`, "set-cookie": cookie, ...HARDENING },
      });
    }
    const bearer = /^Bearer (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    const cookies = (request.headers.get("cookie") ?? "").split(/;\s*/);
    const cookie = cookies.find((one) => one.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
    if ([bearer, cookie].some((shown) => shown !== undefined && isRight(shown))) return { readonly: false };
    const message = "This terminal needs its token: open it once with ?access_token=…";
    return errorResponse(request, 401, "MISSING_TOKEN", message, { "www-authenticate": "Bearer" });
  };
}

const digest = (text: string) => createHash("sha256").update(text).digest();
