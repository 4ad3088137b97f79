import { DomainError } from "../../../../schemas/errors.ts";
import type { Account } from "../rules.ts";

/** An app that makes a code every half a minute (RFC 6238). */
export interface Totp {
  /** The secret, encrypted for this account. */
  readonly sealed: string;
  /** The time step of the newest code that was used: that code and earlier ones are refused. */
  readonly last_step: number;
  /** ISO 8601 */
  readonly since: string;
}

/** A key pair in a person's device or security key (WebAuthn). */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly synced: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** What a gateway has verified, named so that the account can see whether it still holds and use it once. */
export type Proof =
  | { readonly by: "totp"; readonly sealed: string; readonly step: number }
  | { readonly by: "recovery_code"; readonly hash: string }
  | { readonly by: "passkey"; readonly passkey_id: string; readonly counter: number };

/** A person has a few devices and keys. All are in memory with the account. */
export const PASSKEYS_MAX = 20;

export const hasSecondFactor = ({ totp, passkeys }: Pick<Account, "totp" | "passkeys">): boolean =>
  totp !== null || passkeys.length > 0;

/** Says which second factors an account has, so that what was begun with others is noticed. */
export const factorsMark = ({ totp, passkeys }: Pick<Account, "totp" | "passkeys">): string =>
  [totp?.since ?? "none", ...passkeys.map(({ id }) => id).toSorted()].join(" ");

/**
 * The account after a proof of its second factor was used.
 *
 * @param proof null: none was given, which is enough for an account without a second factor
 * @throws SECOND_FACTOR_WRONG
 */
export function redeemProof(account: Account, proof: Proof | null, now: Date): Account {
  if (proof === null) {
    if (hasSecondFactor(account)) throw wrongSecondFactor();
    return account;
  }
  switch (proof.by) {
    case "totp":
      return redeemCode(account, proof.sealed, proof.step);
    case "recovery_code":
      return redeemRecoveryCode(account, proof.hash);
    case "passkey":
      return redeemPasskey(account, proof.passkey_id, proof.counter, now);
  }
}

function redeemCode(account: Account, sealed: string, step: number): Account {
  const { totp } = account;
  if (totp === null || totp.sealed !== sealed || step <= totp.last_step) throw wrongSecondFactor();
  return { ...account, totp: { ...totp, last_step: step } };
}

function redeemRecoveryCode(account: Account, hash: string): Account {
  const recoveryCodes = account.recoveryCodes.filter((one) => one !== hash);
  if (recoveryCodes.length === account.recoveryCodes.length) throw wrongSecondFactor();
  return { ...account, recoveryCodes };
}

/** A counter that does not grow is a sign of a copied key. Many authenticators do not count: theirs stays 0. */
function redeemPasskey(account: Account, id: string, counter: number, now: Date): Account {
  const passkey = account.passkeys.find((one) => one.id === id);
  if (passkey === undefined || (passkey.counter > 0 && counter <= passkey.counter)) throw wrongSecondFactor();
  const used = { ...passkey, counter, lastUsedAt: now };
  return { ...account, passkeys: account.passkeys.map((one) => (one.id === id ? used : one)) };
}

/** Adds a passkey. @throws PASSKEY_LIMIT */
export function addPasskey(account: Account, passkey: Passkey): Account {
  if (account.passkeys.length >= PASSKEYS_MAX)
    throw new DomainError("PASSKEY_LIMIT", `An account has at most ${PASSKEYS_MAX} passkeys`, {
      limit: PASSKEYS_MAX,
    });
  return { ...account, passkeys: [...account.passkeys, passkey] };
}

/** @throws PASSKEY_NOT_FOUND */
export function requirePasskey({ passkeys }: Account, id: string): Passkey {
  const passkey = passkeys.find((one) => one.id === id);
  if (passkey === undefined) throw new DomainError("PASSKEY_NOT_FOUND", "Passkey not found");
  return passkey;
}

/**
 * The account after a factor was removed. Recovery codes end with the last factor.
 *
 * @param isRequired whether the operator's settings require a second factor of this account
 * @throws SECOND_FACTOR_SETUP_REQUIRED
 */
export function withoutFactor(account: Account, isRequired: boolean): Account {
  if (hasSecondFactor(account)) return account;
  if (isRequired)
    throw new DomainError(
      "SECOND_FACTOR_SETUP_REQUIRED",
      "Administrators need a second factor here: set up another one first",
    );
  return { ...account, recoveryCodes: [] };
}

/** The account without any second factor, for a person who has lost them all. */
export const withoutSecondFactor = (account: Account): Account => ({
  ...account,
  totp: null,
  passkeys: [],
  recoveryCodes: [],
});

export const wrongSecondFactor = () =>
  new DomainError("SECOND_FACTOR_WRONG", "The code or passkey of the second factor is missing or wrong");
