import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { readUser } from "../../../actors/accounts/account/queries.ts";
import { Login, RefreshToken, SessionReply, Signup, UserReply } from "../../../schemas/accounts/account.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { invalidToken } from "../../auth/access-tokens.ts";
import type { AccountSessions } from "../../auth/account-sessions.ts";
import { firstParty, open, signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { created, done, errors, ok } from "../../http/envelope.ts";

/** Each of these requests makes a new session: an idempotency key would have no effect. */
const WITHOUT_KEY = { "x-idempotency-key": false };

/** Accounts and their sessions (design §3 "Credentials"). */
export const accountRoutes = (
  { db, actors, credentials, issuer, announceEndedSessions }: GatewayContext,
  sessions: AccountSessions,
) =>
  new Elysia({ detail: { tags: ["Accounts"] } })
    .use(
      new Elysia({ prefix: "/api/v1/auth" })
        .use(open("who signs up, signs in or refreshes a session has no access token yet"))
        .post("/signup", async (ctx) => created("Account created", await sessions.signUp(ctx, ctx.body)), {
          body: Signup,
          response: {
            201: SessionReply,
            ...errors("USERNAME_TAKEN", "EMAIL_TAKEN", "RATE_LIMITED", "IDEMPOTENCY_KEY_REUSED"),
          },
          detail: { summary: "Create an account and sign in" },
        })
        .post("/login", async (ctx) => ok("Signed in", await sessions.signIn(ctx, ctx.body)), {
          body: Login,
          response: {
            200: SessionReply,
            ...errors("INVALID_CREDENTIALS", "ACCOUNT_SUSPENDED", "RATE_LIMITED"),
          },
          detail: {
            summary: "Sign in by username or e-mail address",
            ...WITHOUT_KEY,
            description: "An `Idempotency-Key` has no effect here: each sign-in is a session of its own.",
          },
        })
        .post(
          "/refresh",
          async (ctx) => ok("Session refreshed", await sessions.refresh(ctx, ctx.body.refresh_token)),
          {
            body: RefreshToken,
            response: { 200: SessionReply, ...errors("INVALID_TOKEN", "RATE_LIMITED") },
            detail: {
              summary: "Exchange a refresh token for new tokens",
              ...WITHOUT_KEY,
              description:
                "A refresh token can be used once. A former token that is used again ends its session. An `Idempotency-Key` has no effect here: a used token is never accepted twice.",
            },
          },
        ),
    )
    .use(
      new Elysia({ prefix: "/api/v1/auth" }).use(firstParty(credentials)).post(
        "/logout",
        async ({ caller }) => {
          await actors.account(caller.userId).logout({ session_id: caller.sessionId });
          await announceEndedSessions(caller.userId, [caller.sessionId]);
          return done("Signed out");
        },
        {
          response: { 200: EmptyReply },
          detail: { summary: "End this session: its tokens are refused from now on" },
        },
      ),
    )
    .use(
      new Elysia({ prefix: "/api/v1/auth" }).use(signedIn(credentials, "resources.read_account")).get(
        "/me",
        async ({ caller }) => {
          const user = await readUser(db, caller.userId);
          if (user === undefined) throw invalidToken();
          return ok("You", user);
        },
        { response: { 200: UserReply }, detail: { summary: "The account that is signed in" } },
      ),
    )
    .use(
      new Elysia()
        .use(open("public keys are for everyone who checks a token"))
        .get("/.well-known/jwks.json", () => issuer.jwks(), {
          response: { 200: Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) }) },
          detail: { summary: "Public keys of access tokens (RFC 7517)" },
        }),
    );
