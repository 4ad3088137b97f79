import type { AccountBlocker } from "../../../../schemas/accounts/deletion.ts";
import type { Sql } from "../../../platform/db/sql.ts";

/** More are not shown: what is there is ended one by one. */
const BLOCKERS_MAX = 50;
/** Remains of an account that one round ends. */
const REMAINS_MAX = 200;

/** What keeps an account from being deleted now. The last administrator has nothing to end, and stays. */
export async function listAccountBlockers(db: Sql, userId: string): Promise<AccountBlocker[]> {
  const rows = await db<(Omit<AccountBlocker, "until"> & { until: Date | null })[]>`
    SELECT 'last_administrator' AS kind, NULL AS id, NULL AS name, NULL::timestamptz AS until
    FROM accounts WHERE id = ${userId} AND role = 'admin' AND NOT EXISTS (
      SELECT FROM accounts WHERE role = 'admin' AND deletion IS NULL AND id <> ${userId})
    UNION ALL (SELECT kind, id, name, CASE WHEN kind = 'rental' AND id IN (SELECT r.id FROM rentals r WHERE r.awaits_delivery)
      THEN NULL ELSE until END FROM account_blockers(${userId}))
    LIMIT ${BLOCKERS_MAX}`;
  return rows.map(({ kind, id, name, until }) => ({ kind, id, name, until: until?.toISOString() ?? null }));
}

/** Deleted accounts whose remains have not all ended. */
export async function listUntidied(db: Sql): Promise<string[]> {
  const rows = await db<{ id: string }[]>`SELECT id ${untidied(db)}`;
  return rows.map(({ id }) => id);
}

const untidied = (db: Sql) => db`
  FROM accounts WHERE deletion IS NOT NULL AND NOT (deletion ->> 'tidied')::boolean`;

/** Whether any of `listUntidied` is there. */
export const hasUntidied = (db: Sql) => db`EXISTS (SELECT ${untidied(db)})`;

/** A thing that ends with its account, by the actor that owns it. */
export interface Remain {
  readonly kind:
    | "webhook"
    | "payment_method"
    | "membership"
    | "invitation"
    | "own_invitation"
    | "pool"
    | "project"
    | "codehost_link"
    | "permission"
    | "notification";
  /** Of the actor, or of the thing that the user's actor holds. */
  readonly id: string;
  /** The other user of a permission or of an invitation, or the invitation. */
  readonly part: string;
}

/** What is left of a deleted account. */
export async function listRemains(db: Sql, userId: string): Promise<Remain[]> {
  return db<Remain[]>`
    SELECT * FROM (
      SELECT 'webhook' AS kind, id, '' AS part FROM webhooks WHERE user_id = ${userId}
      UNION ALL SELECT 'payment_method', id, '' FROM payment_methods WHERE user_id = ${userId}
      UNION ALL SELECT 'membership', pool_id, ${userId} FROM pool_members WHERE user_id = ${userId}
      UNION ALL SELECT 'invitation', pool_id, id FROM pool_invitations WHERE user_id = ${userId} AND status = 'pending'
      UNION ALL SELECT 'own_invitation', i.pool_id, i.user_id FROM pool_invitations i JOIN pools p ON p.id = i.pool_id
        WHERE p.owner_id = ${userId} AND i.status = 'pending'
      UNION ALL SELECT 'pool', id, '' FROM pools WHERE owner_id = ${userId} AND NOT is_default
      UNION ALL SELECT 'project', id, '' FROM projects WHERE user_id = ${userId}
      UNION ALL SELECT 'codehost_link', user_id, '' FROM codehost_accounts WHERE user_id = ${userId} AND identity_id IS NOT NULL
      UNION ALL SELECT 'permission', c.id, permission ->> 'id' FROM containers c, jsonb_array_elements(c.permissions) permission
        WHERE c.permissions <> '[]' AND ${userId} IN (permission ->> 'id', permission ->> 'granted_by')
      UNION ALL SELECT 'notification', n.id, '' FROM notifications n WHERE n.inbox_id = ${userId}
    ) remains LIMIT ${REMAINS_MAX}`;
}
