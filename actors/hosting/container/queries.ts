import {
  type AppliedResources,
  type ContainerExit,
  type ContainerImage,
  type ContainerState,
  RESTART_REASONS,
  type StoredContainer,
} from "../../../schemas/hosting/container.ts";
import type { ContainerPermission, PERMISSIONS_SORT } from "../../../schemas/hosting/container-permission.ts";
import {
  type ContainerPort,
  type Resources,
  type RestartPolicy,
  resourcesOf,
} from "../../../schemas/hosting/container-settings.ts";
import type { DesiredContainer } from "../../../schemas/hosting/desired.ts";
import type { ContainerHealth, HealthCheck } from "../../../schemas/hosting/health-check.ts";
import type { Volume } from "../../../schemas/hosting/volume.ts";
import type { ServerSpecs } from "../../../schemas/market/server.ts";
import type { CountedSlice, PageOf } from "../../../schemas/paging.ts";
import type { ContainerRole } from "../../../schemas/permissions.ts";
import type { NAMED_OLDEST_FIRST } from "../../../schemas/sorting.ts";
import { keyset, type Positioned, readTotal, sliceOf } from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { type OpenSecret, openEnv, toEnvVariable } from "./env.ts";
import { isPending, type SettingChanges } from "./setting-changes.ts";
import type { StoredVariable } from "./settings.ts";

interface ContainerRow {
  id: string;
  user_id: string;
  project_id: string;
  server_id: string;
  server_name: string;
  image_id: string | null;
  image_reference: string | null;
  image: ContainerImage | null;
  name: string;
  command: string[];
  args: string[];
  env: StoredVariable[];
  ports: ContainerPort[];
  resources: Resources;
  restart_policy: RestartPolicy;
  stop_grace_seconds: number;
  stop_signal: string | null;
  health_check: HealthCheck;
  labels: Record<string, string>;
  settings_revision: bigint;
  setting_changes: SettingChanges;
  volumes: Volume[];
  desired_state: DesiredContainer["state"];
  desired_revision: bigint;
  generation: number;
  image_generation: number;
  access_revision: bigint;
  state: ContainerState;
  driver: string | null;
  address: string | null;
  error: string | null;
  started_revision: bigint | null;
  exit: ContainerExit | null;
  health: ContainerHealth | null;
  restarts: bigint;
  applied_resources: AppliedResources | null;
  created_at: Date;
  updated_at: Date;
}

/**
 * The users with access to container `c`: the renter of its server and members of the pool; on a server that is not
 * rented, its creator; and those who have a permission for this container.
 */
const usersWithAccess = (db: Sql) => db`
  SELECT user_id FROM server_access WHERE server_id = c.server_id
  UNION SELECT c.user_id FROM servers WHERE id = c.server_id AND rental_id IS NULL
  UNION SELECT permission ->> 'id' FROM jsonb_array_elements(c.permissions) permission
    WHERE ${isValid(db)} AND ${isForAll(db)}`;

/** Whether a `permission` is for all services. Those of before there were others do not say. */
const isForAll = (db: Sql) => db`coalesce(jsonb_typeof(permission -> 'services'), 'null') = 'null'`;

/** Whether the time of a `permission` is not over. */
const isValid = (db: Sql) => db`coalesce((permission ->> 'expires_at')::timestamptz > now(), true)`;

type DesiredRow = ContainerRow & {
  grants: string[];
  limited_grants: DesiredContainer["limited_grants"] & {};
  mounts: DesiredContainer["volumes"] & {};
  server_specs: ServerSpecs | null;
  is_part: boolean;
};

