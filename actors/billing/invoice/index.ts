import { IssuedInvoice, type Seller } from "../../../schemas/billing/invoice.ts";
import { Id, Strict } from "../../../schemas/primitives.ts";
import { fromCents } from "../../platform/money.ts";
import { recordEvent } from "../../platform/record-event.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { Billed, billingDetailsOf, invoiceNumber, issuedAt, itemsOf, yearOf } from "./rules.ts";
import { type Book, invoiceBookTable } from "./table.ts";

const Issue = Strict({ invoice_id: Id, billed: Billed });

/** The invoices or the credit notes of a year, whose numbers have no gaps. Keyed by series: `INV-2026`, `CN-2026`. */
export const invoiceBookActor = (seller: Seller) =>
  actor("invoice_book", {
    table: invoiceBookTable,
    empty: (): Book => ({ lastNumber: 0 }),
    conflicts: {
      // Two requests around midnight on New Year's Eve may use the books of two years.
      invoices_transaction: { code: "INVOICE_EXISTS", message: "the transaction has an invoice" },
    },
    on: {
      /** Issues an invoice, with the transaction's id as the key: a repeated request gets the existing invoice. */
      issue: command(
        Issue,
        IssuedInvoice,
        ({ lastNumber }: Book, { invoice_id, billed }, ctx: Context<Book>) => {
          const number = lastNumber + 1;
          const invoice_number = invoiceNumber(ctx.actorId, number);
          const issued = issuedAt(yearOf(ctx.actorId), ctx.now);
          ctx.setState({ lastNumber: number });
          ctx.insert("invoices", {
            id: invoice_id,
            user_id: billed.user_id,
            transaction_id: billed.transaction_id,
            invoice_number,
            status: "paid",
            amount_cents: billed.amount_cents,
            currency: billed.currency,
            seller,
            buyer: billed.buyer,
            billing_details: billingDetailsOf(billed),
            items: itemsOf(billed),
            issue_date: issued,
            due_date: issued,
            paid_date: new Date(billed.paid_at),
            created_at: ctx.now,
            updated_at: ctx.now,
          });
          recordEvent(ctx, {
            event_type: "activity_log.invoice_issued",
            resource_id: invoice_id,
            user_id: billed.user_id,
            data: {
              invoice_number,
              transaction_id: billed.transaction_id,
              amount: fromCents(BigInt(billed.amount_cents)),
              ...(billed.transaction_type === "refund" ? { credit_note: true } : {}),
            },
          });
          return { invoice_id, invoice_number };
        },
        { fingerprint: () => "" },
      ),
    },
  });
