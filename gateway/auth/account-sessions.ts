import { randomBytes } from "node:crypto";
import type { Entry } from "../../actors/accounts/account/factors/inputs.ts";
import { findCredentials, isOfSuspended, readUser } from "../../actors/accounts/account/queries.ts";
import type { Login, Signup, User } from "../../schemas/accounts/account.ts";
import type { Approval } from "../../schemas/accounts/device-sign-in.ts";
import type {
  LoginPasskey,
  LoginSecondFactor,
  PasskeyChallenge,
} from "../../schemas/accounts/second-factor.ts";
import { DomainError, ValidationError } from "../../schemas/errors.ts";
import type { GatewayContext } from "../context.ts";
import { actorIdFor } from "../http/actor-id.ts";
import type { Connection } from "../http/client-address.ts";
import { enforceLimit, RateLimiter } from "../http/rate-limit.ts";
import type { Operation } from "../idempotency.ts";
import { FailedLogins } from "./failed-logins.ts";
import { RefreshLimits } from "./refresh-limits.ts";
import {
  firstRefreshToken,
  hashesOf,
  type IssuedToken,
  nextRefreshToken,
  parseRefreshToken,
  textOf,
} from "./refresh-tokens.ts";
import { secondFactorSignIns } from "./second-factor-sign-ins.ts";
import type { SignIn } from "./sign-in.ts";

/** Each sign-up costs an Argon2 hash. */
const SIGNUPS_PER_ADDRESS = { name: "signup", limit: 30, windowSeconds: 60 };
const USER_AGENT_CHARS_MAX = 512;
const SECRET_BYTES = 32;

/** A request that begins or continues a session. */
export interface SessionRequest extends Connection {
  readonly set: { readonly headers: Record<string, string | number> };
  readonly operation: Operation;
}

