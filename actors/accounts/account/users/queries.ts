import type { Role } from "../../../../schemas/accounts/auth.ts";
import type { ManagedUser, USERS_SORT, UserRecord, UserStatus } from "../../../../schemas/accounts/user.ts";
import type { PageOf, Slice } from "../../../../schemas/paging.ts";
import { keyset, type Positioned, sliceOf } from "../../../platform/db/keyset/queries.ts";
import type { Sql } from "../../../platform/db/sql.ts";
import type { Deletion, Suspension } from "../rules.ts";

/** Users as administrators see them. */

interface UserRow {
  id: string;
  username: string;
  email: string;
  role: Role;
  suspension: Suspension | null;
  deletion: Deletion | null;
  created_at: Date;
  last_signed_in_at: Date | null;
}

/** The latest sign-in of account `a`. There is an index for sessions that ended, and one for the others. */
const lastSignedIn = (db: Sql) => db`
  greatest(
    (SELECT max(created_at) FROM sessions WHERE user_id = a.id AND ended_at IS NULL),
    (SELECT max(created_at) FROM sessions WHERE user_id = a.id AND ended_at IS NOT NULL)) AS last_signed_in_at`;

export interface UsersFilter {
  /** An id, or a part of a user name or e-mail address. */
  readonly search?: string | undefined;
  readonly status?: UserStatus | undefined;
}

function hasStatus(db: Sql, status: UserStatus) {
  if (status === "deleted") return db`AND a.deletion IS NOT NULL`;
  if (status === "suspended") return db`AND a.deletion IS NULL AND a.suspension IS NOT NULL`;
  return db`AND a.deletion IS NULL AND a.suspension IS NULL`;
}

/** A page of users, newest first, and how many match. */
export async function listUsers(
  db: Sql,
  { search, status }: UsersFilter,
  page: PageOf<typeof USERS_SORT>,
): Promise<Slice<ManagedUser> & { total: number }> {
  const matches = db`
    ${
      search === undefined
        ? db`true`
        : db`(a.id = ${search} OR position(lower(${search}) IN lower(a.username)) > 0
            OR position(lower(${search}) IN lower(a.email)) > 0)`
    }
    ${status === undefined ? db`` : hasStatus(db, status)}`;
  const { position, isAfter, order } = keyset(
    db,
    page,
    { created_at: db`a.created_at`, username: db`lower(a.username)`, email: db`lower(a.email)` },
    db`a.id`,
  );
  const [rows, [count]] = await Promise.all([
    db<Positioned<UserRow>[]>`
      SELECT a.id, a.username, a.email, a.role, a.suspension, a.deletion, a.created_at, ${lastSignedIn(db)}, ${position}
      FROM accounts a WHERE ${matches} AND ${isAfter} ORDER BY ${order}`,
    db<{ total: number }[]>`SELECT count(*)::int AS total FROM accounts a WHERE ${matches}`,
  ]);
  return { ...sliceOf(rows, page, toManagedUser), total: count?.total ?? 0 };
}

interface Counted {
  email_verified: boolean;
  second_factor: boolean;
  sessions: number;
  api_tokens: number;
}

/** A user's account; undefined if there is none with this id. */
export async function readManagedUser(
  db: Sql,
  id: string,
): Promise<
  | (ManagedUser &
      Pick<
        UserRecord,
        "email_verified" | "second_factor" | "suspension" | "deleted_at" | "sessions" | "api_tokens"
      >)
  | undefined
> {
  const [row] = await db<(UserRow & Counted)[]>`
    SELECT a.id, a.username, a.email, a.role, a.suspension, a.deletion, a.created_at, ${lastSignedIn(db)},
      a.email_verified_at IS NOT NULL AS email_verified,
      (a.totp IS NOT NULL OR EXISTS (SELECT FROM passkeys WHERE user_id = a.id)) AS second_factor,
      (SELECT count(*)::int FROM sessions WHERE user_id = a.id AND ended_at IS NULL AND expires_at > now()) AS sessions,
      (SELECT count(*)::int FROM api_tokens WHERE user_id = a.id AND ended_at IS NULL
        AND (expires_at IS NULL OR expires_at > now())) AS api_tokens
    FROM accounts a WHERE a.id = ${id}`;
  if (row === undefined) return undefined;
  const { email_verified, second_factor, suspension, deletion, sessions, api_tokens } = row;
  return {
    ...toManagedUser(row),
    email_verified,
    second_factor,
    suspension,
    deleted_at: deletion?.at ?? null,
    sessions,
    api_tokens,
  };
}

const toManagedUser = (row: UserRow): ManagedUser => ({
  id: row.id,
  username: row.username,
  email: row.email,
  role: row.role,
  created_at: row.created_at.toISOString(),
  status: row.deletion !== null ? "deleted" : row.suspension === null ? "active" : "suspended",
  last_signed_in_at: row.last_signed_in_at?.toISOString() ?? null,
});
