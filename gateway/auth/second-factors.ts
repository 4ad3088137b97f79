import type { Factors } from "../../actors/accounts/account/factors/queries.ts";
import type { Passkey, Proof } from "../../actors/accounts/account/factors/rules.ts";
import type { FactorMethod, PasskeyAssertion } from "../../schemas/accounts/second-factor.ts";
import { DomainError } from "../../schemas/errors.ts";
import type { GatewayContext } from "../context.ts";
import { enforceLimit, RateLimiter } from "../http/rate-limit.ts";
import { assertionOptions, type RelyingParty, relyingPartyOf, verifyAssertion } from "./passkeys.ts";
import { recoveryCodeHash } from "./recovery-codes.ts";
import { isTotpCode, stepOf } from "./totp.ts";

/**
 * Of the three codes that are good at a time, twenty tries an hour find one in four years at even odds. Only who knows the password gets as far as
 * this, so nobody else can use up an owner's tries. Each gateway counts for itself.
 */
const TRIES_PER_ACCOUNT = { name: "second-factor", limit: 20, windowSeconds: 60 * 60 };

type Headers = Record<string, string | number>;

/** A code, or what a browser said of a passkey. */
export interface GivenFactor {
  readonly code?: string | undefined;
  readonly passkey?: PasskeyAssertion | undefined;
}

export type User = Factors & { readonly id: string };

/** Verifies second factors. Whether one was used before, its account decides (docs/decisions/0064-second-factors.md). */
export class SecondFactors {
  readonly party: RelyingParty | null;
  readonly #secrets: GatewayContext["secrets"];
  readonly #tries = new RateLimiter(TRIES_PER_ACCOUNT);

  constructor({ publicUrl, secrets }: Pick<GatewayContext, "publicUrl" | "secrets">) {
    this.party = relyingPartyOf(publicUrl);
    this.#secrets = secrets;
  }

  /** @throws PASSKEYS_UNAVAILABLE */
  requireParty(): RelyingParty {
    if (this.party === null)
      throw new DomainError(
        "PASSKEYS_UNAVAILABLE",
        "Passkeys need an address with a host name: the operator sets it as BERTH_PUBLIC_URL",
      );
    return this.party;
  }

  /** What a browser needs to prove one of these passkeys; null without any. */
  async optionsFor(nonce: string, passkeys: readonly Passkey[]) {
    if (this.party === null || passkeys.length === 0) return null;
    return { ...(await assertionOptions(this.party, nonce, passkeys)) };
  }

  /**
   * The proof that was given of an account's second factor.
   *
   * @param nonce of the challenge that a passkey signs; undefined: passkeys are not asked
   * @throws SECOND_FACTOR_WRONG, RATE_LIMITED
   */
  async prove(user: User, given: GivenFactor, nonce: string | undefined, headers: Headers): Promise<Proof> {
    enforceLimit(this.#tries, user.id, headers);
    const proof = given.passkey
      ? await this.#provePasskey(user, given.passkey, nonce)
      : this.#proveCode(user, given.code);
    if (proof === undefined)
      throw new DomainError("SECOND_FACTOR_WRONG", "The code or passkey of the second factor is wrong");
    this.#tries.reset(user.id);
    return proof;
  }

  /** The step of a first code, before the app is the account's. @throws SECOND_FACTOR_WRONG, RATE_LIMITED */
  proveSetup(userId: string, sealed: string, code: string, headers: Headers): number {
    enforceLimit(this.#tries, userId, headers);
    const step = stepOf(this.#secrets, userId, sealed, code);
    if (step === undefined)
      throw new DomainError(
        "SECOND_FACTOR_WRONG",
        "This is not the code that the app shows now: is the clock of the device right?",
      );
    this.#tries.reset(userId);
    return step;
  }

  #proveCode({ id, totp, recoveryCodes }: User, code = ""): Proof | undefined {
    if (isTotpCode(code)) {
      const step = totp === null ? undefined : stepOf(this.#secrets, id, totp.sealed, code);
      return totp === null || step === undefined ? undefined : { by: "totp", sealed: totp.sealed, step };
    }
    const hash = recoveryCodeHash(code);
    return recoveryCodes.includes(hash) ? { by: "recovery_code", hash } : undefined;
  }

  async #provePasskey(
    { passkeys }: User,
    given: PasskeyAssertion,
    nonce: string | undefined,
  ): Promise<Proof | undefined> {
    const passkey = passkeys.find(({ credentialId }) => credentialId === given.id);
    if (passkey === undefined || nonce === undefined || this.party === null) return undefined;
    const verified = await verifyAssertion(this.party, nonce, passkey, given, false);
    return verified && { by: "passkey", ...verified };
  }
}

/** How an account's second factor can be proven. */
export const methodsOf = ({ totp, passkeys, recoveryCodes }: Factors): FactorMethod[] => [
  ...(totp === null ? [] : (["totp"] as const)),
  ...(passkeys.length === 0 ? [] : (["passkey"] as const)),
  ...(recoveryCodes.length === 0 ? [] : (["recovery_code"] as const)),
];
