import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { CursorPagination, numberedQuery, Pagination } from "../paging.ts";
import { Id, Nullable, Strict, Timestamp } from "../primitives.ts";
import { SortOrder, sorting } from "../sorting.ts";
import { BilledParty } from "./billing-details.ts";
import { TransactionType, UsdNumber } from "./transaction.ts";

/** Invoices of a user's transactions (spec, control plane §2 "Wallet records", §4.8). */

export const InvoiceItem = Type.Object({
  type: Type.String({ description: "the transaction's type; for a transfer `ai_credit` and `fee`" }),
  description: Type.String(),
  amount: UsdNumber,
});
export type InvoiceItem = Static<typeof InvoiceItem>;

/** How it was paid and, where the account had billing details when the invoice was issued, whom it is made out to. */
export const BillingDetails = Type.Object({
  payment_method: Type.String({ description: "in words", examples: ["Wallet balance"] }),
  payment_method_type: Type.String({
    description:
      "`wallet`, `credit` or `bonus` for the platform's own, else the provider: `cardpay`, `cryptopay`",
  }),
  ...Type.Partial(BilledParty).properties,
});
export type BillingDetails = Static<typeof BillingDetails>;

/** The seller: a name, and lines for an address and other legally required particulars. */
export const Seller = Type.Object({ name: Type.String(), details: Type.Array(Type.String()) });
export type Seller = Static<typeof Seller>;

export const Buyer = Type.Object({ username: Type.String(), email: Type.String() });

/** The buyer as an invoice keeps it. `billing` is in no reply: it is shown as part of the billing details. */
export const StoredBuyer = Type.Object({
  ...Buyer.properties,
  billing: Type.Optional(BilledParty),
});
export type Buyer = Static<typeof Buyer>;

/** The sale whose money a credit note returns. */
export const CorrectedSale = Type.Object({
  reason: Type.String({ description: "what was sold" }),
  invoice_number: Nullable(Type.String({ description: "of the sale's own invoice; null: it has none" })),
});

/** What an invoice is for. */
export const InvoicedTransaction = Type.Object({
  id: Id,
  transaction_type: TransactionType,
  reason: Type.String({
    description: "what was bought, returned or added",
    examples: ["small-2 for 7 more days"],
  }),
  status: Type.String(),
  amount: UsdNumber,
  currency: Type.String(),
  created_at: Timestamp,
});

const listed = {
  id: Id,
  user_id: Id,
  transaction_id: Id,
  invoice_number: Type.String({
    description:
      "without gaps within the year of issue: `INV-` for invoices, `CN-` for credit notes, each in a series of its own",
    examples: ["INV-2026-000001"],
  }),
  status: Type.String({ description: "`paid`" }),
  amount: UsdNumber,
  currency: Type.String({ examples: ["USD"] }),
  issue_date: Timestamp,
  due_date: Timestamp,
  paid_date: Timestamp,
  created_at: Timestamp,
  updated_at: Timestamp,
  transaction: InvoicedTransaction,
  credit_note_for: Nullable(
    Type.Unsafe<Static<typeof CorrectedSale>>({
      ...CorrectedSale,
      description:
        "what was returned, of a credit note: `amount` went back to the balance. null: of an invoice",
    }),
  ),
};

export const ListedInvoice = Type.Object(listed);
export type ListedInvoice = Static<typeof ListedInvoice>;

export const Invoice = Type.Object({
  ...listed,
  seller: Seller,
  buyer: Buyer,
  billing_details: BillingDetails,
  items: Type.Array(InvoiceItem, { description: "their amounts add up to the invoice's amount" }),
});
export type Invoice = Static<typeof Invoice>;

/** The fields that invoices can be sorted and filtered by, with their kind. */
export const INVOICE_FIELDS = {
  id: "text",
  invoice_number: "text",
  status: "text",
  amount: "number",
  currency: "text",
  issue_date: "time",
  due_date: "time",
  paid_date: "time",
  created_at: "time",
  updated_at: "time",
  user_id: "text",
  transaction_id: "text",
} as const;
export type InvoiceField = keyof typeof INVOICE_FIELDS;

