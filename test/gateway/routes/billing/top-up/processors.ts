import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Answer, StackClient, TestUser } from "../../../../harness/stack-client.ts";
import { until } from "../../../../harness/until.ts";

/** What tests of top-ups share: a stack whose providers are sandboxes, and callbacks signed by the published scheme. */

export type ProviderName = "cardpay" | "cryptopay";

export const webhookSecret = () => `whsec_${randomBytes(24).toString("base64")}`;

export const SECRETS = { newest: webhookSecret(), older: webhookSecret() };

export const SANDBOX_ENV = {
  BERTH_CARDPAY_PROVIDER: "sandbox",
  BERTH_CARDPAY_WEBHOOK_SECRETS: `${SECRETS.newest},${SECRETS.older}`,
  BERTH_CRYPTOPAY_PROVIDER: "sandbox",
  BERTH_CRYPTOPAY_WEBHOOK_SECRETS: webhookSecret(),
};

const PATHS = { cardpay: "checkout", cryptopay: "invoice" };

/** Asks for a top-up. */
export const topUp = (
  stack: StackClient,
  { token }: Pick<TestUser, "token">,
  body: object,
  provider: ProviderName = "cardpay",
): Promise<Answer> =>
  stack.call("POST", `/api/v1/wallet/payments/${provider}/${PATHS[provider]}`, { token, body });

/** A new intent of a user, with the hosted session's name. */
export async function opened(
  stack: StackClient,
  user: TestUser,
  amount: string,
  key: string = crypto.randomUUID(),
) {
  const { status, body } = await topUp(stack, user, { amount, idempotency_key: key });
  if (status !== 201) throw new Error(`no checkout: ${JSON.stringify(body)}`);
  const { intent, checkout_url } = body.data;
  return { id: intent.id as string, session: String(checkout_url).split("/").at(-1) ?? "", intent };
}

export const intentOf = async (
  stack: StackClient,
  user: TestUser,
  id: string,
  provider: ProviderName = "cardpay",
) =>
  (await stack.call("GET", `/api/v1/wallet/payments/${provider}/intents/${id}`, { token: user.token })).body
    .data;

export const balanceOf = async (stack: StackClient, { token }: TestUser): Promise<string> =>
  (await stack.call("GET", "/api/v1/wallet/balances", { token })).body.data.general_balance;

/** Waits until an intent has this status. */
export const has = (stack: StackClient, user: TestUser, id: string, status: string) =>
  until(async () => {
    const intent = await intentOf(stack, user, id);
    return intent.status === status && intent;
  });

export interface Event {
  readonly type?: "payment.settled" | "payment.failed" | "payment.expired";
  readonly intent: string;
  readonly session: string;
  readonly cents?: number;
  readonly currency?: string;
}

export const eventBody = ({
  type = "payment.settled",
  intent,
  session,
  cents = 2500,
  currency = "USD",
}: Event) =>
  JSON.stringify({ type, data: { intent_id: intent, session_id: session, amount_cents: cents, currency } });

export interface Signed {
  readonly id?: string;
  readonly secret?: string;
  readonly at?: Date;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers of a callback, signed by the library of Standard Webhooks. */
export function signed(body: string, { id, secret = SECRETS.newest, at = new Date(), headers }: Signed = {}) {
  const eventId = id ?? `evt_${crypto.randomUUID()}`;
  return {
    "webhook-id": eventId,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(eventId, at, body),
    ...headers,
  };
}

/** Sends a callback of the sandbox's processor. */
export const callback = (
  stack: StackClient,
  event: Event,
  how: Signed = {},
  provider: ProviderName = "cardpay",
) => {
  const body = eventBody(event);
  return stack.call("POST", `/api/v1/callbacks/${provider}`, { body, headers: signed(body, how) });
};