/** What a client has after it signed in. */
export interface SignedIn {
  readonly user: User;
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

/** The sessions of accounts, which begin by the API or by the console (design §3 "Credentials"). */
export interface AccountSessions {
  /** @throws USERNAME_TAKEN, EMAIL_TAKEN, RATE_LIMITED, IDEMPOTENCY_KEY_REUSED */
  signUp(request: SessionRequest, body: Signup): Promise<SignedIn>;
  /** @throws INVALID_CREDENTIALS, SECOND_FACTOR_REQUIRED with its challenge, ACCOUNT_SUSPENDED, RATE_LIMITED */
  signIn(request: SessionRequest, body: Login): Promise<SignedIn>;
  /** Answers the challenge of a sign-in. @throws SECOND_FACTOR_WRONG, CHALLENGE_INVALID, ACCOUNT_SUSPENDED, RATE_LIMITED */
  proveSecondFactor(request: SessionRequest, body: LoginSecondFactor): Promise<SignedIn>;
  /** A challenge for whichever passkey the browser has. @throws PASSKEYS_UNAVAILABLE, RATE_LIMITED */
  beginPasskey(request: SessionRequest): Promise<PasskeyChallenge>;
  /** Signs in by a passkey alone. @throws INVALID_CREDENTIALS, CHALLENGE_INVALID, ACCOUNT_SUSPENDED, RATE_LIMITED */
  signInByPasskey(request: SessionRequest, body: LoginPasskey): Promise<SignedIn>;
  /** A session that its user approved in another one. @throws SESSION_NOT_FOUND, ACCOUNT_SUSPENDED */
  signInByDevice(request: SessionRequest, approval: Approval): Promise<SignedIn>;
  /** Exchanges a refresh token for new tokens. @throws INVALID_TOKEN, RATE_LIMITED */
  refresh(request: SessionRequest, refreshToken: string): Promise<SignedIn>;
  /**
   * As `refresh`; and for half a minute the same token gives the same next one, since a browser that leaves a page drops the reply.
   * @throws ACCOUNT_SUSPENDED, for whoever had a session of the account
   */
  refreshInBrowser(request: SessionRequest, refreshToken: string): Promise<SignedIn>;
  /** Ends the session of a refresh token. One that is no longer good ends nothing. @throws RATE_LIMITED */
  signOut(request: SessionRequest, refreshToken: string): Promise<void>;
}

type DeriveSecret = (secret: string) => string;

/** Begins a session of somebody who has shown that the account is theirs. @param once the operation, where it may act only once */
export type StartSession = (
  user: User,
  from: Connection,
  entry: Entry,
  once?: Pick<Operation, "key" | "hasClientKey">,
) => Promise<SignedIn>;

export function accountSessions(context: GatewayContext, signIn: SignIn): AccountSessions {
  const { db, actors, issuer, newId, addressOf, announceEndedSessions, quotas, log } = context;
  const { passwords, limits: signIns } = signIn;
  const failedLogins = new FailedLogins(actors, (error) =>
    log.warn({ err: error }, "a failed sign-in was not written to the user's log"),
  );
  const signups = new RateLimiter(SIGNUPS_PER_ADDRESS);
  const refreshes = new RefreshLimits();
  // Verified for an unknown account, so that the reply takes as long as for a wrong password.
  const unknownAccountHash = passwords.hash(randomBytes(SECRET_BYTES).toString("hex"));

  const sessionOf = async (user: User, refreshToken: IssuedToken): Promise<SignedIn> => {
    const { id: sub, role, username } = user;
    const { token, expiresIn } = await issuer.issue({ sub, sid: refreshToken.sessionId, role, username });
    return { user, access_token: token, refresh_token: textOf(refreshToken), expires_in: expiresIn };
  };

  const startSession: StartSession = async (user, from, entry, once) => {
    const sessionId = newId();
    const token = firstRefreshToken(user.id, sessionId);
    await actors.account(user.id).login(
      {
        entry,
        session_id: sessionId,
        ...hashesOf(token),
        sessions_max: quotas.sessions_per_user,
        address: addressOf(from),
        user_agent: userAgentOf(from),
      },
      once,
    );
    return sessionOf(user, token);
  };
  const secondFactors = secondFactorSignIns(context, signIn, startSession, failedLogins);

  /** Exchanges a session's newest token for the next one. A former token ends the session. */
  const rotate = async (shown: IssuedToken, operation: Operation, derive?: DeriveSecret) => {
    const user = await readUser(db, shown.userId);
    if (user === undefined) return undefined;
    const next = nextRefreshToken(shown, derive);
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

  /** Exchanges a token for new ones, within the limits of an address and of a session. */
  const exchange = async (request: SessionRequest, refreshToken: string, derive?: DeriveSecret) => {
    const address = addressOf(request);
    const shown = parseRefreshToken(refreshToken);
    refreshes.admit(shown?.sessionId, address, request.set.headers);
    const refreshed = shown?.isGenuine ? await rotate(shown, request.operation, derive) : undefined;
    if (refreshed === undefined) refreshes.countWrong(shown?.sessionId, address);
    else refreshes.countRight(refreshed.next.sessionId);
    return refreshed;
  };

  const refreshed = async (request: SessionRequest, refreshToken: string) => {
    const exchanged = await exchange(request, refreshToken);
    if (exchanged === undefined) throw invalidRefreshToken();
    return sessionOf(exchanged.user, exchanged.next);
  };

  return {
    async signUp(request, body) {
      const { operation, set } = request;
      enforceLimit(signups, addressOf(request), set.headers);
      const password_hash = await passwords.hash(body.password);
      const id = actorIdFor("account", body.username.toLowerCase(), operation, newId);
      const { username, email } = body;
      const { replayed, value } = await actors
        .account(id)
        .signup({ username, email, password_hash, role: "user" }, operation);
      let entered = password_hash;
      // The key of a sign-up alone must not give a session: the password is checked as well.
      if (replayed && operation.hasClientKey) {
        const known = await findCredentials(db, { username });
        if (!(known && (await passwords.verify(body.password, known.passwordHash))))
          throw new DomainError(
            "IDEMPOTENCY_KEY_REUSED",
            "this idempotency key was used for another request",
          );
        entered = known.passwordHash;
      }
      signIns.recordAddress(id, addressOf(request));
      const user: User = { id, username, email, role: "user", created_at: value.created_at };
      return startSession(user, request, { by: "password", password_hash: entered, proof: null });
    },

    async signIn(request, body) {
      const { headers } = request.set;
      const name = nameOf(body);
      const address = addressOf(request);
      signIns.countByAddress(address, headers);
      const found = await findCredentials(db, name);
      const account = found?.user.id ?? JSON.stringify(name).toLowerCase();
      const attempt = signIns.countByAccount(account, address, headers);
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
      const challenge = await secondFactors.challengeFor(found.user.id);
      // Only whoever proves the second factor as well makes this an address that the account is known to use.
      if (challenge === null) attempt.recordSuccess();
      else {
        attempt.withdraw();
        throw new DomainError(
          "SECOND_FACTOR_REQUIRED",
          "The password is right; now the second factor is asked for",
          challenge,
        );
      }
      return startSession(found.user, request, { by: "password", password_hash: hash, proof: null }).catch(
        (error) => {
          // The password has changed since it was checked.
          throw error instanceof DomainError && error.code === "WRONG_PASSWORD" ? wrongCredentials() : error;
        },
      );
    },

    ...secondFactors,

    async signInByDevice(request, { user_id, ...approved }) {
      const user = await readUser(db, user_id);
      if (user === undefined) throw wrongCredentials();
      return startSession(user, request, { by: "device", ...approved });
    },

    refresh: (request, refreshToken) => refreshed(request, refreshToken),

    async refreshInBrowser(request, refreshToken) {
      const exchanged = await exchange(request, refreshToken, (secret) => issuer.derive(secret));
      if (exchanged !== undefined) return sessionOf(exchanged.user, exchanged.next);
      const shown = parseRefreshToken(refreshToken);
      if (shown && (await isOfSuspended(db, shown.sessionId, hashesOf(shown).family_hash)))
        throw new DomainError("ACCOUNT_SUSPENDED", "This account is suspended: ask the operator why");
      throw invalidRefreshToken();
    },

    async signOut(request, refreshToken) {
      // Only whoever has the newest token of a session can exchange it.
      const refreshed = await exchange(request, refreshToken);
      if (refreshed === undefined) return;
      const { userId, sessionId } = refreshed.next;
      await actors.account(userId).logout({ session_id: sessionId });
      await announceEndedSessions(userId, [sessionId]);
    },
  };
}

/** The client's `User-Agent`, cut to a length that a list can show. */
export const userAgentOf = ({ request }: Connection): string | null =>
  request.headers.get("user-agent")?.slice(0, USER_AGENT_CHARS_MAX) ?? null;

export const invalidRefreshToken = () =>
  new DomainError("INVALID_TOKEN", "The refresh token is invalid, used or expired");
export const wrongCredentials = () => new DomainError("INVALID_CREDENTIALS", "Wrong name or password");

function nameOf(body: Login): { username: string } | { email: string } {
  const { username, email } = body;
  if (username !== undefined && email === undefined) return { username };
  if (email !== undefined && username === undefined) return { email };
  throw new ValidationError("body.username", "give either username or email");
}
