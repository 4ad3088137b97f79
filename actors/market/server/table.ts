import { boolean, json, nullable, safeInteger, text, timestamp } from "../../runtime/columns.ts";
import { rootTable } from "../../runtime/table.ts";
import type { Server } from "./rules.ts";

export const serverTable = rootTable<Server>("servers", {
  key: "id",
  changedAt: "updated_at",
  fields: {
    name: text("name"),
    kind: text("kind"),
    parentId: nullable(text("parent_id")),
    status: text("status"),
    specs: json("specs"),
    specsRevision: safeInteger("specs_revision"),
    prices: json("prices"),
    setupFeeCents: safeInteger("setup_fee_cents"),
    rentalId: nullable(text("rental_id")),
    rentalPayment: nullable(json("rental_payment")),
    joinedAt: nullable(timestamp("joined_at")),
    deliveredByHand: boolean("delivered_by_hand"),
    prepared: nullable(json("prepared")),
    createdAt: timestamp("created_at"),
  },
});