/** The desired state of these containers, with the users who have access and with the values of secrets. */
export async function readDesiredContainers(
  db: Sql,
  ids: readonly string[],
  openSecret: OpenSecret,
): Promise<DesiredContainer[]> {
  const rows = await db<DesiredRow[]>`
    SELECT c.*, s.specs AS server_specs, s.parent_id IS NOT NULL AS is_part,
      coalesce((SELECT jsonb_agg(volume || jsonb_build_object('share_revision', s.desired_revision))
        FROM jsonb_array_elements(c.volumes) volume JOIN storage_shares s ON s.id = volume ->> 'share_id'), '[]') AS mounts,
      ARRAY(${usersWithAccess(db)} ORDER BY user_id) AS grants,
      coalesce((SELECT jsonb_agg(jsonb_build_object('user_id', permission -> 'id', 'services', permission -> 'services'))
        FROM jsonb_array_elements(c.permissions) permission WHERE ${isValid(db)} AND NOT ${isForAll(db)}), '[]') AS limited_grants
    FROM containers c LEFT JOIN servers s ON s.id = c.server_id WHERE c.id = ANY (${[...ids]}::text[])`;
  return rows.map((row) => ({
    server_name: row.server_name,
    revision: Number(row.desired_revision),
    id: row.id,
    project_id: row.project_id,
    name: row.name,
    state: row.desired_state,
    generation: row.generation,
    ...(row.command.length === 0 ? {} : { entrypoint: row.command }),
    command: row.args,
    ...openEnv(row.id, row.env, openSecret),
    resources: row.resources,
    server_resources: resourcesOf(row.server_specs ?? {}),
    ...(row.is_part ? { part_id: row.server_id } : {}),
    restart_policy: row.restart_policy,
    stop_grace_seconds: row.stop_grace_seconds,
    ...(row.stop_signal === null ? {} : { stop_signal: row.stop_signal }),
    health_check: row.health_check,
    ...(row.image_reference === null ? {} : { image: row.image_reference }),
    ...(row.image_generation === 0 ? {} : { image_generation: row.image_generation }),
    ...(row.mounts.length === 0 ? {} : { volumes: row.mounts }),
    grants: row.grants,
    ...(row.limited_grants.length === 0 ? {} : { limited_grants: row.limited_grants }),
  }));
}

export interface Placement {
  readonly id: string;
  readonly serverName: string;
  readonly containerRevision: number;
  readonly firewallRevision: number;
}

/** Every container, its server and the revisions that its host should have, for the reconciler that compares them. */
export async function listPlacements(db: Sql): Promise<Placement[]> {
  const rows = await db<
    { id: string; server_name: string; desired_revision: bigint; firewall_revision: bigint | null }[]
  >`
    SELECT c.id, c.server_name, c.desired_revision, f.revision AS firewall_revision
    FROM containers c LEFT JOIN firewalls f ON f.container_id = c.id ORDER BY c.server_name, c.id`;
  return rows.map((row) => ({
    id: row.id,
    serverName: row.server_name,
    containerRevision: Number(row.desired_revision),
    firewallRevision: Number(row.firewall_revision ?? 0n),
  }));
}

/** A container's server and owner. */
export async function readPlacement(
  db: Sql,
  id: string,
): Promise<{ server_id: string; server_name: string; user_id: string; project_id: string } | undefined> {
  const [row] = await db<{ server_id: string; server_name: string; user_id: string; project_id: string }[]>`
    SELECT server_id, server_name, user_id, project_id FROM containers WHERE id = ${id}`;
  return row;
}

/** A container's server, and whether a user has access to the container. */
export async function readGrant(
  db: Sql,
  id: string,
  userId: string,
): Promise<{ server_name: string; may_enter: boolean } | undefined> {
  const [row] = await db<{ server_name: string; may_enter: boolean }[]>`
    SELECT server_name, ${userId} IN (${usersWithAccess(db)}) AS may_enter FROM containers c WHERE id = ${id}`;
  return row;
}

