import { createHmac, timingSafeEqual } from "node:crypto";
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { ValidationError } from "../../schemas/errors.ts";
import { Text } from "../../schemas/text.ts";
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

export interface BtcpaySettings {
  readonly url: string;
  readonly apiKey: string;
  readonly storeId: string;
  readonly webhookSecrets: readonly string[];
  readonly returnUrl: string;
}

/** Text that a review can store: no control characters. */
const Word = Text({ maxLength: 255, pattern: "^[\\x20-\\x7e]*$" });

/** The fields of an invoice that are read here (Greenfield API, `InvoiceData`). */
const Invoice = Type.Object({
  id: SessionName,
  amount: Word,
  /** Servers older than 2.1 lack it. */
  paidAmount: Type.Optional(Type.Union([Word, Type.Null()])),
  currency: CurrencyName,
  status: Word,
  additionalStatus: Type.Optional(Word),
  checkoutLink: Type.String(),
  createdTime: Type.Number(),
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
type Invoice = Static<typeof Invoice>;

const WebhookEvent = Type.Object({
  deliveryId: Type.String({ minLength: 1 }),
  type: Type.String(),
  invoiceId: Type.Optional(Type.String({ pattern: "^[A-Za-z0-9]{1,64}$" })),
});

/** Events after which an invoice may be settled, or lost. */
const SETTLING_EVENTS = ["InvoiceSettled", "InvoicePaymentSettled", "InvoiceExpired", "InvoiceInvalid"];
/** Marks Berth's invoices, since the store may sell other things as well. */
const SOURCE = "berth";
const ANSWER_BYTES_MAX = 1024 * 1024;

/** Crypto payments by a BTCPay Server's Greenfield API. */
export function btcpayProvider(settings: BtcpaySettings): PaymentProvider {
  const { url, apiKey, storeId, webhookSecrets, returnUrl } = settings;
  const invoices = `${url.replace(/\/+$/, "")}/api/v1/stores/${encodeURIComponent(storeId)}/invoices`;

  const ask = async <T extends TSchema>(schema: T, address: string, signal: AbortSignal, body?: object) => {
    const response = await fetch(address, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `token ${apiKey}`, "content-type": "application/json" },
      redirect: "error",
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error) => {
      throw new ProviderError(`BTCPay Server does not answer: ${(error as Error).message}`);
    });
    if (!response.ok) throw new ProviderError(`BTCPay Server replied with status ${response.status}`);
    const value = await readAnswer(response);
    if (!Value.Check(schema, value))
      throw new ProviderError("the reply of BTCPay Server is not in the form of its API");
    return value as Static<T>;
  };

  return {
    adapter: "btcpay",

    /** The API has no idempotency keys: an invoice of an earlier attempt is found by its order id. */
    async createSession({ id, amountCents, expiresAt }: IntentToOpen): Promise<HostedSession> {
      const signal = AbortSignal.timeout(PROVIDER_MS_MAX);
      const found = await ask(Type.Array(Invoice), `${invoices}?orderId=${id}`, signal);
      const [first] = found
        .filter((invoice) => intentOf(invoice) === id)
        .sort((a, b) => a.createdTime - b.createdTime);
      const invoice =
        first ??
        (await ask(Invoice, invoices, signal, {
          amount: dollars(amountCents),
          currency: "USD",
          metadata: { orderId: id, source: SOURCE },
          checkout: {
            expirationMinutes: Math.max(1, Math.ceil((expiresAt.getTime() - Date.now()) / 60_000)),
            redirectURL: returnAddress(returnUrl, webhookSecrets, id),
          },
        }));
      return { sessionId: invoice.id, redirectUrl: hostedUrl(invoice.checkoutLink) };
    },

    /** A callback has no amounts, and an old one can be replayed: it only says which invoice to read. */
    async verifyCallback({ body, headers }: SignedCallback): Promise<PaymentEvent | null> {
      if (!isSigned(body, headers.get("btcpay-sig") ?? "", webhookSecrets)) throw invalidSignature();
      const event = eventOf(body);
      if (event.invoiceId === undefined || !SETTLING_EVENTS.includes(event.type)) return null;
      const invoice = await ask(
        Invoice,
        `${invoices}/${event.invoiceId}`,
        AbortSignal.timeout(PROVIDER_MS_MAX),
      );
      const intentId = intentOf(invoice);
      if (intentId === undefined) return null;
      const of = { eventId: event.deliveryId, intentId, sessionId: invoice.id };
      if (hasPaid(invoice)) return { ...of, outcome: "settled", ...paymentOf(invoice) };
      if (invoice.status === "Expired") return { ...of, outcome: "expired" };
      return invoice.status === "Invalid" ? { ...of, outcome: "failed" } : null;
    },
  };
}

const dollars = (cents: bigint) => `${cents / 100n}.${(cents % 100n).toString().padStart(2, "0")}`;

function intentOf({ metadata }: Invoice): string | undefined {
  const { orderId, source } = metadata ?? {};
  return source === SOURCE && typeof orderId === "string" ? orderId : undefined;
}

const MONEY_CAME = ["PaidPartial", "PaidLate", "PaidOver"];

/** Whether any money arrived, even a part or too late: BTCPay leaves such an invoice expired. */
function hasPaid({ status, additionalStatus = "None", paidAmount }: Invoice): boolean {
  if (status === "Settled") return true;
  // An invoice that is open or being confirmed is decided later.
  if (status !== "Expired" && status !== "Invalid") return false;
  return MONEY_CAME.includes(additionalStatus) || (centsOf(paidAmount) ?? 0) > 0;
}

function paymentOf({ status, additionalStatus = "None", amount, paidAmount, currency }: Invoice) {
  const isSettled = status === "Settled";
  // Coins do not divide into cents: an invoice that BTCPay counts as paid in full has paid its amount.
  const isInFull = isSettled && ["None", "PaidLate"].includes(additionalStatus);
  const name = currency.toUpperCase();
  return {
    currency: name,
    paidCents: name === "USD" ? centsOf(isInFull ? amount : paidAmount) : null,
    reported: `${paidAmount ?? "?"} of ${amount} ${name}, ${status} ${additionalStatus}`.slice(0, 255),
    isFinal: isSettled,
  };
}

/** Cents of a decimal, rounded down; null without one. */
function centsOf(decimal: string | null | undefined): number | null {
  const [, whole, fraction = ""] = /^(\d{1,12})(?:\.(\d+))?$/.exec(decimal ?? "") ?? [];
  return whole === undefined ? null : Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, "0"));
}

/** `BTCPay-Sig: sha256=<HMAC-SHA256 of the bytes, in hex>`. */
function isSigned(body: Uint8Array, signature: string, secrets: readonly string[]): boolean {
  const given = Buffer.from(signature);
  return secrets.some((secret) => {
    const due = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
    return given.length === due.length && timingSafeEqual(given, due);
  });
}

function eventOf(body: Uint8Array): Static<typeof WebhookEvent> {
  try {
    const event: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    if (Value.Check(WebhookEvent, event)) return event;
  } catch {
    // Reported below.
  }
  throw new ValidationError("body", "must be an event of BTCPay Server");
}

async function readAnswer(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.byteLength;
      if (length > ANSWER_BYTES_MAX) break;
      chunks.push(chunk);
    }
    if (length <= ANSWER_BYTES_MAX) return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (error) {
    throw new ProviderError(`BTCPay Server's reply was cut off: ${(error as Error).message}`);
  }
  throw new ProviderError("BTCPay Server's reply is larger than any invoice");
}
