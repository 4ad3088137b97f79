import { DomainError } from "../../../schemas/errors.ts";

/** A user's link to the code host: the identity, a link in progress, and the bonus. */
export interface CodehostAccount {
  /** A link in progress; a newer one replaces it. */
  readonly attempt: LinkAttempt | null;
  readonly identity: Identity | null;
  readonly claiming: Claiming | null;
  readonly claim: Claim | null;
}

export interface LinkAttempt {
  readonly stateHash: string;
  readonly bindingHash: string;
  readonly verifier: string;
  readonly expiresAt: Date;
}

export interface Identity {
  readonly id: string;
  readonly username: string;
  readonly linkedAt: Date;
}

/** A claim in progress. Its identity stays the same, whatever the user links meanwhile. */
export interface Claiming {
  readonly saga: string;
  readonly identityId: string;
  readonly cents: bigint;
  /** Whether other requests of the account wait for its end. */
  readonly joined: boolean;
}

export interface Claim {
  readonly identityId: string;
  readonly cents: bigint;
  readonly transactionId: string;
  readonly at: Date;
}

export const NO_ACCOUNT: CodehostAccount = { attempt: null, identity: null, claiming: null, claim: null };

/** Ample time to sign in at the code host and give consent. */
const LINK_MS = 10 * 60 * 1000;

export const expiryOf = (now: Date): Date => new Date(now.getTime() + LINK_MS);

/**
 * Completes a link when the user returns from the code host. The state can be used once; a wrong state ends nothing.
 * @param bindingHash the hash of the cookie that was set when the link began; null when the account uses its own
 * token
 * @throws CODEHOST_LINK_INVALID
 */
export function redeem(
  account: CodehostAccount,
  stateHash: string,
  bindingHash: string | null,
  now: Date,
): LinkAttempt {
  const { attempt } = account;
  if (
    attempt === null ||
    attempt.stateHash !== stateHash ||
    attempt.expiresAt <= now ||
    (bindingHash !== null && attempt.bindingHash !== bindingHash)
  ) {
    throw new DomainError(
      "CODEHOST_LINK_INVALID",
      "This link is not yours, was used or has expired; begin again",
    );
  }
  return attempt;
}

/** The outcome of a claim that needs no saga; undefined when the claim can be made. */
export function immediateOutcome(
  { claim, identity }: CodehostAccount,
  isOffered: boolean,
): "already_claimed" | "offer_ended" | "not_linked" | undefined {
  if (claim !== null) return "already_claimed";
  if (!isOffered) return "offer_ended";
  return identity === null ? "not_linked" : undefined;
}