/** The containers on a server that are not deleted. */
export async function listContainerIds(db: Sql, serverId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM containers WHERE server_id = ${serverId} AND desired_state <> 'deleted'`;
  return rows.map((row) => row.id);
}

/** Containers that run although the user who made them is suspended. */
export async function listContainersOfSuspended(db: Sql): Promise<string[]> {
  const rows = await db<{ id: string }[]>`SELECT c.id ${ofSuspended(db)}`;
  return rows.map((row) => row.id);
}

const ofSuspended = (db: Sql) => db`
  FROM accounts a JOIN containers c ON c.user_id = a.id
  WHERE a.suspension IS NOT NULL AND c.desired_state = 'running'`;

/** Whether any of `listContainersOfSuspended` is there. */
export const hasContainersOfSuspended = (db: Sql) => db`EXISTS (SELECT ${ofSuspended(db)})`;

/** The part of a host on which a container or a storage share `c` is. */
export const subserverName = (db: Sql) => db`
  (SELECT s.name FROM servers s WHERE s.id = c.server_id AND s.parent_id IS NOT NULL) AS subserver_name`;

interface ListedRow extends ContainerRow {
  subserver_name: string | null;
  revision: bigint | null;
  applied_revision: bigint | null;
  enforced: boolean | null;
  firewall_error: string | null;
}

/** A container, with the caller's role. */
export interface Reached {
  readonly container: StoredContainer;
  readonly role: ContainerRole;
}

/**
 * Whether a user can access a container or storage share `c`. The roles follow from its server: the renter owns the containers on it,
 * and members of the rental's pool have their roles. The creator can access it in any case.
 */
export const isReachable = (db: Sql, userId: string) => db`
  (c.user_id = ${userId} OR c.server_id IN (SELECT server_id FROM server_access WHERE user_id = ${userId}))`;

/** A user's role on a container or storage share `c`; null for none. On a server that is not rented the creator is the owner. */
export const roleOf = (db: Sql, userId: string) => db`
  coalesce(
    (SELECT role FROM server_access WHERE server_id = c.server_id AND user_id = ${userId}
     ORDER BY array_position(ARRAY['owner', 'admin', 'user'], role) LIMIT 1),
    CASE WHEN c.user_id <> ${userId} THEN NULL
      WHEN EXISTS (SELECT FROM servers WHERE id = c.server_id AND rental_id IS NULL) THEN 'owner'
      ELSE 'maker' END)`;

interface LabelFilter {
  readonly key: string;
  /** Null: any. */
  readonly value: string | null;
}

export interface ContainersFilter {
  readonly projectId?: string | undefined;
  /** Each must be there. */
  readonly labels?: readonly LabelFilter[];
  /** A part of the name, in lower case. */
  readonly search?: string | undefined;
  /** Only those that the user made, not those of pools. */
  readonly isOwn?: boolean;
}

const hasLabel = (db: Sql, { key, value }: LabelFilter) =>
  value === null ? db`AND c.labels ? ${key}` : db`AND c.labels ->> ${key} = ${value}`;

/**
 * A page of the containers that a user can access and that are not deleted, oldest first. A caller who is bound to a realm sees those
 * of the realm.
 */
export async function listContainers(
  db: Sql,
  { userId, realmId }: { userId: string; realmId?: string },
  { projectId, labels = [], search, isOwn = false }: ContainersFilter,
  page: PageOf<typeof NAMED_OLDEST_FIRST>,
): Promise<CountedSlice<StoredContainer>> {
  const { position, isAfter, order } = keyset(
    db,
    page,
    { created_at: db`c.created_at`, name: db`c.name` },
    db`c.id`,
  );
  const matching = db`
    WHERE ${isOwn ? db`c.user_id = ${userId}` : isReachable(db, userId)} AND c.desired_state <> 'deleted'
      ${projectId === undefined ? db`` : db`AND c.project_id = ${projectId}`}
      ${realmId === undefined ? db`` : db`AND c.project_id = ${realmId}`}
      ${labels.length === 0 ? db`` : labels.map((label) => hasLabel(db, label))}
      ${search === undefined ? db`` : db`AND position(${search} IN c.name) > 0`}`;
  const [rows, total] = await Promise.all([
    db<Positioned<ListedRow>[]>`
      SELECT c.*, f.revision, f.applied_revision, f.enforced, f.error AS firewall_error, ${subserverName(db)}, ${position}
      FROM containers c LEFT JOIN firewalls f ON f.container_id = c.id
      ${matching} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, db`FROM containers c ${matching}`),
  ]);
  return { ...sliceOf(rows, page, toContainer), total };
}

