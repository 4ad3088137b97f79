import { findPasskey, readFactors } from "../../actors/accounts/account/factors/queries.ts";
import { readUser } from "../../actors/accounts/account/queries.ts";
import type { SecondFactorChallenge } from "../../schemas/accounts/second-factor.ts";
import { DomainError, type ErrorCode } from "../../schemas/errors.ts";
import type { GatewayContext } from "../context.ts";
import { enforceLimit, RateLimiter } from "../http/rate-limit.ts";
import type { AccountSessions, StartSession } from "./account-sessions.ts";
import { fingerprintOf, invalidChallenge, onceFor } from "./challenges.ts";
import type { FailedLogins } from "./failed-logins.ts";
import { assertionOptions, userHandleOf, verifyAssertion } from "./passkeys.ts";
import { methodsOf } from "./second-factors.ts";
import type { SignIn } from "./sign-in.ts";

/** Each challenge is a signature. */
const CHALLENGES_PER_ADDRESS = { name: "passkey-challenge", limit: 60, windowSeconds: 60 };

type Steps = Pick<AccountSessions, "proveSecondFactor" | "beginPasskey" | "signInByPasskey"> & {
  /** The challenge for an account that has a second factor; null for others. */
  challengeFor(userId: string): Promise<SecondFactorChallenge | null>;
};

/** Sign-ins that a second factor completes, or a passkey does alone (docs/decisions/0064-second-factors.md). */
export function secondFactorSignIns(
  { db, addressOf }: GatewayContext,
  { limits, factors, challenges }: SignIn,
  startSession: StartSession,
  failedLogins: FailedLogins,
): Steps {
  const begun = new RateLimiter(CHALLENGES_PER_ADDRESS);

  return {
    async challengeFor(userId) {
      const user = await readFactors(db, userId);
      if (!user?.enabled) return null;
      const password = fingerprintOf(user.passwordHash);
      const { nonce, ...issued } = await challenges.issue({ purpose: "sign-in", userId, password });
      const options = await factors.optionsFor(nonce, user.passkeys);
      return { ...issued, methods: methodsOf(user), options };
    },

    async proveSecondFactor(request, body) {
      const { headers } = request.set;
      const address = addressOf(request);
      limits.countByAddress(address, headers);
      const challenge = await challenges.read("sign-in", body.challenge);
      const { userId: id = "" } = challenge;
      const [user, account] = await Promise.all([readFactors(db, id), readUser(db, id)]);
      if (user === undefined || account === undefined) throw invalidChallenge();
      if (fingerprintOf(user.passwordHash) !== challenge.password) throw invalidChallenge();
      const proof = await factors.prove({ id, ...user }, body, challenge.nonce, headers).catch((error) => {
        if (isCode(error, "SECOND_FACTOR_WRONG")) void failedLogins.record(id, address);
        throw error;
      });
      const entry = { by: "password" as const, password_hash: user.passwordHash, proof };
      const signedIn = await startSession(account, request, entry, onceFor(challenge)).catch(asUsedChallenge);
      limits.recordAddress(id, address);
      return signedIn;
    },

    async beginPasskey(request) {
      enforceLimit(begun, addressOf(request), request.set.headers);
      const party = factors.requireParty();
      const { nonce, ...issued } = await challenges.issue({ purpose: "passkey-sign-in" });
      return { ...issued, options: { ...(await assertionOptions(party, nonce)) } };
    },

    async signInByPasskey(request, { challenge: token, passkey: given }) {
      const address = addressOf(request);
      limits.countByAddress(address, request.set.headers);
      const party = factors.requireParty();
      const challenge = await challenges.read("passkey-sign-in", token);
      const found = await findPasskey(db, given.id);
      const [verified, account] = await Promise.all([
        found && verifyAssertion(party, challenge.nonce, found.passkey, given, true),
        found && readUser(db, found.userId),
      ]);
      if (verified === undefined || account === undefined) throw unknownPasskey();
      if (given.response.userHandle !== userHandleOf(account.id)) throw unknownPasskey();
      const entry = { by: "passkey" as const, proof: { by: "passkey" as const, ...verified } };
      const signedIn = await startSession(account, request, entry, onceFor(challenge)).catch(asUsedChallenge);
      limits.recordAddress(account.id, address);
      return signedIn;
    },
  };
}

const unknownPasskey = () =>
  new DomainError("INVALID_CREDENTIALS", "This passkey is not registered here, or could not be verified");

const isCode = (error: unknown, ...codes: ErrorCode[]): boolean =>
  error instanceof DomainError && codes.includes(error.code);

/** An answer that came twice, or after the password has changed meanwhile. */
function asUsedChallenge(error: unknown): never {
  throw isCode(error, "IDEMPOTENCY_KEY_REUSED", "WRONG_PASSWORD") ? invalidChallenge() : error;
}
