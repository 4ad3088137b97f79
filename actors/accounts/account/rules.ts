import type { Role } from "../../../schemas/accounts/auth.ts";

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

export interface Account {
  readonly username: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly role: Role;
  readonly createdAt: Date;
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
  /** A former token of the session: either the present or the earlier user of the token stole it. The session ends. */
  | { readonly outcome: "reused"; readonly account: Account; readonly session: Session }
  /** Not a token of an active session. Nothing ends, since anyone could have invented it. */
  | { readonly outcome: "unknown" };

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

/** Ends every session except the one to keep. */
export function endSessions(
  account: Account,
  keptId: string | undefined,
): { account: Account; ended: readonly Session[] } {
  const isKept = ({ id }: Session) => id === keptId;
  return {
    account: { ...account, sessions: account.sessions.filter(isKept) },
    ended: account.sessions.filter((session) => !isKept(session)),
  };
}
