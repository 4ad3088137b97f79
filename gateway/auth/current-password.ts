import { type Factors, readFactors } from "../../actors/accounts/account/factors/queries.ts";
import type { Proof } from "../../actors/accounts/account/factors/rules.ts";
import { readSecrets } from "../../actors/accounts/account/queries.ts";
import type { Caller } from "../../schemas/accounts/auth.ts";
import type { Proven } from "../../schemas/accounts/second-factor.ts";
import { DomainError } from "../../schemas/errors.ts";
import type { GatewayContext } from "../context.ts";
import type { Connection } from "../http/client-address.ts";
import { invalidToken } from "./access-tokens.ts";
import type { SignIn } from "./sign-in.ts";

/** A request of somebody who is signed in, and shows again that the account is theirs. */
export interface Confirmed extends Connection {
  readonly set: { readonly headers: Record<string, string | number> };
  readonly caller: Caller;
}

/** What a change of the account's credentials is sent with. */
export interface Confirmation {
  readonly current_hash: string;
  readonly proof: Proof | null;
  readonly address: string;
}

/** Checks the present password, and the second factor where there is one: a borrowed browser must not be enough. */
export function confirmations(
  { db, addressOf }: Pick<GatewayContext, "db" | "addressOf">,
  { passwords, limits, factors, challenges }: SignIn,
) {
  /** The hash of the caller's password, which is the one that was given. @throws WRONG_PASSWORD, RATE_LIMITED */
  async function assertPassword(from: Confirmed, password: string): Promise<string> {
    const { userId } = from.caller;
    const address = addressOf(from);
    const { headers } = from.set;
    limits.countByAddress(address, headers);
    const attempt = limits.countByAccount(userId, address, headers);
    const hash = (await readSecrets(db, userId))?.passwordHash;
    const isRight =
      hash !== undefined &&
      (await passwords.verify(password, hash).catch((error) => {
        attempt.withdraw();
        throw error;
      }));
    if (!isRight) throw new DomainError("WRONG_PASSWORD", "The current password is wrong");
    attempt.recordSuccess();
    return hash;
  }

  /** @throws SECOND_FACTOR_WRONG, CHALLENGE_INVALID, RATE_LIMITED */
  async function proofOf(from: Confirmed, user: Factors, given: Proven): Promise<Proof | null> {
    if (!user.enabled) return null;
    const id = from.caller.userId;
    const challenge = given.passkey && (await challenges.read("confirmation", given.challenge));
    const isOwn = challenge === undefined || challenge.userId === id;
    return factors.prove({ id, ...user }, given, isOwn ? challenge?.nonce : undefined, from.set.headers);
  }

  /** @throws WRONG_PASSWORD, SECOND_FACTOR_WRONG, CHALLENGE_INVALID, RATE_LIMITED */
  async function confirm(from: Confirmed, given: Proven): Promise<Confirmation> {
    const current_hash = await assertPassword(from, given.current_password);
    const user = await readFactors(db, from.caller.userId);
    if (user === undefined) throw invalidToken();
    return { current_hash, proof: await proofOf(from, user, given), address: addressOf(from) };
  }

  return { assertPassword, confirm };
}
