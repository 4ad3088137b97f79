import type { SESSIONS_SORT, SessionInfo, User } from "../../../schemas/accounts/account.ts";
import type { Role } from "../../../schemas/accounts/auth.ts";
import { programName } from "../../../schemas/accounts/user-agent.ts";
import type { BilledParty } from "../../../schemas/billing/billing-details.ts";
import type { CountedSlice, PageOf } from "../../../schemas/paging.ts";
import { keyset, type Positioned, readTotal, sliceOf } from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { RecoveryWay } from "./rules.ts";

interface AccountRow {
  id: string;
  username: string;
  email: string;
  password_hash: string;
  role: Role;
  created_at: Date;
}

interface SessionRow {
  id: string;
  created_at: Date;
  refreshed_at: Date;
  expires_at: Date;
  address: string | null;
  user_agent: string | null;
}

/** The account for a sign-in by user name or e-mail address, case-insensitive. */
export async function findCredentials(
  db: Sql,
  name: { username: string } | { email: string },
): Promise<{ user: User; passwordHash: string } | undefined> {
  const [row] =
    "username" in name
      ? await db<AccountRow[]>`
          SELECT id, username, email, password_hash, role, created_at
          FROM accounts WHERE lower(username) = lower(${name.username}) AND deletion IS NULL`
      : await db<AccountRow[]>`
          SELECT id, username, email, password_hash, role, created_at
          FROM accounts WHERE lower(email) = lower(${name.email}) AND deletion IS NULL`;
  return row === undefined ? undefined : { user: toUser(row), passwordHash: row.password_hash };
}

/** The user with this name, case-insensitive. */
export const findUser = async (db: Sql, username: string): Promise<User | undefined> =>
  (await findCredentials(db, { username }))?.user;

/** The user with this id; undefined also for a deleted account. */
export async function readUser(db: Sql, id: string): Promise<User | undefined> {
  const [row] = await db<
    AccountRow[]
  >`SELECT id, username, email, role, created_at FROM accounts WHERE id = ${id} AND deletion IS NULL`;
  return row === undefined ? undefined : toUser(row);
}

/** What decides whether a credential of this user is right. */
export async function readSecrets(db: Sql, userId: string): Promise<{ passwordHash: string } | undefined> {
  const [row] = await db<{ passwordHash: string }[]>`
    SELECT password_hash AS "passwordHash" FROM accounts WHERE id = ${userId} AND deletion IS NULL`;
  return row;
}

/** Who gave the link with a token of this hash; undefined: none that is good now has it. */
export async function readRecoveryWay(
  db: Sql,
  userId: string,
  tokenHash: string,
): Promise<RecoveryWay | undefined> {
  const isGood = (column: string) => db`
    coalesce(${db(column)} ->> 'token_hash' = ${tokenHash} AND (${db(column)} ->> 'expires_at')::timestamptz > now(), false)`;
  const [row] = await db<{ way: RecoveryWay | null }[]>`
    SELECT CASE WHEN ${isGood("recovery")} THEN 'administrator' WHEN ${isGood("mail_recovery")} THEN 'mail' END AS way
    FROM accounts WHERE id = ${userId} AND deletion IS NULL`;
  return row?.way ?? undefined;
}

/** The account and the address that a link with a token of this hash verifies, or has verified; undefined: it is good for none. */
export async function readEmailVerification(
  db: Sql,
  userId: string,
  tokenHash: string,
): Promise<{ username: string; email: string; isVerified: boolean } | undefined> {
  const [row] = await db<{ username: string; email: string; isVerified: boolean }[]>`
    SELECT username, email, email_verified_at IS NOT NULL AS "isVerified"
    FROM accounts
    WHERE id = ${userId} AND deletion IS NULL AND email_verification ->> 'token_hash' = ${tokenHash}
      AND (email_verified_at IS NOT NULL OR (email_verification ->> 'expires_at')::timestamptz > now())`;
  return row;
}

/** Whether a session, known by the hash that all its tokens share, is of a suspended account: its suspension has ended it. */
export async function isOfSuspended(db: Sql, sessionId: string, familyHash: string): Promise<boolean> {
  const [row] = await db`
    SELECT FROM sessions s JOIN accounts a ON a.id = s.user_id
    WHERE s.id = ${sessionId} AND s.family_hash = ${familyHash}
      AND a.suspension IS NOT NULL AND a.deletion IS NULL`;
  return row !== undefined;
}