/** A container that a user can access; undefined if there is none with this id, or it is deleted. */
export async function readContainer(db: Sql, userId: string, id: string): Promise<Reached | undefined> {
  const [row] = await db<(ListedRow & { role: ContainerRole | null })[]>`
    SELECT c.*, f.revision, f.applied_revision, f.enforced, f.error AS firewall_error, ${subserverName(db)},
      ${roleOf(db, userId)} AS role
    FROM containers c LEFT JOIN firewalls f ON f.container_id = c.id
    WHERE c.id = ${id} AND c.desired_state <> 'deleted'`;
  return row === undefined || row.role === null ? undefined : { container: toContainer(row), role: row.role };
}

/** The state of an image before the host's first report on it. */
const pendingImage = (reference: string | null): ContainerImage | null =>
  reference === null
    ? null
    : {
        reference,
        digest: null,
        state: "waiting",
        pulled_bytes: 0,
        total_bytes: 0,
        exposed_ports: [],
        labels: {},
      };

/** What a running container was started without. */
const restartRequired = ({ state, started_revision: started, setting_changes: changes }: ContainerRow) =>
  state !== "running" || started === null
    ? []
    : RESTART_REASONS.filter((reason) => isPending(changes[reason], Number(started)));

function toContainer(row: ListedRow): StoredContainer {
  const revision = Number(row.revision ?? 0n);
  const appliedRevision = Number(row.applied_revision ?? 0n);
  return {
    id: row.id,
    user_id: row.user_id,
    project_id: row.project_id,
    server_id: row.server_id,
    server_name: row.server_name,
    subserver_name: row.subserver_name,
    image_id: row.image_id,
    image: row.image ?? pendingImage(row.image_reference),
    name: row.name,
    command: row.command,
    args: row.args,
    env: row.env.map(toEnvVariable),
    ports: row.ports,
    resources: { bandwidth_mbps: null, ...row.resources, applied: row.applied_resources },
    restart_policy: row.restart_policy,
    stop_grace_seconds: row.stop_grace_seconds,
    stop_signal: row.stop_signal,
    health_check: row.health_check,
    labels: row.labels,
    revision: Number(row.settings_revision),
    restart_required: restartRequired(row),
    state: row.state,
    address: row.address,
    driver: row.driver,
    volumes: row.volumes,
    error: row.error,
    exit: row.exit,
    health: row.health,
    restarts: Number(row.restarts),
    firewall: {
      revision,
      applied_revision: appliedRevision,
      applied: appliedRevision >= revision,
      enforced: row.enforced ?? true,
      error: row.firewall_error,
    },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/**
 * Servers with containers that a user may access. For an administrator, who may impersonate any user, these are all
 * servers.
 */
export async function listServersInReach(db: Sql, userId: string): Promise<string[]> {
  const rows = await db<{ server_name: string }[]>`
    SELECT DISTINCT c.server_name FROM containers c
    WHERE ${isReachable(db, userId)}
      OR (c.permissions <> '[]' AND c.permissions @> jsonb_build_array(jsonb_build_object('id', ${userId}::text)))
      OR EXISTS (SELECT FROM accounts WHERE id = ${userId} AND role = 'admin')
    ORDER BY c.server_name`;
  return rows.map((row) => row.server_name);
}

/**
 * The end of the latest ended session of each user who may access containers of a server, by server and user; of ends
 * since a time.
 */
export async function listEndsInReach(db: Sql, since: Date): Promise<Map<string, Map<string, Date>>> {
  const rows = await db<{ server_name: string; user_id: string; ended_at: Date }[]>`
    WITH ended AS (
      SELECT user_id, max(ended_at) AS ended_at FROM (
        SELECT user_id, ended_at FROM sessions WHERE ended_at >= ${since}
        UNION ALL SELECT user_id, ended_at FROM api_tokens WHERE ended_at >= ${since}
      ) each_end GROUP BY user_id
    ), reach AS (
      SELECT c.server_name, a.user_id FROM containers c JOIN server_access a ON a.server_id = c.server_id
      UNION
      SELECT c.server_name, c.user_id FROM containers c JOIN servers s ON s.id = c.server_id WHERE s.rental_id IS NULL
      UNION
      SELECT c.server_name, permission ->> 'id' FROM containers c, jsonb_array_elements(c.permissions) permission
        WHERE c.permissions <> '[]'
      UNION
      SELECT c.server_name, admins.id FROM containers c CROSS JOIN accounts admins WHERE admins.role = 'admin'
    )
    SELECT reach.server_name, ended.user_id, ended.ended_at FROM reach JOIN ended ON ended.user_id = reach.user_id`;
  const found = new Map<string, Map<string, Date>>();
  for (const { server_name, user_id, ended_at } of rows) {
    const ends = found.get(server_name) ?? new Map<string, Date>();
    found.set(server_name, ends.set(user_id, ended_at));
  }
  return found;
}

interface Permitted {
  readonly id: string;
  readonly project_id: string;
  readonly server_name: string;
  readonly expires_at: Date | null;
  /** Null: all. */
  readonly services: string[] | null;
}

/** A container that a user has a permission to enter, with the end of the permission; undefined if there is none. */
export async function readPermitted(db: Sql, userId: string, id: string): Promise<Permitted | undefined> {
  const [row] = await db<Permitted[]>`
    SELECT c.id, c.project_id, c.server_name, (permission ->> 'expires_at')::timestamptz AS expires_at,
      CASE WHEN ${isForAll(db)} THEN NULL ELSE permission -> 'services' END AS services
    FROM containers c, jsonb_array_elements(c.permissions) permission
    WHERE c.id = ${id} AND c.desired_state <> 'deleted' AND permission ->> 'id' = ${userId} AND ${isValid(db)}`;
  return row;
}

/** A page of a container's permissions whose time is not over, oldest first. */
export async function listPermissions(
  db: Sql,
  id: string,
  page: PageOf<typeof PERMISSIONS_SORT>,
): Promise<CountedSlice<ContainerPermission>> {
  const columns = {
    created_at: db`(permission ->> 'created_at')::timestamptz`,
    username: db`lower(permission ->> 'username')`,
  };
  const { position, isAfter, order } = keyset(db, page, columns, db`(permission ->> 'id')`);
  const valid = db`
    FROM containers c, jsonb_array_elements(c.permissions) permission WHERE c.id = ${id} AND ${isValid(db)}`;
  const [rows, total] = await Promise.all([
    db<Positioned<{ permission: ContainerPermission }>[]>`
      SELECT permission, ${position} ${valid} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, valid),
  ]);
  return {
    ...sliceOf(rows, page, ({ permission }) => ({ ...permission, services: permission.services ?? null })),
    total,
  };
}

/** Containers with permissions whose time is over. */
export async function listExpiredPermissions(db: Sql): Promise<string[]> {
  const rows = await db<{ id: string }[]>`SELECT c.id ${withExpiredPermissions(db)}`;
  return rows.map((row) => row.id);
}

const withExpiredPermissions = (db: Sql) => db`
  FROM containers c WHERE c.permissions <> '[]' AND EXISTS (
    SELECT FROM jsonb_array_elements(c.permissions) permission WHERE NOT (${isValid(db)}))`;

/** Whether any of `listExpiredPermissions` is there. */
export const hasExpiredPermissions = (db: Sql) => db`EXISTS (SELECT ${withExpiredPermissions(db)})`;
