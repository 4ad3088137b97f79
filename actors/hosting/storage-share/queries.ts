import type { DesiredShare } from "../../../schemas/hosting/desired.ts";
import type {
  SHARES_SORT,
  ShareUser,
  SnapshotSchedule,
  StorageShare,
  StorageSnapshot,
} from "../../../schemas/hosting/storage-share.ts";
import type { CountedSlice, PageOf } from "../../../schemas/paging.ts";
import type { ContainerRole } from "../../../schemas/permissions.ts";
import type { NAMED_OLDEST_FIRST } from "../../../schemas/sorting.ts";
import { isNamed, keyset, type Positioned, readTotal, sliceOf } from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { isReachable, roleOf, subserverName } from "../container/queries.ts";

interface ShareRow {
  id: string;
  user_id: string;
  project_id: string;
  server_id: string;
  server_name: string;
  subserver_name: string | null;
  name: string;
  size_bytes: bigint;
  snapshots: StorageSnapshot[];
  restore: { id: string; snapshot_id: string } | null;
  snapshot_schedule: SnapshotSchedule | null;
  next_snapshot_at: Date | null;
  desired_state: "present" | "deleted";
  desired_revision: bigint;
  state: StorageShare["state"];
  applied_size_bytes: bigint | null;
  used_bytes: bigint | null;
  enforced: boolean | null;
  error: string | null;
  mounted_by: string[];
  created_at: Date;
  updated_at: Date;
}

const numberOrNull = (value: bigint | null) => (value === null ? null : Number(value));

const toShare = (row: ShareRow): StorageShare => ({
  id: row.id,
  user_id: row.user_id,
  project_id: row.project_id,
  server_id: row.server_id,
  server_name: row.server_name,
  subserver_name: row.subserver_name,
  name: row.name,
  state: row.state,
  size_bytes: Number(row.size_bytes),
  applied_size_bytes: numberOrNull(row.applied_size_bytes),
  used_bytes: numberOrNull(row.used_bytes),
  enforced: row.enforced,
  error: row.error,
  mounted_by: row.mounted_by,
  snapshot_count: row.snapshots.length,
  restoring_snapshot_id: row.restore?.snapshot_id ?? null,
  snapshot_schedule: row.snapshot_schedule,
  next_snapshot_at: row.next_snapshot_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/**
 * A page of the storage shares that a user can access and that are not deleted, oldest first. A caller who is bound to a
 * realm sees those of the realm.
 */
export async function listShares(
  db: Sql,
  { userId, realmId }: { userId: string; realmId?: string },
  { projectId, serverId }: { projectId: string | undefined; serverId: string | undefined },
  page: PageOf<typeof SHARES_SORT>,
): Promise<CountedSlice<StorageShare>> {
  const columns = { created_at: db`c.created_at`, name: db`lower(c.name)`, size_bytes: db`c.size_bytes` };
  const { position, isAfter, order } = keyset(db, page, columns, db`c.id`);
  const matching = db`
    FROM storage_shares c
    WHERE ${isReachable(db, userId)} AND c.desired_state <> 'deleted'
      ${projectId === undefined ? db`` : db`AND c.project_id = ${projectId}`}
      ${serverId === undefined ? db`` : db`AND c.server_id = ${serverId}`}
      ${realmId === undefined ? db`` : db`AND c.project_id = ${realmId}`}
      ${isNamed(db, page, db`c.name`)}`;
  const [rows, total] = await Promise.all([
    db<
      Positioned<ShareRow>[]
    >`SELECT c.*, ${subserverName(db)}, ${position} ${matching} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, matching),
  ]);
  return { ...sliceOf(rows, page, toShare), total };
}

/** A storage share that a user can access, with the user's role on its server; undefined if there is none with this id. */
export async function readShare(
  db: Sql,
  userId: string,
  id: string,
): Promise<{ share: StorageShare; role: ContainerRole } | undefined> {
  const [row] = await db<(ShareRow & { role: ContainerRole | null })[]>`
    SELECT c.*, ${subserverName(db)}, ${roleOf(db, userId)} AS role
    FROM storage_shares c WHERE c.id = ${id} AND c.desired_state <> 'deleted'`;
  return row === undefined || row.role === null ? undefined : { share: toShare(row), role: row.role };
}

/** A page of a share's snapshots, oldest first. */
export async function listSnapshots(
  db: Sql,
  shareId: string,
  page: PageOf<typeof NAMED_OLDEST_FIRST>,
): Promise<CountedSlice<StorageSnapshot>> {
  const columns = { created_at: db`snapshot.created_at`, name: db`lower(snapshot.name)` };
  const { position, isAfter, order } = keyset(db, page, columns, db`snapshot.id`);
  const own = db`
    FROM storage_shares s, jsonb_to_recordset(s.snapshots)
      AS snapshot (id text, name text, state text, bytes float8, error text, scheduled boolean, created_at timestamptz)
    WHERE s.id = ${shareId} ${isNamed(db, page, db`snapshot.name`)}`;
  const [rows, total] = await Promise.all([
    db<Positioned<Omit<StorageSnapshot, "created_at"> & { created_at: Date }>[]>`
      SELECT snapshot.id, snapshot.name, snapshot.state, snapshot.bytes, snapshot.error,
        coalesce(snapshot.scheduled, false) AS scheduled, snapshot.created_at, ${position}
      ${own} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, own),
  ]);
  const slice = sliceOf(rows, page, ({ id, name, state, bytes, error, scheduled, created_at }) => ({
    ...{ id, name, state, bytes, error, scheduled },
    created_at: created_at.toISOString(),
  }));
  return { ...slice, total };
}

/** The shares whose schedule is due, the longest due first. */
export async function listDueSnapshots(db: Sql, now: Date): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    SELECT id ${dueForSnapshot(db, now)} ORDER BY next_snapshot_at, id`;
  return rows.map(({ id }) => id);
}

const dueForSnapshot = (db: Sql, now: Date) => db`
  FROM storage_shares WHERE next_snapshot_at <= ${now} AND desired_state <> 'deleted'`;

/** Whether any of `listDueSnapshots` is there. */
export const hasDueSnapshots = (db: Sql, now: Date) => db`EXISTS (SELECT ${dueForSnapshot(db, now)})`;

/** Of these shares, those that containers of a project on a server can mount. */
export async function listMountable(
  db: Sql,
  shareIds: readonly string[],
  { projectId, serverId }: { projectId: string; serverId: string },
): Promise<ReadonlySet<string>> {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM storage_shares
    WHERE id = ANY (${[...shareIds]}::text[]) AND project_id = ${projectId} AND server_id = ${serverId}
      AND desired_state <> 'deleted'`;
  return new Set(rows.map(({ id }) => id));
}

