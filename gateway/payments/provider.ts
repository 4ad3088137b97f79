import type { PaymentAdapter } from "../../schemas/billing/top-up.ts";
import { DomainError } from "../../schemas/errors.ts";
import { Text } from "../../schemas/text.ts";

/** An adapter for a payment processor. */
export interface PaymentProvider {
  readonly adapter: PaymentAdapter;
  /**
   * Makes the hosted session of an intent, or finds the one that was made before: two calls give one session.
   * @throws ProviderError
   */
  createSession(intent: IntentToOpen): Promise<HostedSession>;
  /**
   * Verifies a callback and returns its event; null if it does not concern an intent.
   * @throws DomainError INVALID_SIGNATURE; VALIDATION_ERROR for a signed body that is not an event; ProviderError
   */
  verifyCallback(callback: SignedCallback): Promise<PaymentEvent | null>;
}

export interface IntentToOpen {
  readonly id: string;
  readonly amountCents: bigint;
  readonly expiresAt: Date;
}

export interface HostedSession {
  /** The session's id at the processor. */
  readonly sessionId: string;
  readonly redirectUrl: string;
}

/** A callback as received: unparsed bytes. */
export interface SignedCallback {
  readonly body: Uint8Array;
  readonly headers: Headers;
}

/** A processor's session id: visible ASCII, which can be stored and shown as it is. */
export const SessionName = Text({ minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" });
/** A currency of ISO 4217, or a coin's code. ASCII letters keep their length in upper case. */
export const CurrencyName = Text({ minLength: 1, maxLength: 16, pattern: "^[A-Za-z0-9_-]+$" });

interface EventOfIntent {
  readonly eventId: string;
  readonly intentId: string;
  readonly sessionId: string;
}

export type PaymentEvent = EventOfIntent &
  (
    | {
        readonly outcome: "settled";
        /** The total that was paid in the session; null if it is not known in US cents. */
        readonly paidCents: number | null;
        /** Upper case. */
        readonly currency: string;
        /** The payment in the processor's own words. */
        readonly reported: string;
        /** False while the processor may still reverse the payment. */
        readonly isFinal: boolean;
      }
    | { readonly outcome: "failed" | "expired" }
  );

/** The time limit of a request to a processor. Card processors need a second or two at most. */
export const PROVIDER_MS_MAX = 8_000;

/** The processor could not be reached, or its reply was invalid. The message is for the log. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
}

/** The reply does not say why a signature is invalid: only a forger would use that. */
export const invalidSignature = () => new DomainError("INVALID_SIGNATURE", "invalid signature");

/** Checks the address of a hosted page, to which a browser is sent: it must be http or https. */
export function hostedUrl(text: unknown): string {
  if (typeof text === "string" && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new ProviderError("the processor's reply has no address of a hosted page");
}
