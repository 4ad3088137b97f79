import type { ALIASES_SORT, AliasesQuery, AliasRecord } from "../../../schemas/hosting/alias.ts";
import type { DesiredAlias } from "../../../schemas/hosting/desired.ts";
import type { CountedSlice, PageOf } from "../../../schemas/paging.ts";
import {
  isNamed,
  keyset,
  type Positioned,
  readTotal,
  sliceOf,
  whenGiven,
} from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { isReachable } from "../container/queries.ts";
import { portOf } from "./target.ts";

interface AliasRow {
  id: string;
  server_id: string;
  server_name: string;
  subserver_name: string | null;
  user_id: string;
  project_id: string;
  container_id: string;
  alias: string;
  program: string;
  index: number;
  target_path: string | null;
  allow_path_override: boolean;
  expires_at: Date | null;
  enabled: boolean;
  domains: string[];
  revision: bigint;
  created_at: Date;
  updated_at: Date;
}

/** The desired state of these aliases; deleted ones are left out. */
export async function readDesiredAliases(db: Sql, ids: readonly string[]): Promise<DesiredAlias[]> {
  const rows = await db<AliasRow[]>`SELECT * FROM aliases WHERE id = ANY (${[...ids]}::text[])`;
  return rows.map((row) => ({
    revision: Number(row.revision),
    server_name: row.server_name,
    id: row.id,
    project_id: row.project_id,
    container_id: row.container_id,
    alias: row.alias,
    program: row.program,
    port: portOf(row),
    index: row.index,
    target_path: row.target_path,
    allow_path_override: row.allow_path_override,
    expires_at: row.expires_at?.toISOString() ?? null,
    enabled: row.enabled,
    ...(row.domains.length === 0 ? {} : { domains: row.domains }),
  }));
}

export interface AliasServerRow {
  readonly serverId: string;
  readonly serverName: string;
  readonly revision: number;
}

/** Servers that have, or had, aliases. */
export async function listAliasServers(db: Sql): Promise<AliasServerRow[]> {
  const rows = await db<{ server_id: string; name: string; revision: bigint }[]>`
    SELECT a.server_id, s.name, a.revision FROM alias_servers a JOIN servers s ON s.id = a.server_id`;
  return rows.map((row) => ({
    serverId: row.server_id,
    serverName: row.name,
    revision: Number(row.revision),
  }));
}

/** The revisions of a server's aliases by id, and the server's own, in one snapshot. */
export async function readAliasRevisions(
  db: Sql,
  serverId: string,
): Promise<{ revision: number; aliases: Map<string, number> }> {
  const rows = await db<{ server_revision: bigint; id: string | null; revision: bigint | null }[]>`
    SELECT s.revision AS server_revision, a.id, a.revision
    FROM alias_servers s LEFT JOIN aliases a ON a.server_id = s.server_id WHERE s.server_id = ${serverId}`;
  return {
    revision: Number(rows[0]?.server_revision ?? 0n),
    aliases: new Map(rows.flatMap(({ id, revision }) => (id === null ? [] : [[id, Number(revision)]]))),
  };
}

/** The user whose alias leads from a label to a container of a host now; undefined if there is none. */
export async function readOwnerOfLabel(
  db: Sql,
  serverName: string,
  label: string,
): Promise<string | undefined> {
  const [row] = await db<{ user_id: string }[]>`
    SELECT user_id FROM aliases WHERE server_name = ${serverName} AND alias = ${label}
      AND enabled AND (expires_at IS NULL OR expires_at > now())`;
  return row?.user_id;
}

/** Aliases of deleted containers. */
export async function listOrphanedAliases(db: Sql): Promise<{ serverId: string; containerId: string }[]> {
  const rows = await db<{ server_id: string; container_id: string }[]>`
    SELECT DISTINCT a.server_id, a.container_id
    FROM aliases a LEFT JOIN containers c ON c.id = a.container_id
    WHERE c.id IS NULL OR c.desired_state = 'deleted'`;
  return rows.map((row) => ({ serverId: row.server_id, containerId: row.container_id }));
}

