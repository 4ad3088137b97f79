import type { AuditAct } from "../../../schemas/accounts/audit.ts";
import type { Context } from "../../runtime/definition.ts";

export interface NewAuditEntry {
  readonly act: AuditAct;
  /** Whose account. */
  readonly userId: string;
  /** Who acted; null: somebody who did not prove who they are. */
  readonly by: string | null;
  readonly data?: Record<string, unknown>;
}

/** Writes an entry to the audit log, in the commit of the act. */
export function recordAudit<State>(ctx: Context<State>, { act, userId, by, data = {} }: NewAuditEntry): void {
  ctx.insert("audit_entries", {
    id: ctx.newId(),
    user_id: userId,
    by_id: by,
    act,
    data,
    created_at: ctx.now,
  });
}
