import { Elysia } from "elysia";
import { Login, Signup } from "../../../schemas/accounts/account.ts";
import { LoginPasskey, LoginSecondFactor } from "../../../schemas/accounts/second-factor.ts";
import { type AccountSessions, invalidRefreshToken, type SignedIn } from "../../auth/account-sessions.ts";
import { open } from "../../auth/guards.ts";
import { created, done, ok } from "../../http/envelope.ts";
import { SESSION_PATH } from "../paths.ts";
import { assertOwnPage, isSecurePage } from "./own-page.ts";

const COOKIE = "berth_refresh";
/** Longer than any session lives without use. A session that has ended is refused whatever its cookie says. */
const COOKIE_SECONDS = 90 * 24 * 60 * 60;
const hidden = { detail: { hide: true } };

interface Context {
  readonly request: Request;
  readonly set: { readonly headers: Record<string, string | number> };
}

/**
 * The console's session. A script never sees the refresh token: it is in a cookie that only these routes get, and the access token is
 * in the page's memory alone (docs/decisions/0061-console.md).
 */
export function sessionRoutes(sessions: AccountSessions, publicUrl: string | undefined) {
  const setCookie = (ctx: Context, value: string, seconds: number) => {
    const secure = isSecurePage(ctx.request, publicUrl) ? "; Secure" : "";
    ctx.set.headers["set-cookie"] =
      `${COOKIE}=${value}; Path=${SESSION_PATH}; HttpOnly; SameSite=Strict${secure}; Max-Age=${seconds}`;
  };
  /** The reply of the API, with the refresh token in the cookie instead. */
  const keep = (ctx: Context, { refresh_token, ...session }: SignedIn) => {
    setCookie(ctx, refresh_token, COOKIE_SECONDS);
    return session;
  };

  return new Elysia({ prefix: SESSION_PATH })
    .use(
      open(
        "who signs in has no access token yet; a session is continued by its cookie, from the console alone",
      ),
    )
    .onBeforeHandle(({ request }) => assertOwnPage(request, publicUrl))
    .post(
      "/sign-up",
      async (ctx) => created("Account created", keep(ctx, await sessions.signUp(ctx, ctx.body))),
      {
        body: Signup,
        ...hidden,
      },
    )
    .post("/", async (ctx) => ok("Signed in", keep(ctx, await sessions.signIn(ctx, ctx.body))), {
      body: Login,
      ...hidden,
    })
    .post(
      "/second-factor",
      async (ctx) => ok("Signed in", keep(ctx, await sessions.proveSecondFactor(ctx, ctx.body))),
      { body: LoginSecondFactor, ...hidden },
    )
    .post(
      "/passkey",
      async (ctx) => ok("Signed in", keep(ctx, await sessions.signInByPasskey(ctx, ctx.body))),
      {
        body: LoginPasskey,
        ...hidden,
      },
    )
    .post(
      "/refresh",
      async (ctx) => {
        const token = refreshTokenOf(ctx.request);
        if (token === undefined) throw invalidRefreshToken();
        return ok("Session refreshed", keep(ctx, await sessions.refreshInBrowser(ctx, token)));
      },
      hidden,
    )
    .delete(
      "/",
      async (ctx) => {
        setCookie(ctx, "", 0);
        const token = refreshTokenOf(ctx.request);
        if (token !== undefined) await sessions.signOut(ctx, token);
        return done("Signed out");
      },
      hidden,
    );
}

const refreshTokenOf = ({ headers }: Request): string | undefined =>
  new RegExp(`(?:^|;\\s*)${COOKIE}=([^;\\s]+)`).exec(headers.get("cookie") ?? "")?.[1];
