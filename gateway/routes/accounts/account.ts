import { randomBytes } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { findCredentials, readUser } from "../../../actors/accounts/account/queries.ts";
import {
  Login,
  RefreshToken,
  SessionReply,
  Signup,
  type User,
  UserReply,
} from "../../../schemas/accounts/account.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import { invalidToken } from "../../auth/access-tokens.ts";
import { FailedLogins } from "../../auth/failed-logins.ts";
import { firstParty, open, signedIn } from "../../auth/guards.ts";
import { RefreshLimits } from "../../auth/refresh-limits.ts";
import {
  firstRefreshToken,
  hashesOf,
  type IssuedToken,
  nextRefreshToken,
  parseRefreshToken,
  textOf,
} from "../../auth/refresh-tokens.ts";
import type { SignIn } from "../../auth/sign-in.ts";
import type { GatewayContext } from "../../context.ts";
import { actorIdFor } from "../../http/actor-id.ts";
import type { Connection } from "../../http/client-address.ts";
import { created, done, errors, ok } from "../../http/envelope.ts";
import { enforceLimit, RateLimiter } from "../../http/rate-limit.ts";
import type { Operation } from "../../idempotency.ts";

/** Each sign-up costs an Argon2 hash. */
const SIGNUPS_PER_ADDRESS = { name: "signup", limit: 30, windowSeconds: 60 };

/** Each of these requests makes a new session: an idempotency key would have no effect. */
const WITHOUT_KEY = { "x-idempotency-key": false };
const USER_AGENT_CHARS_MAX = 512;
const SECRET_BYTES = 32;

/** Accounts and their sessions (design §3 "Credentials"). */
export const accountRoutes = (
  { db, actors, credentials, issuer, newId, addressOf, announceEndedSessions, quotas, log }: GatewayContext,
  { passwords, limits: signIns }: SignIn,
) => {
  const failedLogins = new FailedLogins(actors, (error) =>
    log.warn({ err: error }, "a failed sign-in was not written to the user's log"),
  );
  const signups = new RateLimiter(SIGNUPS_PER_ADDRESS);
  const refreshes = new RefreshLimits();
  // Verified for an unknown account, so that the reply takes as long as for a wrong password.
  const unknownAccountHash = passwords.hash(randomBytes(SECRET_BYTES).toString("hex"));

  const sessionOf = async (user: User, refreshToken: IssuedToken) => {
    const { id: sub, role, username } = user;
    const { token, expiresIn } = await issuer.issue({ sub, sid: refreshToken.sessionId, role, username });
    return { user, access_token: token, refresh_token: textOf(refreshToken), expires_in: expiresIn };
  };

  const startSession = async (user: User, from: Connection) => {
    const sessionId = newId();
    const token = firstRefreshToken(user.id, sessionId);
    await actors.account(user.id).login({
      session_id: sessionId,
      ...hashesOf(token),
      sessions_max: quotas.sessions_per_user,
      address: addressOf(from),
      user_agent: userAgentOf(from),
    });
    return sessionOf(user, token);
  };

  /** Exchanges a session's newest token for the next one. A former token ends the session. */
  const rotate = async (shown: IssuedToken, operation: Operation) => {
    const user = await readUser(db, shown.userId);
    if (user === undefined) return undefined;
    const next = nextRefreshToken(shown);
    const { family_hash, refresh_hash: shown_hash } = hashesOf(shown);
    const { refresh_hash: next_hash } = hashesOf(next);
    const { value } = await actors.account(shown.userId).refresh(
      { session_id: shown.sessionId, family_hash, shown_hash, next_hash },
      // The client's key has no effect here: a used token is never accepted twice.
      operation.hasClientKey ? {} : { key: operation.key },
    );
    if (value.outcome === "reused") await announceEndedSessions(shown.userId, [shown.sessionId]);
    return value.outcome === "rotated" ? { user, next } : undefined;
  };

  return new Elysia({ detail: { tags: ["Accounts"] } })
    .use(
      new Elysia({ prefix: "/api/v1/auth" })
        .use(open("who signs up, signs in or refreshes a session has no access token yet"))
        .post(
          "/signup",
          async (ctx) => {
            const { body, operation } = ctx;
            enforceLimit(signups, addressOf(ctx), ctx.set.headers);
            const password_hash = await passwords.hash(body.password);
            const id = actorIdFor("account", body.username.toLowerCase(), operation, newId);
            const { username, email } = body;
            const { replayed, value } = await actors
              .account(id)
              .signup({ username, email, password_hash, role: "user" }, operation);
            // The key of a sign-up alone must not give a session: the password is checked as well.
            if (replayed && operation.hasClientKey) {
              const known = await findCredentials(db, { username });
              if (!(known && (await passwords.verify(body.password, known.passwordHash))))
                throw new DomainError(
                  "IDEMPOTENCY_KEY_REUSED",
                  "this idempotency key was used for another request",
                );
            }
            signIns.recordSignUp(id, addressOf(ctx));
            const user: User = { id, username, email, role: "user", created_at: value.created_at };
            return created("Account created", await startSession(user, ctx));
          },
          {
            body: Signup,
            response: {
              201: SessionReply,
              ...errors("USERNAME_TAKEN", "EMAIL_TAKEN", "RATE_LIMITED", "IDEMPOTENCY_KEY_REUSED"),
            },
            detail: { summary: "Create an account and sign in" },
          },
        )
        .post(
          "/login",
          async (ctx) => {
            const { body } = ctx;
            const name = nameOf(body);
            const address = addressOf(ctx);
            signIns.countByAddress(address, ctx.set.headers);
            const found = await findCredentials(db, name);
            const account = found?.user.id ?? JSON.stringify(name).toLowerCase();
            const attempt = signIns.countByAccount(account, address, ctx.set.headers);
            const hash = found?.passwordHash ?? (await unknownAccountHash);
            const matches = await passwords.verify(body.password, hash).catch((error) => {
              attempt.withdraw();
              throw error;
            });
            if (found !== undefined && !matches) {
              // Not awaited: the reply's time must not reveal that the account exists.
              void failedLogins.record(found.user.id, address);
            }
            if (found === undefined || !matches) throw wrongCredentials();
            attempt.recordSuccess();
            return ok("Signed in", await startSession(found.user, ctx));
          },
          {
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
          },
        )
        .post(
          "/refresh",
          async (ctx) => {
            const address = addressOf(ctx);
            const shown = parseRefreshToken(ctx.body.refresh_token);
            refreshes.admit(shown?.sessionId, address, ctx.set.headers);
            const refreshed = shown?.isGenuine ? await rotate(shown, ctx.operation) : undefined;
            if (refreshed === undefined) {
              refreshes.countWrong(shown?.sessionId, address);
              throw invalidRefreshToken();
            }
            refreshes.countRight(refreshed.next.sessionId);
            return ok("Session refreshed", await sessionOf(refreshed.user, refreshed.next));
          },
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
};

/** The client's `User-Agent`, cut to a length that a list can show. */
const userAgentOf = ({ request }: Connection): string | null =>
  request.headers.get("user-agent")?.slice(0, USER_AGENT_CHARS_MAX) ?? null;

const invalidRefreshToken = () =>
  new DomainError("INVALID_TOKEN", "The refresh token is invalid, used or expired");
const wrongCredentials = () => new DomainError("INVALID_CREDENTIALS", "Wrong name or password");

function nameOf(body: Login): { username: string } | { email: string } {
  const { username, email } = body;
  if (username !== undefined && email === undefined) return { username };
  if (email !== undefined && username === undefined) return { email };
  throw new ValidationError("body.username", "give either username or email");
}
