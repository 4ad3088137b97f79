import { bigint } from "../../runtime/columns.ts";
import { rootTable } from "../../runtime/table.ts";
import type { Wallet } from "./rules.ts";

export const walletTable = rootTable<Wallet>("wallets", {
  key: "user_id",
  changedAt: "updated_at",
  fields: { generalCents: bigint("general_cents"), aiLimitMicros: bigint("ai_limit_micros") },
});
