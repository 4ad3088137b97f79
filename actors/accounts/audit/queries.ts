import type { AuditAct, AuditEntry } from "../../../schemas/accounts/audit.ts";
import type { Page, Slice } from "../../../schemas/paging.ts";
import { keyset, type Positioned, sliceOf } from "../../platform/db/keyset/queries.ts";
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
  page: Page,
): Promise<Slice<AuditEntry>> {
  const { position, isAfter, order } = keyset(db, page, db`e.created_at`, db`e.id`);
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
