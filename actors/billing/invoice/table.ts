import { safeInteger } from "../../runtime/columns.ts";
import { rootTable } from "../../runtime/table.ts";

/** The invoice book of a year: the number of its last invoice. */
export interface Book {
  readonly lastNumber: number;
}

export const invoiceBookTable = rootTable<Book>("invoice_books", {
  key: "year",
  changedAt: "updated_at",
  fields: { lastNumber: safeInteger("last_number") },
});
