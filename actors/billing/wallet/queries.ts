import type { GeneralBalance } from "../../../schemas/billing/wallet.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { fromCents } from "../../platform/money.ts";

/**
 * The record of a user's general balance; its dates begin with the account's. Undefined for a user who does not
 * exist.
 */
export async function readGeneralBalance(db: Sql, userId: string): Promise<GeneralBalance | undefined> {
  const [row] = await db<{ general_cents: bigint; created_at: Date; updated_at: Date }[]>`
    SELECT coalesce(w.general_cents, 0) AS general_cents, a.created_at, coalesce(w.updated_at, a.created_at) AS updated_at
    FROM accounts a LEFT JOIN wallets w ON w.user_id = a.id
    WHERE a.id = ${userId}`;
  if (row === undefined) return undefined;
  return {
    // A user has one wallet, so the user's id identifies it.
    id: userId,
    user_id: userId,
    general_balance: fromCents(row.general_cents),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
