import Stripe from "stripe";

/**
 * A server that speaks the part of Stripe's API that we use: Checkout Sessions with idempotency keys as Stripe documents them,
 * and webhooks signed by Stripe's own library.
 */

export interface FakeSession {
  readonly id: string;
  readonly url: string;
  readonly params: URLSearchParams;
}

export const STRIPE_KEY = "sk_test_berth";

export function startStripe() {
  const sessions: FakeSession[] = [];
  const byKey = new Map<string, { body: string; session: FakeSession }>();
  const requests: { key: string | null; version: string | null }[] = [];
  const state = { mode: "up" as "up" | "down" | "silent" | "refuse" | "loses-answers" | "makes-and-hangs" };

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request): Promise<Response> {
      const { pathname, origin } = new URL(request.url);
      const key = request.headers.get("idempotency-key");
      requests.push({ key, version: request.headers.get("stripe-version") });
      if (state.mode === "silent") await new Promise(() => undefined);
      if (state.mode === "down") return failure(503, "api_error", "we are down");
      if (request.headers.get("authorization") !== `Bearer ${STRIPE_KEY}` || state.mode === "refuse")
        return failure(401, "invalid_request_error", "Invalid API Key provided");
      if (request.method !== "POST" || pathname !== "/v1/checkout/sessions" || key === null)
        return failure(404, "invalid_request_error", "Unrecognized request URL");
      const body = await request.text();
      const known = byKey.get(key);
      if (known !== undefined && known.body !== body)
        return failure(
          400,
          "idempotency_error",
          "Keys for idempotent requests can only be used with the same parameters",
        );
      const session: FakeSession = known?.session ?? make(new URLSearchParams(body), origin);
      if (known === undefined) {
        byKey.set(key, { body, session });
        sessions.push(session);
      }
      if (state.mode === "makes-and-hangs") await new Promise(() => undefined);
      if (state.mode === "loses-answers") return new Response("", { status: 502 });
      return Response.json({ ...sessionObject(session), url: session.url });
    },
  });

  return {
    url: server.url.origin,
    sessions,
    requests,
    state,
    /** An event about a session, and the header that Stripe signs it with. */
    async event(
      secret: string,
      type: string,
      session: FakeSession,
      change: object = {},
      timestamp = Math.floor(Date.now() / 1000),
    ) {
      const body = JSON.stringify({
        id: `evt_${crypto.randomUUID()}`,
        object: "event",
        api_version: Stripe.API_VERSION,
        type,
        data: { object: { ...sessionObject(session), payment_status: "paid", ...change } },
      });
      const header = await Stripe.webhooks.generateTestHeaderStringAsync({
        payload: body,
        secret,
        timestamp,
      });
      return { body, headers: { "stripe-signature": header } };
    },
    stop: () => server.stop(true),
  };
}

function make(params: URLSearchParams, origin: string): FakeSession {
  const id = `cs_test_${crypto.randomUUID().replaceAll("-", "")}`;
  return { id, url: `${origin}/c/pay/${id}`, params };
}

const sessionObject = ({ id, params }: FakeSession) => ({
  id,
  object: "checkout.session",
  mode: params.get("mode"),
  amount_total: Number(params.get("line_items[0][price_data][unit_amount]")),
  currency: params.get("line_items[0][price_data][currency]"),
  client_reference_id: params.get("client_reference_id"),
  metadata: { berth_intent: params.get("metadata[berth_intent]") },
});

const failure = (status: number, type: string, message: string) =>
  Response.json({ error: { type, message } }, { status });