/** An expired alias reads as disabled, whether or not that is recorded yet. */
const READ = (db: Sql) => db`
  a.id, a.user_id, a.project_id, a.container_id, a.alias, a.program, a.index, a.target_path, a.allow_path_override,
  a.expires_at, a.enabled AND (a.expires_at IS NULL OR a.expires_at > now()) AS enabled, a.created_at, a.updated_at,
  a.server_id, a.server_name, a.subserver_name`;

/**
 * A page of the aliases of the containers that a user can access, oldest first; within one project for callers who
 * are bound to a realm.
 */
export async function listAliases(
  db: Sql,
  { userId, realmId }: { userId: string; realmId?: string },
  filter: AliasesQuery,
  page: PageOf<typeof ALIASES_SORT>,
): Promise<CountedSlice<AliasRecord>> {
  const when = whenGiven(db);
  const isExpired = db`(a.expires_at IS NOT NULL AND a.expires_at <= now())`;
  const where = db`
    WHERE ${isReachable(db, userId)} AND c.desired_state <> 'deleted'
      ${when(filter.project_id, (id) => db`AND a.project_id = ${id}`)}
      ${when(filter.container_id, (id) => db`AND a.container_id = ${id}`)}
      ${when(filter.realm_id, (id) => db`AND a.project_id = ${id}`)}
      ${when(realmId, (id) => db`AND a.project_id = ${id}`)}
      ${when(filter.enabled, (flag) => db`AND (a.enabled AND NOT ${isExpired}) = ${flag === "true"}`)}
      ${when(filter.expired, (flag) => db`AND ${isExpired} = ${flag === "true"}`)}
      ${isNamed(db, page, db`a.alias`)}`;
  const { position, isAfter, order } = keyset(
    db,
    page,
    { created_at: db`a.created_at`, alias: db`a.alias` },
    db`a.id`,
  );
  const [rows, total] = await Promise.all([
    db<Positioned<AliasRow>[]>`
      SELECT ${READ(db)}, ${position} FROM aliases a JOIN containers c ON c.id = a.container_id
      ${where} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, db`FROM aliases a JOIN containers c ON c.id = a.container_id ${where}`),
  ]);
  return { ...sliceOf(rows, page, toRecord), total };
}

/** More addresses of one container are not listed. */
const OPEN_MAX = 100;

/** The enabled aliases of a container for these programs, oldest first. The caller checks who may enter them. */
export async function listOpenAliases(
  db: Sql,
  containerId: string,
  programs: readonly string[],
): Promise<Pick<AliasRecord, "alias" | "program" | "server_name">[]> {
  return db<Pick<AliasRecord, "alias" | "program" | "server_name">[]>`
    SELECT a.alias, a.program, a.server_name FROM aliases a
    WHERE a.container_id = ${containerId} AND a.program = ANY (${[...programs]}::text[])
      AND a.enabled AND (a.expires_at IS NULL OR a.expires_at > now())
    ORDER BY a.created_at, a.id LIMIT ${OPEN_MAX}`;
}

/** An alias of any user, with the name of its project. The caller checks who may see it. */
export async function readAlias(
  db: Sql,
  id: string,
): Promise<{ alias: AliasRecord; projectName: string } | undefined> {
  const [row] = await db<(AliasRow & { project_name: string })[]>`
    SELECT ${READ(db)}, p.name AS project_name FROM aliases a JOIN projects p ON p.id = a.project_id
    WHERE a.id = ${id}`;
  return row === undefined ? undefined : { alias: toRecord(row), projectName: row.project_name };
}

const toRecord = (row: AliasRow): AliasRecord => ({
  id: row.id,
  user_id: row.user_id,
  project_id: row.project_id,
  container_id: row.container_id,
  alias: row.alias,
  program: row.program,
  index: row.index,
  target_path: row.target_path,
  allow_path_override: row.allow_path_override,
  expires_at: row.expires_at?.toISOString() ?? null,
  enabled: row.enabled,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  server_id: row.server_id,
  server_name: row.server_name,
  subserver_name: row.subserver_name,
});
