import { DomainError } from "../../../schemas/errors.ts";

/** A user's side of the code host: an identity, the way to it, and the bonus for it. */
export interface CodehostAccount {
  /** A link that has begun; a newer one takes its place. */
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

/** A claim that is under way. The identity is that of its beginning, whatever is linked meanwhile. */
export interface Claiming {
  readonly saga: string;
  readonly identityId: string;
  readonly cents: bigint;
  /** Other requests of the account wait for its end. */
  readonly joined: boolean;
}

export interface Claim {
  readonly identityId: string;
  readonly cents: bigint;
  readonly transactionId: string;
  readonly at: Date;
}

export const NO_ACCOUNT: CodehostAccount = { attempt: null, identity: null, claiming: null, claim: null };

/** A person signs in at the code host and agrees: ten minutes are long for that. */
const LINK_MS = 10 * 60 * 1000;

export const expiryOf = (now: Date): Date => new Date(now.getTime() + LINK_MS);

/**
 * The user is back from the code host. The state is good once; whoever shows a wrong one ends nothing.
 * @param bindingHash of what the browser was given when the link began; null where the account asks by its own token
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

/** What can be said of a claim at once; undefined when it is to be made. */
export function refusalOf(
  { claim, identity }: CodehostAccount,
  isOffered: boolean,
): "already_claimed" | "offer_ended" | "not_linked" | undefined {
  if (claim !== null) return "already_claimed";
  if (!isOffered) return "offer_ended";
  return identity === null ? "not_linked" : undefined;
}
