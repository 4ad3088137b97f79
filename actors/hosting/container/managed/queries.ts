import type {
  CONTAINERS_SORT,
  ContainerState,
  ManagedContainer,
} from "../../../../schemas/hosting/container.ts";
import type { CountedSlice, PageOf } from "../../../../schemas/paging.ts";
import {
  keyset,
  type Positioned,
  readTotal,
  sliceOf,
  whenGiven,
} from "../../../platform/db/keyset/queries.ts";
import type { Sql } from "../../../platform/db/sql.ts";
import { subserverName } from "../queries.ts";

/** Containers as administrators see them. */

interface ManagedRow {
  id: string;
  name: string;
  user_id: string;
  username: string;
  project_id: string;
  server_id: string;
  server_name: string;
  subserver_name: string | null;
  image_reference: string | null;
  state: ContainerState;
  error: string | null;
  restarts: bigint;
  created_at: Date;
}

export interface ManagedContainersFilter {
  readonly user_id?: string | undefined;
  readonly server_id?: string | undefined;
  /** The name of a host. */
  readonly host?: string | undefined;
  readonly state?: ContainerState | undefined;
  /** An id, or a part of the container's name, of its image's or of its user's, in lower case. */
  readonly search?: string | undefined;
}

/** A page of the containers of all users that are not deleted, newest first. */
export async function listManagedContainers(
  db: Sql,
  { user_id, server_id, host, state, search }: ManagedContainersFilter,
  page: PageOf<typeof CONTAINERS_SORT>,
): Promise<CountedSlice<ManagedContainer>> {
  const when = whenGiven(db);
  const columns = {
    created_at: db`c.created_at`,
    name: db`c.name`,
    username: db`lower(a.username)`,
    server_name: db`c.server_name`,
  };
  const { position, isAfter, order } = keyset(db, page, columns, db`c.id`);
  const matching = db`
    FROM containers c JOIN accounts a ON a.id = c.user_id WHERE c.desired_state <> 'deleted'
      ${when(user_id, (id) => db`AND c.user_id = ${id}`)}
      ${when(server_id, (id) => db`AND c.server_id = ${id}`)}
      ${when(host, (name) => db`AND c.server_name = ${name}`)}
      ${when(state, (one) => db`AND c.state = ${one}`)}
      ${when(
        search,
        (
          text,
        ) => db`AND (c.id = ${text} OR position(${text} IN c.name) > 0 OR position(${text} IN lower(a.username)) > 0
          OR position(${text} IN lower(c.image_reference)) > 0)`,
      )}`;
  const [rows, total] = await Promise.all([
    db<Positioned<ManagedRow>[]>`
      SELECT c.id, c.name, c.user_id, a.username, c.project_id, c.server_id, c.server_name, c.image_reference, c.state, c.error,
        c.restarts, c.created_at, ${subserverName(db)}, ${position}
      ${matching} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, matching),
  ]);
  return { ...sliceOf(rows, page, toManaged), total };
}

const toManaged = (row: ManagedRow): ManagedContainer => ({
  id: row.id,
  name: row.name,
  user_id: row.user_id,
  username: row.username,
  project_id: row.project_id,
  server_id: row.server_id,
  server_name: row.server_name,
  subserver_name: row.subserver_name,
  image: row.image_reference,
  state: row.state,
  error: row.error,
  restarts: Number(row.restarts),
  created_at: row.created_at.toISOString(),
});
