import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { readUser } from "../../../actors/accounts/account/queries.ts";
import { Login, RefreshToken, SessionReply, Signup, UserReply } from "../../../schemas/accounts/account.ts";
import {
  LoginPasskey,
  LoginSecondFactor,
  PasskeyChallengeReply,
} from "../../../schemas/accounts/second-factor.ts";
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
            ...errors("INVALID_CREDENTIALS", "SECOND_FACTOR_REQUIRED", "ACCOUNT_SUSPENDED", "RATE_LIMITED"),
          },
          detail: {
            summary: "Sign in by username or e-mail address",
            ...WITHOUT_KEY,
            description:
              "An account with a second factor answers 401 SECOND_FACTOR_REQUIRED: `data` is a SecondFactorChallenge, which " +
              "`POST /api/v1/auth/login/second-factor` takes with a code or a passkey. " +
              "An `Idempotency-Key` has no effect here: each sign-in is a session of its own.",
          },
        })
        .post(
          "/login/second-factor",
          async (ctx) => ok("Signed in", await sessions.proveSecondFactor(ctx, ctx.body)),
          {
            body: LoginSecondFactor,
            response: {
              200: SessionReply,
              ...errors("SECOND_FACTOR_WRONG", "CHALLENGE_INVALID", "ACCOUNT_SUSPENDED", "RATE_LIMITED"),
            },
            detail: {
              summary: "Complete a sign-in with the second factor",
              ...WITHOUT_KEY,
              description:
                "With `code` (of the app, or a recovery code) or with `passkey`, which signs the challenge's `options`. " +
                "A challenge is good once, for five minutes, and ends with a change of the password. A code is good once. Twenty tries an hour.",
            },
          },
        )
        .post("/login/passkey-challenge", async (ctx) => ok("Challenge", await sessions.beginPasskey(ctx)), {
          response: { 200: PasskeyChallengeReply, ...errors("PASSKEYS_UNAVAILABLE", "RATE_LIMITED") },
          detail: { summary: "Begin a sign-in by a passkey alone", ...WITHOUT_KEY },
        })
        .post(
          "/login/passkey",
          async (ctx) => ok("Signed in", await sessions.signInByPasskey(ctx, ctx.body)),
          {
            body: LoginPasskey,
            response: {
              200: SessionReply,
              ...errors("INVALID_CREDENTIALS", "CHALLENGE_INVALID", "ACCOUNT_SUSPENDED", "RATE_LIMITED"),
            },
            detail: {
              summary: "Sign in by a passkey alone",
              ...WITHOUT_KEY,
              description:
                "Neither a name nor a password is asked for: the passkey's device has verified its person, which is two factors in one.",
            },
          },
        )
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
      new Elysia({ prefix: "/api/v1/auth" }).use(firstParty(credentials, { beforeSetUp: true })).post(
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
      new Elysia({ prefix: "/api/v1/auth" })
        .use(signedIn(credentials, "resources.read_account", { beforeSetUp: true }))
        .get(
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
