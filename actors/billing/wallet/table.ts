import { bigint, nullable } from "../../runtime/columns.ts";
import { related, rootTable } from "../../runtime/table.ts";
import { readRefunded } from "./queries.ts";
import type { Wallet } from "./rules.ts";

export const walletTable = rootTable<Wallet>("wallets", {
  key: "user_id",
  changedAt: "updated_at",
  fields: {
    generalCents: bigint("general_cents"),
    aiLimitMicros: bigint("ai_limit_micros"),
    lowBalanceCents: nullable(bigint("low_balance_cents")),
    refundedCents: related(
      { load: readRefunded },
      (charges) => new Map(charges.map(({ id, cents }) => [id, cents])),
    ),
  },
});
