import type {
  AuditAct,
  AuditEntry,
  PrivilegedAct,
  PrivilegedEntry,
} from "../../../schemas/accounts/audit.ts";
import type { PageOf, Slice } from "../../../schemas/paging.ts";
import type { NEWEST_FIRST } from "../../../schemas/sorting.ts";
import { keyset, type Positioned, sliceOf, whenGiven } from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";

interface AuditRow {
  id: string;
  by_id: string | null;
  by: string | null;
  act: AuditAct;
  data: Record<string, unknown>;
  created_at: Date;
}

/** A page of what was done with a user's credentials, newest first; optionally of one act. */
export async function listAudit(
  db: Sql,
  userId: string,
  act: AuditAct | undefined,
  page: PageOf<typeof NEWEST_FIRST>,
): Promise<Slice<AuditEntry>> {
  const { position, isAfter, order } = keyset(db, page, { created_at: db`e.created_at` }, db`e.id`);
  const rows = await db<Positioned<AuditRow>[]>`
    SELECT e.id, e.by_id, a.username AS by, e.act, e.data, e.created_at, ${position}
    FROM audit_entries e LEFT JOIN accounts a ON a.id = e.by_id
    WHERE e.user_id = ${userId} ${act === undefined ? db`` : db`AND e.act = ${act}`}
      AND ${isAfter} ORDER BY ${order}`;
  return sliceOf(rows, page, ({ id, by_id, by, act: what, data, created_at }) => ({
    id,
    act: what,
    by_id,
    by,
    data,
    created_at: created_at.toISOString(),
  }));
}

export interface PrivilegedFilter {
  readonly act?: PrivilegedAct | undefined;
  readonly byId?: string | undefined;
  readonly userId?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly start?: Date | undefined;
  readonly end?: Date | undefined;
}

type PrivilegedRow = Omit<PrivilegedEntry, "created_at"> & { created_at: Date };

/** A page of what administrators did, newest first. */
export async function listPrivilegedActs(
  db: Sql,
  filter: PrivilegedFilter,
  page: PageOf<typeof NEWEST_FIRST>,
): Promise<Slice<PrivilegedEntry>> {
  const { position, isAfter, order } = keyset(db, page, { created_at: db`e.created_at` }, db`e.id`);
  const when = whenGiven(db);
  const rows = await db<Positioned<PrivilegedRow>[]>`
    SELECT e.id, e.act, e.by_id, b.username AS by, e.user_id, u.username AS user, e.resource_id, e.data,
      e.request_id, e.address, e.created_at, ${position}
    FROM audit_entries e LEFT JOIN accounts b ON b.id = e.by_id LEFT JOIN accounts u ON u.id = e.user_id
    WHERE e.privileged
      ${when(filter.act, (act) => db`AND e.act = ${act}`)}
      ${when(filter.byId, (id) => db`AND e.by_id = ${id}`)}
      ${when(filter.userId, (id) => db`AND e.user_id = ${id}`)}
      ${when(filter.resourceId, (id) => db`AND e.resource_id = ${id}`)}
      ${when(filter.requestId, (id) => db`AND e.request_id = ${id}`)}
      ${when(filter.start, (start) => db`AND e.created_at >= ${start}`)}
      ${when(filter.end, (end) => db`AND e.created_at < ${end}`)}
      AND ${isAfter} ORDER BY ${order}`;
  return sliceOf(rows, page, ({ cursor_value: _, cursor_id: __, created_at, ...entry }) => ({
    ...entry,
    created_at: created_at.toISOString(),
  }));
}

/** Deletes at most `limit` entries from before a time. Returns how many it deleted. */
export async function deleteOldAudit(db: Sql, before: Date, limit: number): Promise<number> {
  const { count } = await db`
    DELETE FROM audit_entries WHERE id IN (
      SELECT id FROM audit_entries WHERE created_at < ${before} LIMIT ${limit})`;
  return count;
}
