import { Elysia } from "elysia";
import { listIntents, readIntent } from "../../../actors/billing/top-up/queries.ts";
import {
  CheckoutReply,
  CryptoInvoiceReply,
  INTENTS_PAGE,
  IntentReply,
  IntentsQuery,
  IntentsReply,
  PaymentAvailabilityReply,
  type PaymentIntent,
  type PaymentProviderName,
  TopUp,
} from "../../../schemas/billing/top-up.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { AMOUNTS_NEWEST_FIRST } from "../../../schemas/sorting.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { actorIdFor } from "../../http/actor-id.ts";
import { created, errors, ok } from "../../http/envelope.ts";
import { underReachedName } from "../../http/own-names.ts";
import { cursorPagination, listPage, ownList } from "../../http/paging.ts";
import { enforceLimit, RateLimiter } from "../../http/rate-limit.ts";
import type { Operation } from "../../idempotency.ts";
import { createCheckoutSession, disabled } from "../../payments/open.ts";

/** Each may request a session from a processor: more than a person needs, and far below a processor's own limit. */
const TOP_UPS_PER_USER = { name: "top-up", limit: 60, windowSeconds: 60 };

const REFUSALS = errors(
  "QUOTA_EXCEEDED",
  "RATE_LIMITED",
  "PAYMENT_PROVIDER_DISABLED",
  "PAYMENT_PROVIDER_UNAVAILABLE",
);
const DESCRIPTION =
  "The user pays on the hosted page. When the processor confirms the payment, the wallet is credited and the intent becomes `completed`. " +
  "The same idempotency key, in the body or in the header `Idempotency-Key`, returns the original intent, also with another amount, and " +
  "continues where an earlier request stopped. A request without a key makes a new intent. The two providers have separate keys.";

const SHOWS_PRESENT = { "x-reply-not-kept": "a repeated key shows the original intent as it is now" };

/** Where it is paid; the sandbox's page is one of this gateway's own. */
const payAt = ({ redirect_url }: PaymentIntent, request: Request): string | null =>
  redirect_url === null ? null : underReachedName(redirect_url, request.headers.get("origin"));

/** Top-ups of the wallet (spec, control plane §4.9): the available providers, and a user's payment intents. */
export const topUpRoutes = (context: GatewayContext) => {
  const { db, actors, credentials, newId, payments, aiCreditFeeBps } = context;

  const topUps = new RateLimiter(TOP_UPS_PER_USER);

  const topUp = async (name: PaymentProviderName, userId: string, amount: string, operation: Operation) => {
    const id = actorIdFor(`top_up:${name}`, userId, operation, newId);
    if (payments.providers[name] === undefined && (await readIntent(db, userId, name, id)) === undefined) {
      throw disabled(name);
    }
    const { minCents, maxCents } = payments.bounds[name];
    await actors.top_up(id).create(
      {
        user_id: userId,
        provider: name,
        amount,
        min_cents: Number(minCents),
        max_cents: Number(maxCents),
        lifetime_ms: payments.lifetimeMs,
      },
      operation,
    );
    return createCheckoutSession(context, userId, name, id);
  };

  const ownIntent = async (userId: string, name: PaymentProviderName, id: string) => {
    const found = await readIntent(db, userId, name, id);
    if (found === undefined) throw new DomainError("PAYMENT_INTENT_NOT_FOUND", "Payment intent not found");
    return found.intent;
  };

  const availability = (name: PaymentProviderName) => ({
    enabled: payments.providers[name] !== undefined,
    min_usd: Number(payments.bounds[name].minCents) / 100,
    max_usd: Number(payments.bounds[name].maxCents) / 100,
  });

  const intents = (name: PaymentProviderName) =>
    new Elysia()
      .use(signedIn(credentials, "wallet.read"))
      .get(
        `/payments/${name}/intents`,
        async ({ caller, query }) => {
          const page = listPage(
            ownList(`payment-intents ${name}`, caller),
            query,
            INTENTS_PAGE,
            AMOUNTS_NEWEST_FIRST,
          );
          const { rows: intents, total, next } = await listIntents(db, caller.userId, name, page);
          return ok("Payment intents", { intents, total, pagination: cursorPagination(page, next) });
        },
        {
          query: IntentsQuery,
          response: { 200: IntentsReply },
          detail: { summary: `Your payment intents with ${name}, newest first` },
        },
      )
      .get(
        `/payments/${name}/intents/:id`,
        async ({ caller, params }) => {
          return ok("Payment intent", await ownIntent(caller.userId, name, params.id));
        },
        {
          params: IdParams,
          response: { 200: IntentReply, ...errors("PAYMENT_INTENT_NOT_FOUND") },
          detail: { summary: `A payment intent with ${name}; poll it until it is no longer pending` },
        },
      );

  const cancelling = (name: PaymentProviderName) =>
    new Elysia().use(signedIn(credentials, "wallet.spend")).post(
      `/payments/${name}/intents/:id/cancel`,
      async ({ caller, params, operation }) => {
        await ownIntent(caller.userId, name, params.id);
        await actors.top_up(params.id).cancel({}, operation);
        return ok("Payment cancelled", await ownIntent(caller.userId, name, params.id));
      },
      {
        params: IdParams,
        response: {
          200: IntentReply,
          ...errors("PAYMENT_INTENT_NOT_FOUND", "PAYMENT_STATE_CONFLICT", "IDEMPOTENCY_KEY_REUSED"),
        },
        detail: {
          summary: `Cancel a top-up with ${name} that is not paid yet`,
          description:
            "The intent becomes `expired` at once, and no longer counts towards the limit of open top-ups. The processor's page may stay open for a while: a payment that is still made there is credited.",
        },
      },
    );

  const reading = new Elysia().use(signedIn(credentials, "wallet.read")).get(
    "/payment-availability",
    () =>
      ok("Payment availability", {
        cardpay: availability("cardpay"),
        cryptopay: availability("cryptopay"),
        ai_credit_fee_bps: aiCreditFeeBps,
      }),
    {
      response: { 200: PaymentAvailabilityReply },
      detail: { summary: "The providers that accept top-ups now, with the smallest and largest amount" },
    },
  );

  const spending = new Elysia()
    .use(signedIn(credentials, "wallet.spend"))
    .post(
      "/payments/cardpay/checkout",
      async ({ caller, body, operation, set, request }) => {
        enforceLimit(topUps, caller.userId, set.headers);
        const intent = await topUp("cardpay", caller.userId, body.amount, operation);
        return created("Checkout created", { intent, checkout_url: payAt(intent, request) });
      },
      {
        body: TopUp,
        response: { 201: CheckoutReply, ...REFUSALS },
        detail: { summary: "Top up by card", description: DESCRIPTION, ...SHOWS_PRESENT },
      },
    )
    .post(
      "/payments/cryptopay/invoice",
      async ({ caller, body, operation, set, request }) => {
        enforceLimit(topUps, caller.userId, set.headers);
        const intent = await topUp("cryptopay", caller.userId, body.amount, operation);
        return created("Invoice created", { intent, invoice_url: payAt(intent, request) });
      },
      {
        body: TopUp,
        response: { 201: CryptoInvoiceReply, ...REFUSALS },
        detail: { summary: "Top up by crypto", description: DESCRIPTION, ...SHOWS_PRESENT },
      },
    );

  return new Elysia({ prefix: "/api/v1/wallet", detail: { tags: ["Top-ups"] } })
    .use(reading)
    .use(spending)
    .use(intents("cardpay"))
    .use(intents("cryptopay"))
    .use(cancelling("cardpay"))
    .use(cancelling("cryptopay"));
};
