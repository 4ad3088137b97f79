import { createHash, randomBytes } from "node:crypto";
import { DomainError } from "../../schemas/errors.ts";
import type { TokenIssuer } from "./access-tokens.ts";

/** What a challenge is for. One of another purpose is refused. */
type Purpose = "sign-in" | "passkey-sign-in" | "confirmation" | "passkey-registration" | "totp-setup";

/** Long enough to find the phone or the key. */
const LIFETIME_SECONDS = 5 * 60;
/** Long enough to install an app as well. */
const SETUP_SECONDS = 15 * 60;
const NONCE_BYTES = 32;

export interface Challenge {
  readonly purpose: Purpose;
  /** What a passkey signs, and the key that makes the answer act once. */
  readonly nonce: string;
  /** Whose it is; undefined: that of whoever the passkey belongs to. */
  readonly userId?: string;
  /** Of the password's hash when it was made: a challenge ends with a change of the password. */
  readonly password?: string;
  /** Which second factors the account had: one that is added was begun with a proof of those. */
  readonly factors?: string;
  /** The encrypted secret of an app that is being set up. */
  readonly sealed?: string;
}

export type IssuedChallenge = { challenge: string; expires_at: string; nonce: string };

/**
 * Challenges of sign-ins and of changes that take a second factor. They are signed and not stored, so that any gateway takes what
 * another one gave; that each is good once is the account's work, to which its nonce is the key of the message.
 */
export class Challenges {
  constructor(private readonly issuer: TokenIssuer) {}

  async issue(challenge: Omit<Challenge, "nonce">): Promise<IssuedChallenge> {
    const nonce = randomBytes(NONCE_BYTES).toString("base64url");
    const seconds = challenge.purpose === "totp-setup" ? SETUP_SECONDS : LIFETIME_SECONDS;
    const expires_at = new Date(Date.now() + seconds * 1_000).toISOString();
    return {
      challenge: await this.issuer.signChallenge({ ...challenge, nonce }, seconds),
      expires_at,
      nonce,
    };
  }

  /** @throws CHALLENGE_INVALID */
  async read(purpose: Purpose, token: string | undefined): Promise<Challenge> {
    const challenge = token === undefined ? undefined : await this.issuer.readChallenge(token);
    if (challenge?.purpose !== purpose) throw invalidChallenge();
    return challenge as unknown as Challenge;
  }
}

export const fingerprintOf = (passwordHash: string): string =>
  createHash("sha256").update(passwordHash).digest("base64url");

/** The operation by which a challenge acts once, at whichever gateway it is answered. */
export const onceFor = ({ nonce }: Pick<Challenge, "nonce">) => ({
  key: `challenge:${nonce}`,
  hasClientKey: false,
});

export const invalidChallenge = () =>
  new DomainError("CHALLENGE_INVALID", "The challenge was used or has expired: begin again");

/** A challenge whose key has acted was used. */
export function asUsedChallenge(error: unknown): never {
  throw error instanceof DomainError && error.code === "IDEMPOTENCY_KEY_REUSED" ? invalidChallenge() : error;
}
