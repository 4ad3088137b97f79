import { Elysia } from "elysia";
import {
  listInvoices,
  readBilled,
  readInvoice,
  readIssued,
} from "../../../actors/billing/invoice/queries.ts";
import {
  INVOICES_LIMIT,
  INVOICES_SORT,
  type Invoice,
  InvoiceReply,
  InvoicesQuery,
  InvoicesReply,
  type IssuedInvoice,
  IssuedInvoiceReply,
  seriesOf,
} from "../../../schemas/billing/invoice.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { created, errors, ok } from "../../http/envelope.ts";
import { numberedPage, numberedPagination, ownList } from "../../http/paging.ts";
import { enforceLimit, RateLimiter } from "../../http/rate-limit.ts";
import { invoiceConditions, invoiceSort } from "../../invoices/filter.ts";
import { PDFS_PER_USER, Pdf, pdfResponse } from "../../invoices/pdf/response.ts";

/** The transaction identifies the request, so an idempotency key has no effect. */
const WITHOUT_KEY = { "x-idempotency-key": false };

/** Invoices of the caller's transactions (spec, control plane §4.8). */
export const invoiceRoutes = ({ db, actors, credentials, newId }: GatewayContext) => {
  const pdfs = new RateLimiter(PDFS_PER_USER);

  const own = async (userId: string, id: string): Promise<Invoice> => {
    const invoice = await readInvoice(db, userId, id);
    if (invoice === undefined) throw new DomainError("INVOICE_NOT_FOUND", "Invoice not found");
    return invoice;
  };

  /** The invoice of a transaction; it is issued if there is none. */
  const issue = async (
    userId: string,
    transactionId: string,
  ): Promise<IssuedInvoice & { readonly isNew: boolean }> => {
    const existing = await readIssued(db, userId, transactionId);
    if (existing !== undefined) return { ...existing, isNew: false };
    const billed = await readBilled(db, userId, transactionId);
    if (billed === undefined) throw new DomainError("TRANSACTION_NOT_FOUND", "Transaction not found");
    const invoice_id = newId();
    const book = actors.invoice_book(seriesOf(billed.transaction_type, new Date().getUTCFullYear()));
    try {
      const { value } = await book.issue({ invoice_id, billed }, { key: transactionId, hasClientKey: true });
      // A concurrent request may have issued it under another id.
      return { ...value, isNew: value.invoice_id === invoice_id };
    } catch (error) {
      // At the turn of the year the invoice may be in the other year's book.
      const isThere = error instanceof DomainError && error.code === "INVOICE_EXISTS";
      const other = isThere ? await readIssued(db, userId, transactionId) : undefined;
      if (other === undefined) throw error;
      return { ...other, isNew: false };
    }
  };

  const reading = new Elysia()
    .use(signedIn(credentials, "wallet.read"))
    .get(
      "/",
      async ({ caller, query }) => {
        const asked = { ...query, sort_by: invoiceSort(query.sort_by) };
        const page = numberedPage(ownList("invoices", caller), asked, INVOICES_LIMIT, INVOICES_SORT);
        const conditions = invoiceConditions(query.filter);
        const { rows, next, total } = await listInvoices(db, caller.userId, conditions, page);
        return ok("Invoices", { invoices: rows, pagination: numberedPagination(page, next, total) });
      },
      {
        query: InvoicesQuery,
        response: { 200: InvoicesReply },
        detail: { summary: "Your invoices, without their items and billing details" },
      },
    )
    .get("/:id", async ({ caller, params }) => ok("Invoice", await own(caller.userId, params.id)), {
      params: IdParams,
      response: { 200: InvoiceReply, ...errors("INVOICE_NOT_FOUND") },
      detail: { summary: "An invoice" },
    })
    .get(
      "/:id/pdf",
      async ({ caller, params, set }) => {
        const invoice = await own(caller.userId, params.id);
        enforceLimit(pdfs, caller.userId, set.headers);
        return pdfResponse(invoice);
      },
      {
        params: IdParams,
        response: { 200: Pdf, ...errors("INVOICE_NOT_FOUND", "RATE_LIMITED") },
        detail: {
          summary: "An invoice as PDF; every request gets the same bytes",
          "x-no-example": "the reply is a PDF",
        },
      },
    );

  const writing = new Elysia().use(signedIn(credentials, "wallet.spend")).post(
    "/generate/:id",
    async ({ caller, params }) => {
      const { isNew, ...invoice } = await issue(caller.userId, params.id);
      return isNew ? created("Invoice created", invoice) : ok("Invoice exists", invoice);
    },
    {
      params: IdParams,
      response: { 200: IssuedInvoiceReply, 201: IssuedInvoiceReply, ...errors("TRANSACTION_NOT_FOUND") },
      detail: {
        summary: "The invoice of a transaction; it is issued if there is none",
        description:
          "The invoice of a refund is a credit note. Invoices (`INV-2026-000001`) and credit notes (`CN-2026-000001`) are numbered apart, each without gaps within the year of issue. 201 for the request that issued the invoice, 200 for all others.",
        ...WITHOUT_KEY,
      },
    },
  );

  return new Elysia({ prefix: "/api/v1/wallet/invoices", detail: { tags: ["Invoices"] } })
    .use(reading)
    .use(writing);
};
