import { Type } from "@sinclair/typebox";
import { type BillingDetails, type InvoiceItem, StoredBuyer } from "../../../schemas/billing/invoice.ts";
import { TransactionType } from "../../../schemas/billing/transaction.ts";
import { Id, Nullable, Strict, Timestamp } from "../../../schemas/primitives.ts";
import { dollars } from "../../platform/money.ts";

/** The data for an invoice: a transaction of the ledger and its user. Amounts in cents. */
export const Billed = Strict({
  transaction_id: Id,
  transaction_type: TransactionType,
  user_id: Id,
  amount_cents: Type.Integer({ minimum: 1 }),
  /** The platform's fee, a part of the amount. */
  fee_cents: Type.Integer({ minimum: 0 }),
  /** The source of a top-up: `cardpay`, `cryptopay`. */
  provider: Nullable(Type.String()),
  currency: Type.String(),
  reason: Type.String(),
  /** The charge that the transaction refunds. */
  refunded: Type.Optional(
    Nullable(Strict({ reason: Type.String(), invoice_number: Nullable(Type.String()) })),
  ),
  paid_at: Timestamp,
  /** With the billing details of the account at this moment. Hosts of an earlier version keep them as well. */
  buyer: StoredBuyer,
});
export type Billed = typeof Billed.static;

/** The year of a series. */
export const yearOf = (series: string): string => series.slice(series.indexOf("-") + 1);

/** `INV-2026-000001`. Past a million a year the number grows longer. */
export const invoiceNumber = (series: string, number: number): string =>
  `${series}-${String(number).padStart(6, "0")}`;

/** The items of an invoice; they sum to its amount. */
export function itemsOf(billed: Billed): InvoiceItem[] {
  const item = (type: string, description: string, cents: number): InvoiceItem => ({
    type,
    description,
    amount: dollars(BigInt(cents)),
  });
  if (billed.fee_cents === 0) {
    return [item(billed.transaction_type, descriptionOf(billed), billed.amount_cents)];
  }
  const net = billed.amount_cents - billed.fee_cents;
  return [
    // The fee on one cent may be the whole cent.
    ...(net > 0 ? [item("ai_credit", billed.reason, net)] : []),
    item("fee", "Platform fee", billed.fee_cents),
  ];
}

/** A credit note names what it corrects: the sale, and its invoice if there is one. */
function descriptionOf({ reason, refunded }: Billed): string {
  if (refunded === undefined || refunded === null) return reason;
  const invoice = refunded.invoice_number === null ? "" : `${refunded.invoice_number}, `;
  return `${reason} (refund of ${invoice}${refunded.reason})`;
}

/** The payment details: purchases are paid from the wallet, top-ups through their provider. */
export function billingDetailsOf({ transaction_type, provider }: Billed): BillingDetails {
  if (transaction_type === "credit") return { payment_method: "Credit", payment_method_type: "credit" };
  if (transaction_type === "bonus") return { payment_method: "Bonus", payment_method_type: "bonus" };
  if (transaction_type === "top_up" && provider !== null) {
    return { payment_method: PROVIDERS[provider] ?? provider, payment_method_type: provider };
  }
  return { payment_method: "Wallet balance", payment_method_type: "wallet" };
}

const PROVIDERS: Readonly<Record<string, string>> = { cardpay: "Card", cryptopay: "Cryptocurrency" };

/** The time of issue, limited to the year of the book: at the turn of the year two machines' clocks may differ. */
export function issuedAt(year: string, now: Date): Date {
  const first = Date.parse(`${year}-01-01T00:00:00.000Z`);
  const last = Date.parse(`${year}-12-31T23:59:59.999Z`);
  return new Date(Math.min(Math.max(now.getTime(), first), last));
}
