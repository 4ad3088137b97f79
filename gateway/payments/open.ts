import { type OpenedIntent, readIntent } from "../../actors/billing/top-up/queries.ts";
import type { PaymentIntent, PaymentProviderName } from "../../schemas/billing/top-up.ts";
import { DomainError } from "../../schemas/errors.ts";
import type { GatewayContext } from "../context.ts";
import { type PaymentProvider, PROVIDER_MS_MAX, ProviderError } from "./provider.ts";

/**
 * How long one request has the sole right to ask the processor for an intent's session. It is longer than the
 * processor's time limit. If that gateway dies, the next request asks again, and finds the session if it was made.
 */
const CLAIM_MS = PROVIDER_MS_MAX + 7_000;
/** How long a request waits while another one asks the processor. */
const WAIT_MS_MAX = 10_000;
const POLL_MS = 100;

/**
 * Makes the hosted session of a pending intent, unless it has one. The intent is committed before the processor is
 * asked, and its id names the session: after a crash at any point, a retry under the same key continues.
 * @throws PAYMENT_PROVIDER_UNAVAILABLE when the processor does not reply; the intent stays pending
 */
export async function createCheckoutSession(
  context: GatewayContext,
  userId: string,
  name: PaymentProviderName,
  id: string,
): Promise<PaymentIntent> {
  const provider = context.payments.providers[name]?.provider;
  const until = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const found = await readIntent(context.db, userId, name, id);
    if (found === undefined) throw new DomainError("PAYMENT_INTENT_NOT_FOUND", "Payment intent not found");
    if (found.intent.redirect_url !== null || found.intent.status !== "pending") return found.intent;
    if (provider === undefined) throw disabled(name);
    if (!found.isBeingOpened && (await createSession(context, provider, found))) continue;
    if (performance.now() > until) throw unavailable(name);
    await Bun.sleep(POLL_MS);
  }
}

/** Asks the processor, unless another request does. Returns whether the intent has its session. */
async function createSession(
  { actors, log }: GatewayContext,
  provider: PaymentProvider,
  { intent, amountCents }: OpenedIntent,
): Promise<boolean> {
  const topUp = actors.top_up(intent.id);
  const token = crypto.randomUUID();
  const { value } = await topUp.claim({ token, adapter: provider.adapter, for_ms: CLAIM_MS });
  if (!value.granted) return false;
  try {
    const session = await provider.createSession({
      id: intent.id,
      amountCents,
      expiresAt: new Date(intent.expires_at ?? intent.created_at),
    });
    await topUp.record_session({ session_id: session.sessionId, redirect_url: session.redirectUrl });
    return true;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ err: error, intent_id: intent.id }, "a payment processor could not make a session");
    // If the release fails, the claim ends by its time limit.
    await topUp.release({ token }).catch(() => undefined);
    throw unavailable(intent.provider);
  }
}

export const disabled = (name: PaymentProviderName) =>
  new DomainError("PAYMENT_PROVIDER_DISABLED", `${name} accepts no payments here; see payment-availability`);

export const unavailable = (name: PaymentProviderName) =>
  new DomainError(
    "PAYMENT_PROVIDER_UNAVAILABLE",
    `${name} does not respond at the moment; try again with the same idempotency key`,
  );
