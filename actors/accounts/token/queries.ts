import type { Role } from "../../../schemas/accounts/auth.ts";
import type { ApiToken } from "../../../schemas/accounts/token.ts";
import type { CountedSlice, PageOf } from "../../../schemas/paging.ts";
import type { Permission } from "../../../schemas/permissions.ts";
import type { NAMED_OLDEST_FIRST } from "../../../schemas/sorting.ts";
import { isNamed, keyset, type Positioned, readTotal, sliceOf } from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";

interface TokenRow {
  id: string;
  user_id: string;
  name: string;
  hash: string;
  permissions: Permission[];
  realm_id: string | null;
  expires_at: Date | null;
  created_at: Date;
}

/** A page of a user's tokens that are valid, oldest first. */
export async function listTokens(
  db: Sql,
  userId: string,
  page: PageOf<typeof NAMED_OLDEST_FIRST>,
): Promise<CountedSlice<ApiToken>> {
  const { position, isAfter, order } = keyset(
    db,
    page,
    { created_at: db`created_at`, name: db`lower(name)` },
    db`id`,
  );
  const valid = db`
    FROM api_tokens WHERE user_id = ${userId} AND ended_at IS NULL AND (expires_at IS NULL OR expires_at > now())
      ${isNamed(db, page, db`name`)}`;
  const [rows, total] = await Promise.all([
    db<Positioned<TokenRow>[]>`
      SELECT id, name, permissions, realm_id, expires_at, created_at, ${position}
      ${valid} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, valid),
  ]);
  const slice = sliceOf(rows, page, (row) => ({
    id: row.id,
    name: row.name,
    permissions: row.permissions,
    realm_id: row.realm_id,
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }));
  return { ...slice, total };
}

/** The data by which a gateway verifies a token. */
export interface ActiveToken {
  readonly hash: string;
  readonly userId: string;
  readonly username: string;
  readonly role: Role;
  readonly permissions: readonly Permission[];
  readonly realmId: string | null;
  readonly expiresAt: Date | null;
}

/** The ids of a user's tokens that have not ended. */
export async function listTokenIds(db: Sql, userId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM api_tokens WHERE user_id = ${userId} AND ended_at IS NULL`;
  return rows.map((row) => row.id);
}

/** The token with this id; undefined if there is none, it has ended, or its user is suspended. */
export async function readActiveToken(db: Sql, id: string): Promise<ActiveToken | undefined> {
  const [row] = await db<(TokenRow & { username: string; role: Role })[]>`
    SELECT t.hash, t.user_id, a.username, a.role, t.permissions, t.realm_id, t.expires_at
    FROM api_tokens t JOIN accounts a ON a.id = t.user_id WHERE t.id = ${id} AND t.ended_at IS NULL AND a.suspension IS NULL AND a.deletion IS NULL`;
  if (row === undefined) return undefined;
  return {
    hash: row.hash,
    userId: row.user_id,
    username: row.username,
    role: row.role,
    permissions: row.permissions,
    realmId: row.realm_id,
    expiresAt: row.expires_at,
  };
}

/** Tokens that ended since a time. A gateway that missed the message may still accept them. */
export async function readEndedTokens(db: Sql, since: Date): Promise<string[]> {
  const rows = await db<{ id: string }[]>`SELECT id FROM api_tokens WHERE ended_at >= ${since}`;
  return rows.map((row) => row.id);
}
