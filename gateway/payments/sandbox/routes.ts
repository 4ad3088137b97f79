import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { readIntentOfSession } from "../../../actors/billing/top-up/queries.ts";
import { type PaymentIntent, PaymentProviderSchema } from "../../../schemas/billing/top-up.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { Strict } from "../../../schemas/primitives.ts";
import { open } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { pageResponse } from "../page.ts";
import { PROVIDER_MS_MAX } from "../provider.ts";
import { hostedPage, returnPage, undeliveredPage } from "./page.ts";
import { type SandboxEvent, sandboxCallback } from "./provider.ts";

const FORM_BYTES_MAX = 1024;

/** The event that a button sends to the gateway, and the page to which it leads. */
const ACTIONS: Readonly<Record<string, { type: SandboxEvent["type"]; outcome: string }>> = {
  pay: { type: "payment.settled", outcome: "paid" },
  fail: { type: "payment.failed", outcome: "failed" },
  expire: { type: "payment.expired", outcome: "expired" },
};

const Session = Strict({
  provider: PaymentProviderSchema,
  session: Type.String({ pattern: "^sbx_[0-9a-f]{40}$" }),
});
const hidden = { detail: { hide: true } };

/**
 * The hosted pages of the sandbox, which exist only while a provider runs as sandbox, and the page to which every
 * processor sends people back. A button sends a signed callback over HTTP to the gateway, as a processor would.
 */
export const sandboxRoutes = ({ db, payments, newId, ownUrl }: GatewayContext) => {
  const sandboxed = async ({
    provider,
    session,
  }: {
    provider: PaymentIntent["provider"];
    session: string;
  }) => {
    const configured = payments.providers[provider];
    const found =
      configured?.provider.adapter === "sandbox"
        ? await readIntentOfSession(db, provider, session)
        : undefined;
    if (configured === undefined || found?.adapter !== "sandbox")
      throw new DomainError("ROUTE_NOT_FOUND", "No such page");
    return { intent: found.intent, secret: configured.webhookSecrets[0] ?? "" };
  };

  return new Elysia()
    .use(
      open("a paying browser has no access token; the session's id, which cannot be guessed, authorizes it", {
        body: "bytes",
        bodyBytesMax: FORM_BYTES_MAX,
      }),
    )
    .get("/payments/return", ({ query }) => pageResponse(returnPage(query.outcome)), {
      query: Strict({ outcome: Type.Optional(Type.String({ maxLength: 20 })) }),
      ...hidden,
    })
    .get(
      "/sandbox/:provider/:session",
      async ({ params }) => pageResponse(hostedPage((await sandboxed(params)).intent, payments.returnUrl)),
      { params: Session, ...hidden },
    )
    .post(
      "/sandbox/:provider/:session",
      async ({ params, body }) => {
        const { intent, secret } = await sandboxed(params);
        const action = ACTIONS[new URLSearchParams(Buffer.from(body).toString("latin1")).get("action") ?? ""];
        if (action === undefined) return pageResponse(hostedPage(intent, payments.returnUrl));
        const refusal = await deliver(`${ownUrl}/api/v1/callbacks/${params.provider}`, secret, newId(), {
          type: action.type,
          data: {
            intent_id: intent.id,
            session_id: params.session,
            amount_cents: Math.round(intent.amount * 100),
            currency: intent.currency,
          },
        });
        if (refusal !== undefined) return pageResponse(undeliveredPage(refusal));
        const location = `${payments.returnUrl}?outcome=${action.outcome}`;
        return new Response(null, { status: 303, headers: { location } });
      },
      { params: Session, body: Type.Uint8Array(), ...hidden },
    );
};

/** Sends a callback; returns why it was refused, or undefined. */
async function deliver(
  url: string,
  secret: string,
  eventId: string,
  event: SandboxEvent,
): Promise<string | undefined> {
  const { body, headers } = sandboxCallback(secret, eventId, event);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body,
      signal: AbortSignal.timeout(PROVIDER_MS_MAX),
    });
    return response.ok ? undefined : String(response.status);
  } catch {
    return "no answer";
  }
}
