import type { AiUsageStatus } from "../../../schemas/billing/ai-credit.ts";
import type { Balances } from "../../../schemas/billing/wallet.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { fromCents, fromMicros } from "../../platform/money.ts";
import type { Reading } from "./provider/provider.ts";

/** A wallet's AI credit, and the limit that the provider has. */
export interface CreditRecord {
  readonly generalCents: bigint;
  /** The limit that the provider should have. */
  readonly limitMicros: bigint;
  /** Null until there is a key at this provider. */
  readonly keyId: string | null;
  readonly syncedMicros: bigint;
  readonly createdWithMicros: bigint | null;
}

/** A user's wallet and key at a provider. A user who never had money has zeros, and the key of a deleted account has no limit left. */
export async function readCredit(db: Sql, userId: string, provider: string): Promise<CreditRecord> {
  const [row] = await db<
    {
      general_cents: bigint | null;
      ai_limit_micros: bigint | null;
      key_id: string | null;
      synced_micros: bigint | null;
      created_with_micros: bigint | null;
    }[]
  >`
    SELECT w.general_cents, CASE WHEN d.id IS NULL THEN w.ai_limit_micros ELSE 0 END AS ai_limit_micros, a.key_id, a.synced_micros, a.created_with_micros
    FROM (SELECT ${userId}::text AS id) u
    LEFT JOIN wallets w ON w.user_id = u.id
    LEFT JOIN ai_credits a ON a.user_id = u.id AND a.provider = ${provider}
    LEFT JOIN accounts d ON d.id = u.id AND d.deletion IS NOT NULL`;
  return {
    generalCents: row?.general_cents ?? 0n,
    limitMicros: row?.ai_limit_micros ?? 0n,
    keyId: row?.key_id ?? null,
    syncedMicros: row?.synced_micros ?? 0n,
    createdWithMicros: row?.created_with_micros ?? null,
  };
}

/**
 * The balances as they are shown. Without a reading the usage and the remaining credit are unknown, and both are
 * shown as zero: credit that may be spent already must not look spendable (spec §2 "Wallet records").
 */
export function balancesOf(
  { generalCents, limitMicros }: CreditRecord,
  reading: Reading | Exclude<AiUsageStatus, "live">,
): Balances {
  const known = typeof reading === "object" ? reading : undefined;
  return {
    general_balance: fromCents(generalCents),
    ai_limit: fromMicros(limitMicros),
    ai_usage: fromMicros(known?.usageMicros ?? 0n),
    ai_remaining: fromMicros(known === undefined ? 0n : remainingOf(known, limitMicros)),
    ai_usage_status: typeof reading === "object" ? "live" : reading,
  };
}

/** The credit that the provider still lets the user spend; never more than the wallet's own limit. */
function remainingOf({ limitMicros, usageMicros }: Reading, walletMicros: bigint): bigint {
  const limit = limitMicros === null || limitMicros > walletMicros ? walletMicros : limitMicros;
  return limit > usageMicros ? limit - usageMicros : 0n;
}

/**
 * Reads a page of wallets in the order of their ids; returns the last id, and the users whose limit the provider
 * lacks. It scans a page at a time instead of using an index, which would make every transfer more expensive.
 */
export async function readUnsynced(
  db: Sql,
  provider: string,
  after: string,
  page: number,
): Promise<{ last: string | null; behind: string[] }> {
  const [row] = await db<{ last: string | null; behind: string[] | null }[]>`
    WITH page AS (
      SELECT user_id, ai_limit_micros FROM wallets WHERE user_id > ${after} ORDER BY user_id LIMIT ${page})
    SELECT max(page.user_id) AS last, array_agg(page.user_id) FILTER (
      WHERE CASE WHEN d.id IS NULL
        THEN page.ai_limit_micros > 0 AND (a.key_id IS NULL OR a.synced_micros <> page.ai_limit_micros)
        ELSE a.key_id IS NOT NULL AND a.synced_micros <> 0 END) AS behind
    FROM page LEFT JOIN ai_credits a ON a.user_id = page.user_id AND a.provider = ${provider}
      LEFT JOIN accounts d ON d.id = page.user_id AND d.deletion IS NOT NULL`;
  return { last: row?.last ?? null, behind: row?.behind ?? [] };
}

interface SandboxKey {
  id: string;
  limit_micros: bigint;
  usage_micros: bigint;
}

/** The rows of the provider `sandbox`. */
export const sandboxKeys = {
  async insert(db: Sql, id: string, name: string, limitMicros: bigint): Promise<string> {
    const [row] = await db<{ id: string }[]>`
      INSERT INTO sandbox_ai_keys (id, name, limit_micros) VALUES (${id}, ${name}, ${limitMicros.toString()})
      ON CONFLICT (name) DO UPDATE SET limit_micros = excluded.limit_micros RETURNING id`;
    return row?.id ?? id;
  },
  async find(db: Sql, name: string): Promise<string | undefined> {
    const [row] = await db<{ id: string }[]>`SELECT id FROM sandbox_ai_keys WHERE name = ${name}`;
    return row?.id;
  },
  async setLimit(db: Sql, id: string, limitMicros: bigint): Promise<boolean> {
    const rows = await db`
      UPDATE sandbox_ai_keys SET limit_micros = ${limitMicros.toString()} WHERE id = ${id} RETURNING id`;
    return rows.length === 1;
  },
  /** The usage grows by `microsPerMinute` for each whole minute since the key was created. */
  async read(db: Sql, id: string, microsPerMinute: number): Promise<Reading | undefined> {
    const [row] = await db<SandboxKey[]>`
      SELECT id, limit_micros, least(greatest(limit_micros, usage_micros), usage_micros +
        floor(extract(epoch FROM now() - created_at) / 60)::bigint * ${microsPerMinute}::bigint) AS usage_micros
      FROM sandbox_ai_keys WHERE id = ${id}`;
    return row && { limitMicros: row.limit_micros, usageMicros: row.usage_micros };
  },
};
