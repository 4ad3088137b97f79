import { boolean, json, nullable, text, timestamp } from "../../runtime/columns.ts";
import { rootTable } from "../../runtime/table.ts";
import type { RentalState } from "./rules.ts";

export const rentalTable = rootTable<RentalState>("rentals", {
  key: "id",
  changedAt: "updated_at",
  fields: {
    serverId: text("server_id"),
    serverName: text("server_name"),
    userId: text("user_id"),
    poolId: nullable(text("pool_id")),
    status: text("status"),
    start: timestamp("rental_start"),
    end: timestamp("rental_end"),
    frozenPrices: nullable(json("frozen_prices")),
    livePrices: json("live_prices"),
    extending: nullable(json("extending")),
    extensionPayments: json("extension_payments"),
    autoExtension: nullable(json("auto_extension")),
    awaitsDelivery: boolean("awaits_delivery"),
    createdAt: timestamp("created_at"),
  },
});
