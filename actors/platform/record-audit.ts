import type {
  ActOnUser,
  AuditAct,
  MachineOperator,
  Operator,
  PrivilegedAct,
} from "../../schemas/accounts/audit.ts";
import type { Context } from "../runtime/definition.ts";

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
  insertEntry(ctx, { act, user_id: userId, by_id: by, data });
}

interface PrivilegedEntry {
  /** The record that the act concerns, if it is no account. */
  readonly resourceId?: string;
  readonly data?: Record<string, unknown>;
}

export type NewPrivilegedEntry = PrivilegedEntry &
  (
    | {
        readonly act: ActOnUser;
        /** The user whom the act concerns; undefined: all of them. */
        readonly userId: string | undefined;
      }
    | { readonly act: Exclude<PrivilegedAct, ActOnUser>; readonly userId?: undefined }
  );

/**
 * Writes an act of an administrator to the audit log, in the commit of the act.
 *
 * @param operator undefined where the platform acts by itself: nothing is written
 */
export function recordPrivilegedAct<State>(
  ctx: Context<State>,
  operator: Operator | MachineOperator | undefined,
  { act, userId, resourceId, data = {} }: NewPrivilegedEntry,
): void {
  if (operator === undefined) return;
  insertEntry(ctx, {
    act,
    user_id: userId ?? null,
    by_id: operator.id,
    data,
    privileged: true,
    resource_id: resourceId ?? null,
    request_id: operator.request_id,
    address: operator.address,
  });
}

interface EntryRow {
  readonly act: AuditAct | PrivilegedAct;
  readonly user_id: string | null;
  readonly by_id: string | null;
  readonly data: Record<string, unknown>;
  readonly privileged?: boolean;
  readonly resource_id?: string | null;
  readonly request_id?: string;
  readonly address?: string | null;
}

function insertEntry<State>(ctx: Context<State>, row: EntryRow): void {
  ctx.insert("audit_entries", {
    id: ctx.newId(),
    privileged: false,
    resource_id: null,
    request_id: null,
    address: null,
    ...row,
    created_at: ctx.now,
  });
}
