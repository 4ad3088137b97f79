import { safeInteger } from "../../runtime/columns.ts";
import { rootTable } from "../../runtime/table.ts";

/** The book of a series: the number of its last invoice or credit note. */
export interface Book {
  readonly lastNumber: number;
}

export const invoiceBookTable = rootTable<Book>("invoice_books", {
  key: "series",
  changedAt: "updated_at",
  fields: { lastNumber: safeInteger("last_number") },
});
