import type { PaymentAdapter } from "../../schemas/billing/top-up.ts";
import { DomainError } from "../../schemas/errors.ts";
import { Text } from "../../schemas/text.ts";

/** What the gateway asks of a payment processor, whichever it is. */
export interface PaymentProvider {
  readonly adapter: PaymentAdapter;
  /**
   * Makes the hosted session of an intent, or finds the one that was made for it before: asked twice it is one session.
   * @throws ProviderError
   */
  createSession(intent: IntentToOpen): Promise<HostedSession>;
  /**
   * What a callback says, once its signature holds; null when it is none of an intent's.
   * @throws DomainError INVALID_SIGNATURE; VALIDATION_ERROR for what is signed and no event; ProviderError
   */
  verifyCallback(callback: SignedCallback): Promise<PaymentEvent | null>;
}

export interface IntentToOpen {
  readonly id: string;
  readonly amountCents: bigint;
  readonly expiresAt: Date;
}

export interface HostedSession {
  /** Its name at the processor. */
  readonly sessionId: string;
  readonly redirectUrl: string;
}

/** A callback as it came: bytes that nobody has parsed. */
export interface SignedCallback {
  readonly body: Uint8Array;
  readonly headers: Headers;
}

/** What processors name sessions by: visible ASCII, which no part of ours has to make fit. */
export const SessionName = Text({ minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" });
/** ISO 4217, and what processors of coins add to it. Letters of ASCII keep their length in upper case. */
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
        /** All that the session has paid; null where that is not known in US cents. */
        readonly paidCents: number | null;
        /** Upper case. */
        readonly currency: string;
        /** What was paid, as the processor has it. */
        readonly reported: string;
        /** False while the processor may still take it back. */
        readonly isFinal: boolean;
      }
    | { readonly outcome: "failed" | "expired" }
  );

/** The longest that a processor is waited for in one request: card processors take a second or two at most. */
export const PROVIDER_MS_MAX = 8_000;

/** The processor could not be asked, or answered what makes no sense. The message is for the log. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
}

/** Why a signature does not hold is not said: it would help nobody but a forger. */
export const invalidSignature = () => new DomainError("INVALID_SIGNATURE", "invalid signature");

/** An address that a browser is sent to: a processor that answers another scheme is broken or not ours. */
export function hostedUrl(text: unknown): string {
  if (typeof text === "string" && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new ProviderError("the processor answered no address of a hosted page");
}
