import type { Project } from "../../../schemas/accounts/project.ts";
import type {
  RegistryCredential,
  StoredRegistryCredential,
} from "../../../schemas/accounts/registry-credential.ts";
import type { CountedSlice, PageOf } from "../../../schemas/paging.ts";
import type { NAMED_OLDEST_FIRST } from "../../../schemas/sorting.ts";
import { isNamed, keyset, type Positioned, readTotal, sliceOf } from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";

interface ProjectRow {
  id: string;
  user_id: string;
  name: string;
  description: string;
  created_at: Date;
  updated_at: Date;
}

/** A page of a user's projects, oldest first; a caller who is bound to a realm sees that project only. */
export async function listProjects(
  db: Sql,
  { userId, realmId }: { userId: string; realmId?: string },
  page: PageOf<typeof NAMED_OLDEST_FIRST>,
): Promise<CountedSlice<Project>> {
  const { position, isAfter, order } = keyset(
    db,
    page,
    { created_at: db`created_at`, name: db`lower(name)` },
    db`id`,
  );
  const own = db`
    FROM projects WHERE user_id = ${userId} ${realmId === undefined ? db`` : db`AND id = ${realmId}`} ${isNamed(db, page, db`name`)}`;
  const [rows, total] = await Promise.all([
    db<Positioned<ProjectRow>[]>`
      SELECT id, user_id, name, description, created_at, updated_at, ${position} ${own} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, own),
  ]);
  return { ...sliceOf(rows, page, toProject), total };
}

/** A user's project; undefined if the user has none with this id. */
export async function readProject(db: Sql, userId: string, id: string): Promise<Project | undefined> {
  const [row] = await db<ProjectRow[]>`
    SELECT id, user_id, name, description, created_at, updated_at FROM projects WHERE id = ${id} AND user_id = ${userId}`;
  return row === undefined ? undefined : toProject(row);
}

/** The credentials of a user's project, by registry; undefined if the user has none with this id. */
export async function listRegistryCredentials(
  db: Sql,
  userId: string,
  projectId: string,
): Promise<RegistryCredential[] | undefined> {
  const [row] = await db<{ registry_credentials: StoredRegistryCredential[] }[]>`
    SELECT registry_credentials FROM projects WHERE id = ${projectId} AND user_id = ${userId}`;
  return row?.registry_credentials
    .map(withoutPassword)
    .toSorted((one, other) => (one.registry < other.registry ? -1 : 1));
}

/** What a host may know of: the project of one of its containers, with the credentials and the container's image. */
export async function readCredentialsForHost(
  db: Sql,
  serverName: string,
  containerId: string,
): Promise<{ projectId: string; image: string; credentials: StoredRegistryCredential[] } | undefined> {
  const [row] = await db<
    { id: string; image_reference: string; registry_credentials: StoredRegistryCredential[] }[]
  >`
    SELECT p.id, c.image_reference, p.registry_credentials FROM containers c JOIN projects p ON p.id = c.project_id
    WHERE c.id = ${containerId} AND c.server_name = ${serverName} AND c.image_reference IS NOT NULL
      AND c.desired_state <> 'deleted'`;
  return row && { projectId: row.id, image: row.image_reference, credentials: row.registry_credentials };
}

export const withoutPassword = ({
  registry,
  username,
  updated_at,
}: StoredRegistryCredential): RegistryCredential => ({ registry, username, updated_at });

const toProject = (row: ProjectRow): Project => ({
  id: row.id,
  user_id: row.user_id,
  name: row.name,
  description: row.description,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