/** How often all sessions of a user were ended: an approval of before lets nobody in. */
export async function readSessionsEpoch(db: Sql, userId: string): Promise<number | undefined> {
  const [row] = await db<{ sessions_epoch: number }[]>`
    SELECT sessions_epoch FROM accounts WHERE id = ${userId}`;
  return row?.sessions_epoch;
}

const toUser = (row: AccountRow): User => ({
  id: row.id,
  username: row.username,
  email: row.email,
  role: row.role,
  created_at: row.created_at.toISOString(),
});

/** Whether no session or API token with this id is still valid. */
export async function readHasEnded(db: Sql, id: string): Promise<boolean> {
  const rows = await db`
    SELECT FROM sessions WHERE id = ${id} AND ended_at IS NULL
    UNION ALL SELECT FROM api_tokens WHERE id = ${id} AND ended_at IS NULL`;
  return rows.length === 0;
}

/** Sessions that ended since a time. Their access tokens may look valid to a gateway that missed the message. */
export async function readEndedSessions(db: Sql, since: Date): Promise<string[]> {
  const rows = await db<{ id: string }[]>`SELECT id FROM sessions WHERE ended_at >= ${since}`;
  return rows.map((row) => row.id);
}

/** A page of a user's sessions that have not ended, the last used first, and how many there are. */
export async function listSessions(
  db: Sql,
  userId: string,
  page: PageOf<typeof SESSIONS_SORT>,
): Promise<CountedSlice<Omit<SessionInfo, "current">>> {
  const { position, isAfter, order } = keyset(
    db,
    page,
    { last_used_at: db`refreshed_at`, created_at: db`created_at` },
    db`id`,
  );
  const [rows, total] = await Promise.all([
    db<Positioned<SessionRow>[]>`
      SELECT id, created_at, refreshed_at, expires_at, address, user_agent, ${position} FROM sessions
      WHERE user_id = ${userId} AND ended_at IS NULL AND expires_at > now() AND ${isAfter} ORDER BY ${order}`,
    readTotal(
      db,
      db`FROM sessions
      WHERE user_id = ${userId} AND ended_at IS NULL AND expires_at > now()`,
    ),
  ]);
  const slice = sliceOf(rows, page, (row) => ({
    id: row.id,
    created_at: row.created_at.toISOString(),
    last_used_at: row.refreshed_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    address: row.address,
    user_agent: row.user_agent,
    program: programName(row.user_agent),
  }));
  return { ...slice, total };
}

export interface EndedSession {
  readonly id: string;
  readonly userId: string;
  readonly endedAt: Date;
}

/** Sessions and API tokens of users that ended since a time, newest first; at most `max` of each user. */
export async function listEndedSessions(
  db: Sql,
  userIds: readonly string[],
  since: Date,
  max: number,
): Promise<EndedSession[]> {
  const rows = await db<{ id: string; user_id: string; ended_at: Date }[]>`
    SELECT id, user_id, ended_at FROM (
      SELECT id, user_id, ended_at, row_number() OVER (PARTITION BY user_id ORDER BY ended_at DESC, id) AS place
      FROM (
        SELECT id, user_id, ended_at FROM sessions
        WHERE user_id = ANY (${[...userIds]}::text[]) AND ended_at >= ${since}
        UNION ALL
        SELECT id, user_id, ended_at FROM api_tokens
        WHERE user_id = ANY (${[...userIds]}::text[]) AND ended_at >= ${since}
      ) ended
    ) ranked WHERE place <= ${max} ORDER BY ended_at DESC, id`;
  return rows.map(({ id, user_id, ended_at }) => ({ id, userId: user_id, endedAt: ended_at }));
}

/** Whom the invoices of an account are made out to; null: nobody but its user. */
export async function readBillingDetails(db: Sql, userId: string): Promise<BilledParty | null> {
  const [row] = await db<{ billing_details: BilledParty | null }[]>`
    SELECT billing_details FROM accounts WHERE id = ${userId} AND deletion IS NULL`;
  return row?.billing_details ?? null;
}
