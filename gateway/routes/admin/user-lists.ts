import { Elysia } from "elysia";
import { readManagedUser } from "../../../actors/accounts/account/users/queries.ts";
import { listInvoices, readInvoice } from "../../../actors/billing/invoice/queries.ts";
import { listReservations } from "../../../actors/market/reservation/queries.ts";
import { InvoiceOfUserParams, ManagedInvoicesReply } from "../../../schemas/billing/invoice.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { ManagedReservationsReply } from "../../../schemas/market/offer.ts";
import { LIST_PAGE, listQuery } from "../../../schemas/paging.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { AMOUNTS_NEWEST_FIRST, NEWEST_FIRST } from "../../../schemas/sorting.ts";
import { admin } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";
import { cursorPagination, listPage } from "../../http/paging.ts";
import { enforceLimit, RateLimiter } from "../../http/rate-limit.ts";
import { PDFS_PER_USER, Pdf, pdfResponse } from "../../invoices/pdf/response.ts";

/** What a user has ordered, and the invoices of it, for administrators. */
export const adminUserListRoutes = ({ db, credentials }: GatewayContext) => {
  const requireUser = async (id: string) => {
    if ((await readManagedUser(db, id)) === undefined)
      throw new DomainError("USER_NOT_FOUND", "User not found");
  };

  const pdfs = new RateLimiter(PDFS_PER_USER);

  return new Elysia({ prefix: "/api/v1/admin/users/:id", detail: { tags: ["Administration"] } })
    .use(admin(credentials))
    .get(
      "/reservations",
      async ({ params, query }) => {
        await requireUser(params.id);
        const page = listPage(`admin/users/${params.id}/reservations`, query, LIST_PAGE, NEWEST_FIRST);
        const { rows: reservations, total, next } = await listReservations(db, params.id, page);
        return ok("Reservations", { reservations, total, pagination: cursorPagination(page, next) });
      },
      {
        params: IdParams,
        query: listQuery(NEWEST_FIRST),
        response: { 200: ManagedReservationsReply, ...errors("USER_NOT_FOUND") },
        detail: {
          summary: "A user's reservations, newest first, also those that were delivered or cancelled",
        },
      },
    )
    .get(
      "/invoices",
      async ({ params, query }) => {
        await requireUser(params.id);
        const page = listPage(`admin/users/${params.id}/invoices`, query, LIST_PAGE, AMOUNTS_NEWEST_FIRST);
        const { rows: invoices, total, next } = await listInvoices(db, params.id, [], page);
        return ok("Invoices", { invoices, total, pagination: cursorPagination(page, next) });
      },
      {
        params: IdParams,
        query: listQuery(AMOUNTS_NEWEST_FIRST),
        response: { 200: ManagedInvoicesReply, ...errors("USER_NOT_FOUND") },
        detail: { summary: "A user's invoices, newest first" },
      },
    )
    .get(
      "/invoices/:invoiceId/pdf",
      async ({ params, caller, set }) => {
        const invoice = await readInvoice(db, params.id, params.invoiceId);
        if (invoice === undefined) throw new DomainError("INVOICE_NOT_FOUND", "Invoice not found");
        enforceLimit(pdfs, caller.userId, set.headers);
        return pdfResponse(invoice);
      },
      {
        params: InvoiceOfUserParams,
        response: { 200: Pdf, ...errors("INVOICE_NOT_FOUND", "RATE_LIMITED") },
        detail: {
          summary: "A user's invoice as PDF; every request gets the same bytes",
          "x-no-example": "the reply is a PDF",
        },
      },
    );
};
