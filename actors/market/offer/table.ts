import { boolean, integer, json, safeInteger, text, timestamp } from "../../runtime/columns.ts";
import { rootTable } from "../../runtime/table.ts";
import type { OfferState } from "./rules.ts";

export const offerTable = rootTable<OfferState>("offers", {
  key: "id",
  changedAt: "updated_at",
  fields: {
    name: text("name"),
    leadTimeHours: integer("lead_time_hours"),
    pricingRules: json("pricing_rules"),
    setupFeeRules: json("setup_fee_rules"),
    setupFeeCents: safeInteger("setup_fee_cents"),
    specs: json("specs"),
    orderable: boolean("orderable"),
    createdAt: timestamp("created_at"),
  },
});
