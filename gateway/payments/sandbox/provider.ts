import { createHmac } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { PaymentProviderName } from "../../../schemas/billing/top-up.ts";
import { ValidationError } from "../../../schemas/errors.ts";
import { Id } from "../../../schemas/primitives.ts";
import { signedHeaders, verifiedId } from "../../../system/standard-webhooks.ts";
import {
  CurrencyName,
  type HostedSession,
  invalidSignature,
  type PaymentEvent,
  type PaymentProvider,
  SessionName,
  type SignedCallback,
} from "../provider.ts";

export interface SandboxSettings {
  readonly provider: PaymentProviderName;
  /** The newest first; it signs the callbacks. */
  readonly webhookSecrets: readonly string[];
  readonly publicUrl: string;
}

/** An event of the sandbox's processor on a session. */
export const SandboxEvent = Type.Object({
  type: Type.Union([
    Type.Literal("payment.settled"),
    Type.Literal("payment.failed"),
    Type.Literal("payment.expired"),
  ]),
  data: Type.Object({
    intent_id: Id,
    session_id: SessionName,
    amount_cents: Type.Integer({ minimum: 0, maximum: 100_000_000_000_000 }),
    currency: CurrencyName,
  }),
});
export type SandboxEvent = Static<typeof SandboxEvent>;

/**
 * A processor of our own, for trying things out: a hosted page with buttons, and callbacks over HTTP that are signed by
 * Standard Webhooks. Nobody pays anything.
 */
export function sandboxProvider({ provider, webhookSecrets, publicUrl }: SandboxSettings): PaymentProvider {
  return {
    adapter: "sandbox",

    /**
     * A session's id follows from the intent's id and a secret, so that two calls give one session and nobody can
     * guess it.
     */
    async createSession({ id }): Promise<HostedSession> {
      const digest = createHmac("sha256", webhookSecrets[0] ?? "")
        .update(`session ${id}`)
        .digest("hex");
      const sessionId = `sbx_${digest.slice(0, 40)}`;
      return { sessionId, redirectUrl: `${publicUrl}/sandbox/${provider}/${sessionId}` };
    },

    async verifyCallback({ body, headers }: SignedCallback): Promise<PaymentEvent> {
      const eventId = verifiedId(body, headers, webhookSecrets);
      if (eventId === undefined) throw invalidSignature();
      const { type, data } = eventOf(body);
      const of = { eventId, intentId: data.intent_id, sessionId: data.session_id };
      if (type === "payment.failed") return { ...of, outcome: "failed" };
      if (type === "payment.expired") return { ...of, outcome: "expired" };
      const currency = data.currency.toUpperCase();
      return {
        ...of,
        outcome: "settled",
        currency,
        paidCents: currency === "USD" ? data.amount_cents : null,
        reported: `${data.amount_cents} ${currency} in minor units`,
        isFinal: true,
      };
    },
  };
}

/** A callback of the sandbox's processor, signed now. */
export function sandboxCallback(secret: string, eventId: string, event: SandboxEvent) {
  const body = JSON.stringify(event);
  return {
    body,
    headers: { "content-type": "application/json", ...signedHeaders([secret], eventId, body) },
  };
}

function eventOf(body: Uint8Array): SandboxEvent {
  const event = parsed(body);
  if (Value.Check(SandboxEvent, event)) return event;
  const path = Value.Errors(SandboxEvent, event).First()?.path ?? "";
  throw new ValidationError(`body${path.replaceAll("/", ".")}`, "must be that of an event of the sandbox");
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new ValidationError("body", "must be an event of the sandbox");
  }
}