export const FILTER_OPERATORS = ["eq", "ne", "gt", "gte", "lt", "lte", "like", "in"] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** A calendar day in UTC: `from` belongs to it, `until` to the next one. */
export interface Day {
  readonly from: Date;
  readonly until: Date;
}
/** What a field of an invoice can equal. A time equals the day that it is in. */
export type InvoiceValue = string | number | Date | Day;
type Ordering = "gt" | "gte" | "lt" | "lte";

/** One comparison of a filter; an invoice must meet all of them. */
export type InvoiceCondition = { readonly field: InvoiceField } & (
  | { readonly operator: "eq" | "ne"; readonly value: InvoiceValue }
  | { readonly operator: Ordering; readonly value: string | number | Date }
  | { readonly operator: "like"; readonly value: string }
  | { readonly operator: "in"; readonly values: readonly InvoiceValue[] }
);

export const INVOICES_LIMIT = { standard: 20, max: 100 } as const;
/** Three times the size of a filter with every operator on every field. */
export const FILTER_LENGTH_MAX = 8_192;
/** Values of one `in`: enough for a page of ids. */
export const FILTER_VALUES_MAX = 100;

/** Amounts are stored as whole cents. */
export const INVOICES_SORT = sorting("-created_at", { ...INVOICE_FIELDS, amount: "integer" });
export const InvoicesQuery = Strict({
  ...numberedQuery(INVOICES_LIMIT, INVOICES_SORT),
  sort_by: Type.Optional(
    Type.String({
      description: `one of ${Object.keys(INVOICE_FIELDS).join(", ")}; anything else is created_at`,
    }),
  ),
  sort_order: Type.Optional(SortOrder),
  filter: Type.Optional(
    Type.String({
      maxLength: FILTER_LENGTH_MAX,
      description:
        "a JSON object over the fields that a list can be sorted by. Each value is a literal or an object of operators: " +
        "`eq`, `ne`, `gt`, `gte`, `lt`, `lte`, `in` (a list of 1 to " +
        `${FILTER_VALUES_MAX}), and \`like\`: a pattern in which \`%\` stands for any text and \`_\` for any character, compared in ` +
        "any case of letters. To `like` amounts are text such as `25.00`, and dates such as `2026-01-31T09:30:00.000Z`. Elsewhere " +
        'an amount is a number or its text (`10` or `"10.00"`); a date is ISO 8601 with a zone, or a day such as `2026-01-31`, which is ' +
        "all of that day in UTC: `lte` includes it, `gt` begins after it. Everything must hold; only your own invoices are looked through",
      examples: [
        '{"amount":{"gte":10,"lt":50.5},"issue_date":{"gte":"2026-01-01"},"invoice_number":{"like":"%2026%"}}',
      ],
    }),
  ),
});

export const InvoiceReply = Reply(Invoice);
export const InvoicesReply = Reply(
  Type.Object({ invoices: Type.Array(ListedInvoice), pagination: Pagination }),
);
/** Of one user, for operators. */
export const ManagedInvoicesReply = Reply(
  Type.Object({
    invoices: Type.Array(ListedInvoice),
    total: Type.Integer(),
    pagination: CursorPagination,
  }),
);
export const IssuedInvoice = Type.Object({ invoice_id: Id, invoice_number: Type.String() });
export type IssuedInvoice = Static<typeof IssuedInvoice>;
export const IssuedInvoiceReply = Reply(IssuedInvoice);

export const InvoiceOfUserParams = Strict({ id: Id, invoiceId: Id });

/** The series that numbers a transaction's invoice in a year, `INV-2026`; that of a refund is a credit note, in `CN-2026`. */
export const seriesOf = (type: string, year: number): string => `${type === "refund" ? "CN" : "INV"}-${year}`;
