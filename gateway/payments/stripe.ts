import { isUtf8 } from "node:buffer";
import type Stripe from "stripe";
import { ValidationError } from "../../schemas/errors.ts";
import { isText } from "../../schemas/text.ts";
import {
  CurrencyName,
  type HostedSession,
  hostedUrl,
  type IntentToOpen,
  invalidSignature,
  type PaymentEvent,
  type PaymentProvider,
  PROVIDER_MS_MAX,
  ProviderError,
  SessionName,
  type SignedCallback,
} from "./provider.ts";
import { returnAddress } from "./return-address.ts";

export interface StripeSettings {
  readonly secretKey: string;
  readonly url: string;
  readonly webhookSecrets: readonly string[];
  readonly returnUrl: string;
}

/**
 * A session of Stripe lasts for at least 30 minutes from its creation. With this margin it can still be created just
 * before its intent expires. A payment after the intent's expiry is credited too.
 */
const SESSION_OUTLIVES_INTENT_MS = 35 * 60_000;
const TOLERANCE_SECONDS = 300;
/** The key of the intent's id in a session's metadata, which only the holder of the secret key can set. */
const INTENT = "berth_intent";

/** Card payments by Stripe's Checkout Sessions. */
export function stripeProvider({
  secretKey,
  url,
  webhookSecrets,
  returnUrl,
}: StripeSettings): PaymentProvider {
  const { hostname, port, protocol } = new URL(url);
  const isPlain = protocol === "http:";
  // Loaded on demand, since only gateways with Stripe need it.
  const library = import("stripe").then(({ default: Library }) => Library);
  const client = library.then(
    (Library) =>
      new Library(secretKey, {
        host: hostname,
        port: port === "" ? (isPlain ? 80 : 443) : Number(port),
        protocol: isPlain ? "http" : "https",
        timeout: PROVIDER_MS_MAX,
        // The client tries again under the same key.
        maxNetworkRetries: 0,
        telemetry: false,
      }),
  );

  return {
    adapter: "stripe",

    async createSession({ id, amountCents, expiresAt }: IntentToOpen): Promise<HostedSession> {
      try {
        const session = await (await client).checkout.sessions.create(
          {
            mode: "payment",
            client_reference_id: id,
            metadata: { [INTENT]: id },
            line_items: [
              {
                quantity: 1,
                price_data: {
                  currency: "usd",
                  unit_amount: Number(amountCents),
                  product_data: { name: "Wallet top-up" },
                },
              },
            ],
            // Dollars are credited, so dollars must be paid.
            adaptive_pricing: { enabled: false },
            expires_at: Math.floor((expiresAt.getTime() + SESSION_OUTLIVES_INTENT_MS) / 1000),
            success_url: returnAddress(returnUrl, webhookSecrets, id, "paid"),
            cancel_url: returnAddress(returnUrl, webhookSecrets, id, "canceled"),
          },
          { idempotencyKey: id },
        );
        return { sessionId: session.id, redirectUrl: hostedUrl(session.url) };
      } catch (error) {
        if (error instanceof ProviderError) throw error;
        // Stripe's messages name the fault, and show at most the ends of a key.
        throw new ProviderError(`Stripe: ${(error as Error).message}`, { cause: error });
      }
    },

    async verifyCallback({ body, headers }: SignedCallback): Promise<PaymentEvent | null> {
      const signature = headers.get("stripe-signature") ?? "";
      const event = await verified(await library, body, signature, webhookSecrets);
      const outcome = outcomeOf(event);
      if (outcome === undefined) return null;
      const session = event.data.object as Stripe.Checkout.Session;
      const intentId = session.metadata?.[INTENT];
      // The account may sell other things as well.
      if (intentId === undefined || session.mode !== "payment") return null;
      if (!isText(SessionName, session.id)) throw notOfStripe("id");
      const of = { eventId: event.id, intentId, sessionId: session.id };
      if (outcome !== "settled") return { ...of, outcome };
      if (session.currency !== null && !isText(CurrencyName, session.currency)) throw notOfStripe("currency");
      const currency = (session.currency ?? "").toUpperCase();
      const units = session.amount_total;
      return {
        ...of,
        outcome,
        isFinal: true,
        currency,
        paidCents: currency === "USD" ? units : null,
        reported: `${units ?? "?"} ${currency || "?"} in minor units`,
      };
    },
  };
}

const notOfStripe = (field: string) =>
  new ValidationError(`body.data.object.${field}`, "must be that of a session of Stripe");

async function verified(
  library: typeof Stripe,
  body: Uint8Array,
  signature: string,
  secrets: readonly string[],
): Promise<Stripe.Event> {
  // The library verifies text: bytes that are not UTF-8 could decode to the same text as others.
  if (!isUtf8(body)) throw invalidSignature();
  for (const secret of secrets) {
    try {
      return await library.webhooks.constructEventAsync(
        Buffer.from(body).toString("utf8"),
        signature,
        secret,
        TOLERANCE_SECONDS,
      );
    } catch (error) {
      if (!(error instanceof library.errors.StripeSignatureVerificationError)) throw invalidSignature();
    }
  }
  throw invalidSignature();
}

/**
 * A session is complete when the buyer has finished; with some payment methods the money arrives, or fails, days
 * later.
 */
function outcomeOf(event: Stripe.Event): PaymentEvent["outcome"] | undefined {
  switch (event.type) {
    case "checkout.session.completed":
      return event.data.object.payment_status === "unpaid" ? undefined : "settled";
    case "checkout.session.async_payment_succeeded":
      return "settled";
    case "checkout.session.async_payment_failed":
      return "failed";
    case "checkout.session.expired":
      return "expired";
    default:
      return undefined;
  }
}
