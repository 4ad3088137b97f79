import type { Operator } from "../../../schemas/accounts/audit.ts";
import type { StockRefusal } from "../../../schemas/market/stock-import.ts";
import { integer, json, nullable, text, timestamp } from "../../runtime/columns.ts";
import { rootTable } from "../../runtime/table.ts";

export interface StockImportState {
  readonly status: "preparing" | "applying" | "applied" | "refused";
  readonly digest: string;
  readonly serverIds: readonly string[];
  readonly awaited: number;
  readonly refusals: readonly StockRefusal[];
  readonly operator: Operator | null;
  readonly createdAt: Date;
}

export const stockImportTable = rootTable<StockImportState>("stock_imports", {
  key: "id",
  changedAt: "updated_at",
  fields: {
    status: text("status"),
    digest: text("digest"),
    serverIds: json("server_ids"),
    awaited: integer("awaited"),
    refusals: json("refusals"),
    operator: nullable(json("operator")),
    createdAt: timestamp("created_at"),
  },
});
