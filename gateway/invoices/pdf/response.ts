import { Type } from "@sinclair/typebox";
import type { Invoice } from "../../../schemas/billing/invoice.ts";

/** A PDF takes some 20 ms of the gateway's only thread, so one user can occupy it for 2 s of a minute. */
export const PDFS_PER_USER = { name: "invoice-pdf", limit: 100, windowSeconds: 60 };

export const Pdf = Type.Unsafe<Response>(
  Type.String({ contentMediaType: "application/pdf", description: "the invoice" }),
);

export async function pdfResponse(invoice: Invoice): Promise<Response> {
  // The libraries for fonts and PDF would take half of a gateway's start-up time, so the first invoice loads them.
  const { renderInvoice } = await import("./index.ts");
  return new Response(new Uint8Array(await renderInvoice(invoice)), {
    headers: {
      "content-type": "application/pdf",
      "content-disposition": `attachment; filename="${invoice.invoice_number}.pdf"`,
    },
  });
}
