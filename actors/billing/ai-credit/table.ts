import { bigint, boolean, integer, nullable, text, timestamp } from "../../runtime/columns.ts";
import { rootTable } from "../../runtime/table.ts";
import type { AiCredit } from "./rules.ts";

export const aiCreditTable = rootTable<AiCredit>("ai_credits", {
  key: "user_id",
  changedAt: "updated_at",
  fields: {
    provider: text("provider"),
    keyId: nullable(text("key_id")),
    syncedMicros: bigint("synced_micros"),
    createdWithMicros: nullable(bigint("created_with_micros")),
    attempt: integer("attempt"),
    attemptAt: nullable(timestamp("attempt_at")),
    uncertain: boolean("uncertain"),
  },
});
