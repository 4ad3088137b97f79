import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { readAnyIntent, readIntentOfSession } from "../../../actors/billing/top-up/queries.ts";
import { type PaymentIntent, PaymentProviderSchema } from "../../../schemas/billing/top-up.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { Strict } from "../../../schemas/primitives.ts";
import { open } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { underReachedName } from "../../http/own-names.ts";
import { pageResponse } from "../../pages/page.ts";
import { PROVIDER_MS_MAX } from "../provider.ts";
import { markedIntent, returnAddress } from "../return-address.ts";
import { returnPage } from "../return-page.ts";
import { wayBackOf } from "../way-back.ts";
import { hostedPage, undeliveredPage } from "./page.ts";
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
const ReturnQuery = Strict({
  outcome: Type.Optional(Type.String({ maxLength: 20 })),
  payment: Type.Optional(Type.String({ maxLength: 64 })),
  looks: Type.Optional(Type.String({ pattern: "^[0-9]{1,4}$" })),
});
const hidden = { detail: { hide: true } };

/**
 * The hosted pages of the sandbox, which exist only while a provider runs as sandbox, and the page to which every
 * processor sends people back. A button sends a signed callback over HTTP to the gateway, as a processor would.
 */
export const sandboxRoutes = ({ db, payments, newId, ownUrl }: GatewayContext) => {
  const sandboxed = async (
    { provider, session }: { provider: PaymentIntent["provider"]; session: string },
    request: Request,
  ) => {
    const configured = payments.providers[provider];
    const found =
      configured?.provider.adapter === "sandbox"
        ? await readIntentOfSession(db, provider, session)
        : undefined;
    if (configured === undefined || found?.adapter !== "sandbox")
      throw new DomainError("ROUTE_NOT_FOUND", "No such page");
    const { webhookSecrets } = configured;
    const back = (outcome: string) =>
      returnAddress(
        underReachedName(payments.returnUrl, request.url),
        webhookSecrets,
        found.intent.id,
        outcome,
      );
    return { intent: found.intent, secret: webhookSecrets[0] ?? "", back };
  };

  /** The payment from which somebody comes back; undefined without the mark that its processor was given. */
  const returned = async (payment: string): Promise<PaymentIntent | undefined> => {
    const secrets = Object.values(payments.providers).flatMap((one) => one?.webhookSecrets ?? []);
    const id = markedIntent(payment, secrets);
    return id === undefined ? undefined : readAnyIntent(db, id);
  };

  return new Elysia()
    .use(
      open("a paying browser has no access token; the session's id, which cannot be guessed, authorizes it", {
        body: "bytes",
        bodyBytesMax: FORM_BYTES_MAX,
      }),
    )
    .get(
      "/payments/return",
      async ({ query, request }) => {
        const languages = request.headers.get("accept-language");
        const looks = Number(query.looks ?? 0);
        const next = new URLSearchParams({ ...query, looks: String(looks + 1) });
        const intent = query.payment === undefined ? undefined : await returned(query.payment);
        return pageResponse(
          returnPage({
            outcome: query.outcome,
            intent,
            languages,
            looks,
            nextUrl: `/payments/return?${next}`,
            back: wayBackOf(request),
          }),
        );
      },
      { query: ReturnQuery, ...hidden },
    )
    .get(
      "/sandbox/:provider/:session",
      async ({ params, request }) => {
        const { intent, back } = await sandboxed(params, request);
        return pageResponse(hostedPage(intent, back("paid"), wayBackOf(request)));
      },
      { params: Session, ...hidden },
    )
    .post(
      "/sandbox/:provider/:session",
      async ({ params, body, request }) => {
        const { intent, secret, back } = await sandboxed(params, request);
        const action = ACTIONS[new URLSearchParams(Buffer.from(body).toString("latin1")).get("action") ?? ""];
        if (action === undefined) return pageResponse(hostedPage(intent, back("paid"), wayBackOf(request)));
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
        return new Response(null, { status: 303, headers: { location: back(action.outcome) } });
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
