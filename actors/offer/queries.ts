import type { Sql } from "../db/sql.ts";
import type { Loaded } from "../runtime/definition.ts";

export interface Offer {
  readonly name: string;
  readonly leadTimeHours: number;
  /** Days of rent → price in USD, as text. */
  readonly pricingRules: Readonly<Record<string, string>>;
  /** Days of rent → setup fee in USD, as text; where a key is there it wins over `setupFeeCents`. */
  readonly setupFeeRules: Readonly<Record<string, string>>;
  readonly setupFeeCents: bigint;
  readonly specs: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

export async function loadOffers(db: Sql, ids: readonly string[]): Promise<Map<string, Loaded<Offer>>> {
  const rows = await db<
    {
      id: string;
      version: bigint;
      name: string;
      lead_time_hours: number;
      pricing_rules: Record<string, string>;
      setup_fee_rules: Record<string, string>;
      setup_fee_cents: bigint;
      specs: Record<string, unknown>;
      created_at: Date;
    }[]
  >`SELECT * FROM offers WHERE id = ANY (${[...ids]}::text[])`;
  return new Map(
    rows.map((row) => [
      row.id,
      {
        version: Number(row.version),
        state: {
          name: row.name,
          leadTimeHours: row.lead_time_hours,
          pricingRules: row.pricing_rules,
          setupFeeRules: row.setup_fee_rules,
          setupFeeCents: row.setup_fee_cents,
          specs: row.specs,
          createdAt: row.created_at,
        },
      },
    ]),
  );
}
