import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { OffsetQuery } from "../paging.ts";
import { Amount, Id, IdempotencyKey, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";
import { Text } from "../text.ts";

/** Money that a user pays into the wallet through a processor (spec, control plane §2 "Payment intent", §3, §4.9). */

/** The two processors of the spec. */
export const PAYMENT_PROVIDERS = ["cardpay", "cryptopay"] as const;
export type PaymentProviderName = (typeof PAYMENT_PROVIDERS)[number];

/** What a processor runs as. Intents remember it, so that no sandbox settles what a real processor has opened. */
export const PAYMENT_ADAPTERS = ["sandbox", "stripe", "btcpay"] as const;
export type PaymentAdapter = (typeof PAYMENT_ADAPTERS)[number];

export const PaymentProviderSchema = OneOf(PAYMENT_PROVIDERS);
export const PaymentAdapterSchema = OneOf(PAYMENT_ADAPTERS);

const INTENT_STATUSES = ["pending", "completed", "failed", "expired"] as const;
export type IntentStatus = (typeof INTENT_STATUSES)[number];

export const PaymentIntent = Type.Object({
  id: Id,
  provider: PaymentProviderSchema,
  status: Type.Unsafe<IntentStatus>({
    ...OneOf(INTENT_STATUSES),
    description: "`completed` is final; a payment that comes after `expired` or `failed` still completes",
  }),
  amount: Type.Number({ description: "USD" }),
  credited_amount: Nullable(
    Type.Number({
      description:
        "USD that payments of this intent brought to the wallet; it differs from `amount` where an operator credited what was " +
        "paid, less or more. Null while nothing came",
    }),
  ),
  currency: Type.String({ examples: ["USD"] }),
  redirect_url: Nullable(Type.String({ description: "where the user pays" })),
  credited_at: Nullable(Timestamp),
  expires_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type PaymentIntent = Static<typeof PaymentIntent>;

/** Body of a card checkout and of a crypto invoice. */
export const TopUp = Strict({
  amount: Amount,
  /** Due here or in the header: a top-up that is asked for twice would be paid twice. */
  idempotency_key: Type.Optional(IdempotencyKey),
});

export const INTENTS_PAGE = { standard: 20, max: 100 };

/** An oversize limit is brought down to 100; zero is refused. */
export const IntentsQuery = OffsetQuery;

const Availability = Type.Object({ enabled: Type.Boolean(), min_usd: Type.Number(), max_usd: Type.Number() });
export const PaymentAvailability = Type.Object({
  cardpay: Availability,
  cryptopay: Availability,
  ai_credit_fee_bps: Type.Integer({ description: "the platform's share of a transfer, basis points" }),
});
export type PaymentAvailability = Static<typeof PaymentAvailability>;

const hostedUrl = Nullable(
  Type.String({ description: "where the user pays; null when the intent ended before it had a hosted page" }),
);

export const PaymentAvailabilityReply = Reply(PaymentAvailability);
export const CheckoutReply = Reply(Type.Object({ intent: PaymentIntent, checkout_url: hostedUrl }));
export const InvoiceReply = Reply(Type.Object({ intent: PaymentIntent, invoice_url: hostedUrl }));
export const IntentReply = Reply(PaymentIntent);
export const IntentsReply = Reply(Type.Object({ intents: Type.Array(PaymentIntent), total: Type.Integer() }));

/**
 * Why money that came in is not in the wallet: another amount or currency than was asked for, a session that is not the
 * intent's, an amount that the processor does not tell, a payment that it does not count as settled, or a wallet that refused it.
 */
export const REVIEW_REASONS = [
  "amount_mismatch",
  "currency_mismatch",
  "amount_unknown",
  "other_session",
  "not_final",
  "deposit_refused",
] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

const REVIEW_STATUSES = ["open", "credited", "dismissed"] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** A settlement that waits for an operator, or waited. */
export const PaymentReview = Type.Object({
  id: Id,
  intent_id: Id,
  user_id: Id,
  provider: PaymentProviderSchema,
  session_id: Type.String({ description: "the hosted session by its name at the processor" }),
  reason: OneOf(REVIEW_REASONS),
  expected_amount: Type.Number({ description: "USD" }),
  paid_amount: Nullable(Type.Number({ description: "USD; null when it is not known in USD" })),
  reported: Type.String({ description: "what was paid, in the processor's words" }),
  status: OneOf(REVIEW_STATUSES),
  credited_amount: Type.Number({ description: "USD that this review's resolution brought to the wallet" }),
  note: Nullable(Type.String()),
  resolved_by: Nullable(Id),
  resolved_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type PaymentReview = Static<typeof PaymentReview>;

export const ReviewsQuery = Strict({
  ...OffsetQuery.properties,
  status: Type.Optional(OneOf(REVIEW_STATUSES)),
});

/** `credit` brings what was paid and is not credited yet to the wallet; `dismiss` brings nothing. */
export const ResolveReview = Strict({
  action: OneOf(["credit", "dismiss"] as const),
  note: Text({ minLength: 1, maxLength: 500, pattern: "\\S" }),
});

export const ReviewReply = Reply(PaymentReview);
export const ReviewsReply = Reply(Type.Object({ reviews: Type.Array(PaymentReview), total: Type.Integer() }));
