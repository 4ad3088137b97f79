import {
  type HostFacts,
  type HostRecord,
  type HostStatus,
  OFFLINE_AFTER_SECONDS,
  type PreparedImage,
} from "../../../schemas/hosting/host.ts";
import type { PageOf, Slice } from "../../../schemas/paging.ts";
import type { BY_NAME } from "../../../schemas/sorting.ts";
import { isNamed, keyset, type Positioned, sliceOf } from "../../platform/db/keyset/queries.ts";
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
  is_recent: boolean;
  silent_since: Date | null;
  prepared_images: PreparedImage[];
  containers: number;
  storage_shares: number;
  rentals: number;
  created_at: Date;
  updated_at: Date;
}

const columns = (db: Sql) => db`
  h.id, h.name, h.draining, h.enrolment, h.enrolled_at, h.facts, h.last_seen_at, h.silent_since, h.prepared_images, h.created_at, h.updated_at,
  coalesce(h.last_seen_at > now() - ${`${OFFLINE_AFTER_SECONDS} seconds`}::interval, false) AS is_recent,
  (SELECT count(*)::int FROM containers c WHERE c.server_name = h.name AND c.desired_state <> 'deleted') AS containers,
  (SELECT count(*)::int FROM storage_shares s WHERE s.server_name = h.name AND s.desired_state <> 'deleted') AS storage_shares,
  (SELECT count(*)::int FROM servers s LEFT JOIN servers p ON p.id = s.parent_id
    WHERE coalesce(p.name, s.name) = h.name AND s.status IN ('renting', 'rented')) AS rentals`;

/** A page of the hosts that are not removed, by name. */
export async function listHosts(
  db: Sql,
  page: PageOf<typeof BY_NAME>,
): Promise<Slice<HostRecord> & { total: number }> {
  const { position, isAfter, order } = keyset(
    db,
    page,
    { name: db`h.name`, created_at: db`h.created_at` },
    db`h.id`,
  );
  const named = isNamed(db, page, db`h.name`);
  const [rows, [count]] = await Promise.all([
    db<Positioned<HostRow>[]>`
      SELECT ${columns(db)}, ${position} FROM host_machines h WHERE h.removed_at IS NULL ${named} AND ${isAfter} ORDER BY ${order}`,
    db<
      { total: number }[]
    >`SELECT count(*)::int AS total FROM host_machines h WHERE h.removed_at IS NULL ${named}`,
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
  status: statusOf(row),
  draining: row.draining,
  enrolled_at: row.enrolled_at?.toISOString() ?? null,
  enrolment_expires_at: row.enrolment?.expires_at ?? null,
  last_seen_at: row.last_seen_at?.toISOString() ?? null,
  facts: row.facts,
  containers: row.containers,
  storage_shares: row.storage_shares,
  rentals: row.rentals,
  prepared_images: row.prepared_images,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

function statusOf({ last_seen_at, is_recent, silent_since }: HostRow): HostStatus {
  if (last_seen_at === null) return "pending";
  if (!is_recent) return "offline";
  return silent_since === null ? "online" : "silent";
}

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

export interface KnownHost {
  readonly id: string;
  readonly name: string;
  readonly facts: HostFacts | null;
  readonly last_seen_at: Date | null;
  readonly silent_since: Date | null;
}

/** The hosts to be asked how they are, with what they last said. */
export async function listHostFacts(db: Sql): Promise<KnownHost[]> {
  return db<KnownHost[]>`
    SELECT id, name, facts, last_seen_at, silent_since FROM host_machines WHERE removed_at IS NULL`;
}

/** A host that answers, with the images that it last said to have ready. */
export interface PreparingHost {
  readonly id: string;
  readonly name: string;
  readonly prepared_images: readonly PreparedImage[];
}

export async function listPreparingHosts(db: Sql): Promise<PreparingHost[]> {
  return db<PreparingHost[]>`
    SELECT id, name, prepared_images FROM host_machines
    WHERE removed_at IS NULL AND last_seen_at IS NOT NULL AND silent_since IS NULL`;
}

/** What of the desired state is not so yet, for metrics. */
export interface HostingCounts {
  /** Containers that are not deleted, by their last reported state. */
  readonly containers: readonly { readonly state: string; readonly count: number }[];
  /** Firewalls of such containers of which the host has not applied the newest revision. */
  readonly firewallsPending: number;
  /** Machines by status. */
  readonly hosts: ReadonlyMap<HostStatus, number>;
}

export async function countHosting(db: Sql): Promise<HostingCounts> {
  const [containers, [firewalls], hosts] = await Promise.all([
    db<{ state: string; count: number }[]>`
      SELECT state, count(*)::int AS count FROM containers WHERE desired_state <> 'deleted' GROUP BY state`,
    db<{ pending: number }[]>`
      SELECT count(*)::int AS pending FROM firewalls f JOIN containers c ON c.id = f.container_id
      WHERE c.desired_state <> 'deleted' AND f.applied_revision < f.revision`,
    db<HostRow[]>`SELECT ${columns(db)} FROM host_machines h WHERE h.removed_at IS NULL`,
  ]);
  const byStatus = Map.groupBy(hosts, statusOf);
  return {
    containers,
    firewallsPending: firewalls?.pending ?? 0,
    hosts: new Map(
      (["pending", "online", "silent", "offline"] as const).map((status) => [
        status,
        byStatus.get(status)?.length ?? 0,
      ]),
    ),
  };
}
