import type { GeneralBalance } from "../../../schemas/billing/wallet.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { fromCents } from "../../platform/money.ts";
import type { Charged } from "./rules.ts";

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

/** How much was refunded of each charge of these users that was: user → charges, with the sum of their refunds. */
export async function readRefunded(db: Sql, userIds: readonly string[]): Promise<Map<string, Charged[]>> {
  const rows = await db<{ user_id: string; id: string; cents: bigint }[]>`
    SELECT user_id, refund_of AS id, sum(amount_cents)::bigint AS cents FROM transactions
    WHERE user_id = ANY (${[...userIds]}::text[]) AND refund_of IS NOT NULL GROUP BY user_id, refund_of`;
  const byUser = Map.groupBy(rows, (row) => row.user_id);
  return new Map([...byUser].map(([id, charges]) => [id, charges.map(({ id, cents }) => ({ id, cents }))]));
}