/** A container that has a share among its volumes (`isVolume`), or that runs with it since it was started before it lost that volume. */
export interface ShareUse extends ShareUser {
  readonly isVolume: boolean;
  /** Whether it runs, or is to run. */
  readonly isRunning: boolean;
}

/** The containers that use a share, or are about to. */
export async function listShareUsers(db: Sql, shareId: string): Promise<ShareUse[]> {
  const rows = await db<{ id: string; name: string; desired_state: string; is_volume: boolean }[]>`
    WITH used AS (SELECT container_id FROM container_volumes WHERE share_id = ${shareId})
    SELECT c.id, c.name, c.desired_state, c.id IN (SELECT container_id FROM used) AS is_volume FROM containers c
    WHERE c.id IN (SELECT container_id FROM used) OR c.desired_state <> 'deleted' AND c.id IN (
      SELECT jsonb_array_elements_text(mounted_by) FROM storage_shares WHERE id = ${shareId})
    ORDER BY c.id`;
  return rows.map(({ id, name, desired_state, is_volume }) => ({
    ...{ id, name, isVolume: is_volume },
    isRunning: desired_state === "running" || !is_volume,
  }));
}

/** The desired state of these shares. */
export async function readDesiredShares(db: Sql, ids: readonly string[]): Promise<DesiredShare[]> {
  const rows = await db<(ShareRow & { is_part: boolean })[]>`
    SELECT storage_shares.*, servers.parent_id IS NOT NULL AS is_part
    FROM storage_shares LEFT JOIN servers ON servers.id = storage_shares.server_id
    WHERE storage_shares.id = ANY (${[...ids]}::text[])`;
  return rows.map((row) => ({
    revision: Number(row.desired_revision),
    server_name: row.server_name,
    id: row.id,
    project_id: row.project_id,
    state: row.desired_state,
    size_bytes: Number(row.size_bytes),
    ...(row.is_part ? { part_id: row.server_id } : {}),
    snapshots: row.snapshots.map(({ id }) => id),
    restore: row.restore,
  }));
}

/** The host of a share. */
export async function readShareHost(db: Sql, id: string): Promise<string | undefined> {
  const [row] = await db<{ server_name: string }[]>`SELECT server_name FROM storage_shares WHERE id = ${id}`;
  return row?.server_name;
}

/** Every share, its host and the revision that the host should have. */
export async function listSharePlacements(
  db: Sql,
): Promise<{ id: string; serverName: string; revision: number }[]> {
  const rows = await db<{ id: string; server_name: string; desired_revision: bigint }[]>`
    SELECT id, server_name, desired_revision FROM storage_shares ORDER BY server_name, id`;
  return rows.map((row) => ({
    id: row.id,
    serverName: row.server_name,
    revision: Number(row.desired_revision),
  }));
}
