import { createHash } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { PaymentProviderName } from "../../schemas/billing/top-up.ts";
import { EmptyReply } from "../../schemas/envelope.ts";
import { DomainError } from "../../schemas/errors.ts";
import { open } from "../auth/guards.ts";
import type { GatewayContext } from "../context.ts";
import { done, errors } from "../http/envelope.ts";
import { disabled, unavailable } from "./open.ts";
import { type PaymentEvent, type PaymentProvider, ProviderError } from "./provider.ts";

/** Events of processors have a few KiB. */
const CALLBACK_BYTES_MAX = 256 * 1024;
const INTENT_ID = /^[0-9a-f]{24}$/;

/**
 * Callbacks of payment processors (spec, control plane §6; design §3 "Payments"). Only the signature over the bytes
 * identifies the sender. After a reply other than 200 the processor sends the callback again.
 */
export const paymentCallbacks = (context: GatewayContext) => {
  const { actors, payments, log } = context;

  const read = async (
    name: PaymentProviderName,
    provider: PaymentProvider,
    body: Uint8Array,
    headers: Headers,
  ) => {
    try {
      return await provider.verifyCallback({ body, headers });
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      log.warn({ err: error }, "a payment processor could not be asked about its callback");
      throw unavailable(name);
    }
  };

  const dispatchEvent = async (
    name: PaymentProviderName,
    { adapter }: PaymentProvider,
    event: PaymentEvent,
  ) => {
    if (!INTENT_ID.test(event.intentId)) throw notFound();
    const topUp = actors.top_up(event.intentId);
    const from = { provider: name, adapter, session_id: event.sessionId };
    // An event that comes again in time is known by its id; later, by what has become of the intent.
    const once = { key: createHash("sha256").update(event.eventId).digest("hex") };
    if (event.outcome !== "settled") return topUp.end({ ...from, outcome: event.outcome }, once);
    const { paidCents, currency, reported, isFinal } = event;
    return topUp.settle({ ...from, paid_cents: paidCents, currency, reported, is_final: isFinal }, once);
  };

  const callback = (name: PaymentProviderName) =>
    new Elysia()
      .use(
        open("the signature over the body authenticates the processor", {
          counted: "callbacks",
          body: "bytes",
          bodyBytesMax: CALLBACK_BYTES_MAX,
        }),
      )
      .post(
        `/${name}`,
        async ({ body, request }) => {
          const provider = payments.providers[name]?.provider;
          if (provider === undefined) throw disabled(name);
          const event = await read(name, provider, body, request.headers);
          if (event === null) return done("Ignored: the event is not one of a payment intent");
          await dispatchEvent(name, provider, event).catch((error) => {
            if (error instanceof DomainError && error.code === "PAYMENT_INTENT_NOT_FOUND")
              log.error({ provider: name, event }, "a callback names an unknown payment intent");
            throw error;
          });
          return done("Received");
        },
        {
          body: Type.Uint8Array(),
          response: {
            200: EmptyReply,
            ...errors(
              "INVALID_SIGNATURE",
              "PAYMENT_INTENT_NOT_FOUND",
              "PAYMENT_PROVIDER_DISABLED",
              "PAYMENT_PROVIDER_UNAVAILABLE",
            ),
          },
          detail: {
            summary: `Callback of the processor behind ${name}: a payment was settled, failed or expired`,
            description:
              "Signed by the processor's own scheme over the bytes of the body: Standard Webhooks (sandbox), `Stripe-Signature` " +
              "or `BTCPay-Sig`. A repeated callback changes nothing.",
            "x-idempotency-key": false,
          } as object,
        },
      );

  return new Elysia({ prefix: "/api/v1/callbacks", detail: { tags: ["Callbacks"] } })
    .use(callback("cardpay"))
    .use(callback("cryptopay"));
};

const notFound = () => new DomainError("PAYMENT_INTENT_NOT_FOUND", "Payment intent not found");
