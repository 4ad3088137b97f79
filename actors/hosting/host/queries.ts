import { type HostFacts, type HostRecord, OFFLINE_AFTER_SECONDS } from "../../../schemas/hosting/host.ts";
import type { Page, Slice, Sort } from "../../../schemas/paging.ts";
import { keyset, type Positioned, sliceOf } from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { HostState } from "./rules.ts";

interface HostRow {
  id: string;
  name: string;
  draining: boolean;
  enrolment: HostState["enrolment"];
  enrolled_at: Date | null;
  facts: HostFacts | null;
  last_seen_at: Date | null;
  is_online: boolean;
  containers: number;
  created_at: Date;
  updated_at: Date;
}

export const HOSTS_SORT: Sort = { by: "name", type: "text", order: "asc" };

const columns = (db: Sql) => db`
  h.id, h.name, h.draining, h.enrolment, h.enrolled_at, h.facts, h.last_seen_at, h.created_at, h.updated_at,
  coalesce(h.last_seen_at > now() - ${`${OFFLINE_AFTER_SECONDS} seconds`}::interval, false) AS is_online,
  (SELECT count(*)::int FROM containers c WHERE c.server_name = h.name AND c.desired_state <> 'deleted') AS containers`;

/** A page of the hosts that are not removed, by name. */
export async function listHosts(db: Sql, page: Page): Promise<Slice<HostRecord> & { total: number }> {
  const { position, isAfter, order } = keyset(db, page, db`h.name`, db`h.id`);
  const [rows, [count]] = await Promise.all([
    db<Positioned<HostRow>[]>`
      SELECT ${columns(db)}, ${position} FROM host_machines h WHERE h.removed_at IS NULL AND ${isAfter} ORDER BY ${order}`,
    db<{ total: number }[]>`SELECT count(*)::int AS total FROM host_machines WHERE removed_at IS NULL`,
  ]);
  return { ...sliceOf(rows, page, toRecord), total: count?.total ?? 0 };
}

/** A host that is not removed. */
export async function readHost(db: Sql, id: string): Promise<HostRecord | undefined> {
  const [row] = await db<HostRow[]>`
    SELECT ${columns(db)} FROM host_machines h WHERE h.id = ${id} AND h.removed_at IS NULL`;
  return row === undefined ? undefined : toRecord(row);
}

const toRecord = (row: HostRow): HostRecord => ({
  id: row.id,
  name: row.name,
  status: row.last_seen_at === null ? "pending" : row.is_online ? "online" : "offline",
  draining: row.draining,
  enrolled_at: row.enrolled_at?.toISOString() ?? null,
  enrolment_expires_at: row.enrolment?.expires_at ?? null,
  last_seen_at: row.last_seen_at?.toISOString() ?? null,
  facts: row.facts,
  containers: row.containers,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** Whether an administrator empties the host of this name. */
export async function isHostDraining(db: Sql, name: string): Promise<boolean> {
  const rows = await db`SELECT FROM host_machines WHERE name = ${name} AND draining AND removed_at IS NULL`;
  return rows.length > 0;
}

/** What is known of a one-time token's host. */
export async function readEnrolment(
  db: Sql,
  id: string,
): Promise<{ name: string; enrolment: HostState["enrolment"] } | undefined> {
  const [row] = await db<{ name: string; enrolment: HostState["enrolment"] }[]>`
    SELECT name, enrolment FROM host_machines WHERE id = ${id} AND removed_at IS NULL`;
  return row;
}

/** The id of the host of this name. */
export async function readHostId(db: Sql, name: string): Promise<string | undefined> {
  const [row] = await db<
    { id: string }[]
  >`SELECT id FROM host_machines WHERE name = ${name} AND removed_at IS NULL`;
  return row?.id;
}

/** A host whose agent has joined by a token. */
export interface JoinedHost {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly public_key: string;
}

export async function listJoinedHosts(db: Sql): Promise<JoinedHost[]> {
  return db<JoinedHost[]>`
    SELECT id, name, account, public_key FROM host_machines WHERE account IS NOT NULL AND removed_at IS NULL ORDER BY name`;
}

export async function readJoinedHost(db: Sql, name: string): Promise<JoinedHost | undefined> {
  const [row] = await db<JoinedHost[]>`
    SELECT id, name, account, public_key FROM host_machines
    WHERE name = ${name} AND account IS NOT NULL AND removed_at IS NULL`;
  return row;
}

/** Accounts that NATS must refuse from now on, with the hosts that had them. */
export async function listEndedAccounts(db: Sql): Promise<{ id: string; accounts: string[] }[]> {
  return db<{ id: string; accounts: string[] }[]>`
    SELECT id, ended_accounts AS accounts FROM host_machines WHERE ended_accounts <> '[]'`;
}

/** The hosts to be asked how they are, with what they last said. */
export async function listHostFacts(
  db: Sql,
): Promise<{ id: string; name: string; facts: HostFacts | null; last_seen_at: Date | null }[]> {
  return db<{ id: string; name: string; facts: HostFacts | null; last_seen_at: Date | null }[]>`
    SELECT id, name, facts, last_seen_at FROM host_machines WHERE removed_at IS NULL`;
}
