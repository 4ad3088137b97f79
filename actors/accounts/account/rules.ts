import type { Role } from "../../../schemas/accounts/auth.ts";
import { MAILED_LINK_MINUTES, type MailNotices } from "../../../schemas/activity/mail.ts";
import type { BilledParty } from "../../../schemas/billing/billing-details.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import { hasSecondFactor, type Passkey, type Totp } from "./factors/rules.ts";

/** Hashes of a refresh token's two secrets: the one that all tokens of a session share, and the token's own. */
export interface TokenHashes {
  readonly familyHash: string;
  readonly refreshHash: string;
}

/** A session is a family of refresh tokens. Only the newest is valid, and only its hashes are stored. */
export interface Session extends TokenHashes {
  readonly id: string;
  readonly generation: number;
  readonly createdAt: Date;
  readonly refreshedAt: Date;
  readonly expiresAt: Date;
  /** The client's address at the sign-in, as the gateway saw it. */
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** The origin of a sign-in. */
export type SignedInFrom = Pick<Session, "address" | "userAgent">;

/** A link by which a user sets a new password without the former one. */
export interface Recovery {
  readonly token_hash: string;
  /** ISO 8601 */
  readonly expires_at: string;
}

/** An administrator has closed the account: nobody signs in with it. */
export interface Suspension {
  readonly reason: string;
  /** The administrator. */
  readonly by_id: string | null;
  /** ISO 8601 */
  readonly since: string;
}

/** The account was deleted. Its record stays, for the books. */
export interface Deletion {
  /** ISO 8601 */
  readonly at: string;
  /** The user, or the administrator. */
  readonly by_id: string;
  /** The most of the balance that may be given up. */
  readonly forfeited_cents: number;
  /** Whether everything that ends with an account has ended. */
  readonly tidied: boolean;
}

/** Who gave the link. */
export type RecoveryWay = "administrator" | "mail";

export interface Account {
  readonly username: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly role: Role;
  readonly createdAt: Date;
  /** The recovery link of an administrator that waits to be used. */
  readonly recovery: Recovery | null;
  /** The one that was mailed. */
  readonly mailRecovery: Recovery | null;
  /** When somebody proved to read mail at `email`; null: nobody did. */
  readonly emailVerifiedAt: Date | null;
  /** The link that proves it. */
  readonly emailVerification: Recovery | null;
  /** Which notices are mailed. */
  readonly mailNotices: MailNotices;
  /** Whom invoices are made out to; null: the user's name and address of mail say it. */
  readonly billingDetails: BilledParty | null;
  /** From where the user signed in before, as hashes, the newest last. */
  readonly knownPlaces: readonly string[];
  /** Null: the account is active. */
  readonly suspension: Suspension | null;
  /** Null: the account is there. */
  readonly deletion: Deletion | null;
  /** Codes of an app; null: not set up. */
  readonly totp: Totp | null;
  /** Hashes of the recovery codes that are left. */
  readonly recoveryCodes: readonly string[];
  readonly passkeys: readonly Passkey[];
  /** Grows when all sessions but one are ended: what was approved before lets nobody in. */
  readonly sessionsEpoch: number;
  /** The active sessions, oldest first. */
  readonly sessions: readonly Session[];
}

/** A session that is not refreshed ends after this time. */
export const SESSION_MS = 30 * 24 * 60 * 60 * 1000;

const UNKNOWN: SignedInFrom = { address: null, userAgent: null };

export function newSession(
  id: string,
  { familyHash, refreshHash }: TokenHashes,
  now: Date,
  from: SignedInFrom = UNKNOWN,
): Session {
  return {
    ...from,
    id,
    familyHash,
    refreshHash,
    generation: 1,
    createdAt: now,
    refreshedAt: now,
    expiresAt: new Date(now.getTime() + SESSION_MS),
  };
}

/** Adds a session; the oldest ones end if the account then has more than `max`. */
export function openSession(
  account: Account,
  session: Session,
  max: number,
): { account: Account; ended: readonly Session[] } {
  const surplus = Math.max(0, account.sessions.length + 1 - max);
  return {
    account: { ...account, sessions: [...account.sessions.slice(surplus), session] },
    ended: account.sessions.slice(0, surplus),
  };
}

export type Refresh =
  | { readonly outcome: "rotated"; readonly account: Account; readonly session: Session }
  /** The token before the newest, of which the newest follows: the reply with the newest was lost. Nothing changes. */
  | { readonly outcome: "repeated" }
  /** A former token of the session: either the present or the earlier user of the token stole it. The session ends. */
  | { readonly outcome: "reused"; readonly account: Account; readonly session: Session }
  /** Not a token of an active session. Nothing ends, since anyone could have invented it. */
  | { readonly outcome: "unknown" };

/** How long a token may come again, where the next one follows from it. A browser drops replies when somebody goes to another page. */
const REPEATED_MS = 30_000;

/** Exchanges a session's newest refresh token for the next. */
export function refresh(
  account: Account,
  sessionId: string,
  shown: TokenHashes,
  nextHash: string,
  now: Date,
): Refresh {
  const session = account.sessions.find(({ id }) => id === sessionId);
  if (session === undefined || session.expiresAt <= now) return { outcome: "unknown" };
  if (session.familyHash !== shown.familyHash) return { outcome: "unknown" };
  const others = account.sessions.filter(({ id }) => id !== sessionId);
  const isRepeated =
    session.refreshHash === nextHash && now.getTime() - session.refreshedAt.getTime() <= REPEATED_MS;
  if (session.refreshHash !== shown.refreshHash && isRepeated) return { outcome: "repeated" };
  if (session.refreshHash !== shown.refreshHash)
    return { outcome: "reused", account: { ...account, sessions: others }, session };
  const rotated: Session = {
    ...session,
    refreshHash: nextHash,
    generation: session.generation + 1,
    refreshedAt: now,
    expiresAt: new Date(now.getTime() + SESSION_MS),
  };
  return { outcome: "rotated", account: { ...account, sessions: [...others, rotated] }, session: rotated };
}

/** Ends every session except the one to keep, and what was approved in any of them. */
export function endSessions(
  account: Account,
  keptId: string | undefined,
): { account: Account; ended: readonly Session[] } {
  const isKept = ({ id }: Session) => id === keptId;
  return {
    account: {
      ...account,
      sessions: account.sessions.filter(isKept),
      sessionsEpoch: account.sessionsEpoch + 1,
    },
    ended: account.sessions.filter((session) => !isKept(session)),
  };
}

/** Long enough to reach the user by another way, and to be read the next morning. */
const RECOVERY_MS = 24 * 60 * 60 * 1000;

/** @throws WRONG_PASSWORD where the password has changed since it was checked */
export function assertPasswordIs({ passwordHash }: Account, checkedHash: string): void {
  if (passwordHash !== checkedHash) throw wrongPassword();
}

const wrongPassword = () => new DomainError("WRONG_PASSWORD", "The current password is wrong");

/** @throws INSUFFICIENT_PERMISSIONS for an administrator: nobody takes over another's power */
export function openRecovery(
  account: Account,
  tokenHash: string,
  now: Date,
): Account & { readonly recovery: Recovery } {
  if (account.role === "admin")
    throw new DomainError("INSUFFICIENT_PERMISSIONS", "Administrators are not recovered by others");
  const expires_at = new Date(now.getTime() + RECOVERY_MS).toISOString();
  return { ...account, recovery: { token_hash: tokenHash, expires_at } };
}

/**
 * A link for the account's mailbox. An administrator without a second factor gets none: whoever reads that mailbox would run the
 * installation.
 */
export function openMailRecovery(
  account: Account,
  tokenHash: string,
  now: Date,
): (Account & { readonly mailRecovery: Recovery }) | undefined {
  if (account.role === "admin" && !hasSecondFactor(account)) return undefined;
  const expires_at = new Date(now.getTime() + MAILED_LINK_MINUTES * 60_000).toISOString();
  return { ...account, mailRecovery: { token_hash: tokenHash, expires_at } };
}

/** No link is good any more. */
export const withoutRecovery = <A extends Account>(account: A): A => ({
  ...account,
  recovery: null,
  mailRecovery: null,
});

/** The recovery that a token belongs to, if it is good now. @throws RECOVERY_INVALID */
export function recoveryOf(
  { recovery, mailRecovery }: Pick<Account, "recovery" | "mailRecovery">,
  tokenHash: string,
  now: Date,
): RecoveryWay {
  if (isRecoverable(recovery, tokenHash, now)) return "administrator";
  if (isRecoverable(mailRecovery, tokenHash, now)) return "mail";
  throw invalidRecovery();
}

const isRecoverable = (recovery: Recovery | null, tokenHash: string, now: Date): boolean =>
  recovery !== null && recovery.token_hash === tokenHash && new Date(recovery.expires_at) > now;

const invalidRecovery = () =>
  new DomainError(
    "RECOVERY_INVALID",
    "The recovery link was used or replaced, or has expired: ask for another one",
  );

/** @throws ACCOUNT_SUSPENDED */
export function assertActive({ suspension }: Account): void {
  if (suspension !== null)
    throw new DomainError("ACCOUNT_SUSPENDED", "This account is suspended: ask the operator why", {
      suspended_at: suspension.since,
    });
}

/**
 * Closes an account. All its sessions end.
 * @throws INSUFFICIENT_PERMISSIONS for an administrator: nobody takes another's power; ACCOUNT_STATE_CONFLICT
 */
export function suspend(
  account: Account,
  suspension: Suspension,
): { account: Account; ended: readonly Session[] } {
  if (account.role === "admin")
    throw new DomainError("INSUFFICIENT_PERMISSIONS", "Administrators are not suspended by others");
  if (account.suspension !== null)
    throw new DomainError("ACCOUNT_STATE_CONFLICT", "The account is suspended already");
  const { account: without, ended } = endSessions(account, undefined);
  return { account: { ...withoutRecovery(without), suspension }, ended };
}

/** @throws ACCOUNT_STATE_CONFLICT */
export function restore(account: Account): Account {
  if (account.suspension === null)
    throw new DomainError("ACCOUNT_STATE_CONFLICT", "The account is not suspended");
  return { ...account, suspension: null };
}

const DELETED_NAME = "deleted-";
const DELETED_DOMAIN = "@deleted.invalid";

/**
 * Refuses what deleted accounts are called: whoever had such a name first would stand in the way of a deletion, or pass for somebody
 * who has left.
 *
 * @throws VALIDATION_ERROR
 */
export function assertNotOfDeleted({ username, email }: { username?: string; email: string }): void {
  if (username?.toLowerCase().startsWith(DELETED_NAME))
    throw new ValidationError("body.username", `must not begin with ${DELETED_NAME}: deleted accounts do`);
  if (email.toLowerCase().endsWith(DELETED_DOMAIN))
    throw new ValidationError(
      "body.email",
      `must not end with ${DELETED_DOMAIN}: those of deleted accounts do`,
    );
}

/**
 * The record that stays of a deleted account: its id, and nothing that names or lets in a person. All its sessions end.
 *
 * @param deletion what the record says of it
 */
export function deleteAccount(
  account: Account,
  id: string,
  deletion: Deletion,
): { account: Account; ended: readonly Session[] } {
  const { account: without, ended } = endSessions(account, undefined);
  const nobody = { username: DELETED_NAME + id, email: id + DELETED_DOMAIN, passwordHash: "" };
  const locked = {
    role: "user",
    emailVerifiedAt: null,
    emailVerification: null,
    billingDetails: null,
    knownPlaces: [],
    totp: null,
    recoveryCodes: [],
    passkeys: [],
  } as const;
  return { account: { ...withoutRecovery(without), ...nobody, ...locked, deletion }, ended };
}
