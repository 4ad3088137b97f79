import { createHmac } from "node:crypto";

/**
 * A server that speaks the part of BTCPay's Greenfield API that we use: invoices, which it makes again whenever it is asked, and
 * webhooks with `BTCPay-Sig`.
 */

export interface FakeInvoice {
  readonly id: string;
  readonly amount: string;
  paidAmount: string;
  readonly currency: string;
  status: "New" | "Processing" | "Expired" | "Invalid" | "Settled";
  additionalStatus: "None" | "PaidLate" | "PaidPartial" | "Marked" | "Invalid" | "PaidOver";
  readonly checkoutLink: string;
  readonly createdTime: number;
  readonly metadata: Record<string, unknown>;
  readonly checkout: Record<string, unknown>;
}

export const BTCPAY = { key: "btcpay-key", store: "Store1" };

export function startBtcpay() {
  const invoices: FakeInvoice[] = [];
  const state = { mode: "up" as "up" | "down" | "loses-answers" | "makes-and-hangs" };
  const path = `/api/v1/stores/${BTCPAY.store}/invoices`;

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (state.mode === "down") return new Response("down", { status: 503 });
      if (request.headers.get("authorization") !== `token ${BTCPAY.key}`)
        return Response.json({ code: "unauthenticated" }, { status: 401 });
      if (request.method === "POST" && pathname === path) {
        const invoice = make((await request.json()) as Asked, server.url.origin, invoices.length);
        invoices.push(invoice);
        if (state.mode === "makes-and-hangs") await new Promise(() => undefined);
        return state.mode === "loses-answers" ? new Response("", { status: 502 }) : Response.json(invoice);
      }
      if (pathname === path) {
        const orders = searchParams.getAll("orderId");
        return Response.json(
          invoices.filter(({ metadata }) => orders.includes(String(metadata.orderId))).reverse(),
        );
      }
      const invoice = invoices.find(({ id }) => pathname === `${path}/${id}`);
      return invoice === undefined
        ? Response.json({ code: "invoice-not-found" }, { status: 404 })
        : Response.json(invoice);
    },
  });

  return {
    url: server.url.origin,
    invoices,
    state,
    /** A webhook about an invoice, signed. */
    event(secret: string, type: string, invoice: Pick<FakeInvoice, "id">, deliveryId = crypto.randomUUID()) {
      const body = JSON.stringify({
        deliveryId,
        webhookId: "hook",
        originalDeliveryId: deliveryId,
        isRedelivery: false,
        type,
        timestamp: Math.floor(Date.now() / 1000),
        storeId: BTCPAY.store,
        invoiceId: invoice.id,
      });
      const digest = createHmac("sha256", secret).update(body).digest("hex");
      return { body, headers: { "btcpay-sig": `sha256=${digest}` } };
    },
    stop: () => server.stop(true),
  };
}

type Asked = Pick<FakeInvoice, "amount" | "currency" | "metadata" | "checkout">;

function make(asked: Asked, origin: string, number: number): FakeInvoice {
  const id = `Invoice${number}${crypto.randomUUID().slice(0, 8)}`;
  return {
    ...asked,
    id,
    paidAmount: "0",
    status: "New",
    additionalStatus: "None",
    checkoutLink: `${origin}/i/${id}`,
    createdTime: 1_700_000_000 + number,
  };
}
