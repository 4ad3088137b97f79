import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { CursorPagination, offsetQuery } from "../paging.ts";
import { Amount, Id, IdempotencyKey, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";
import { AMOUNTS_NEWEST_FIRST, NEWEST_FIRST } from "../sorting.ts";
import { Text } from "../text.ts";

/** Money that a user pays into the wallet through a processor (spec, control plane §2 "Payment intent", §3, §4.9). */

/** The two processors of the spec. */
export const PAYMENT_PROVIDERS = ["cardpay", "cryptopay"] as const;
export type PaymentProviderName = (typeof PAYMENT_PROVIDERS)[number];

/**
 * The adapters of processors. Each intent stores its adapter, so that no sandbox settles an intent that a real
 * processor opened.
 */
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
    description:
      "`completed` is final; a payment that arrives after `expired` or `failed` still completes the intent",
  }),
  amount: Type.Number({ description: "USD" }),
  credited_amount: Nullable(
    Type.Number({
      description:
        "USD that payments of this intent brought to the wallet. It differs from `amount` where an operator credited a payment of " +
        "another amount. Null until the first credit",
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
  /**
   * May be given here or in the header. Without a key, a repeated request creates a second intent, which costs
   * nothing until it is paid.
   */
  idempotency_key: Type.Optional(IdempotencyKey),
});

export const INTENTS_PAGE = { standard: 20, max: 100 };

export const IntentsQuery = Strict(offsetQuery(INTENTS_PAGE, AMOUNTS_NEWEST_FIRST));

export const ProviderAvailability = Type.Object({
  enabled: Type.Boolean(),
  min_usd: Type.Number(),
  max_usd: Type.Number(),
});
export const PaymentAvailability = Type.Object({
  cardpay: ProviderAvailability,
  cryptopay: ProviderAvailability,
  ai_credit_fee_bps: Type.Integer({ description: "the platform's share of a transfer, basis points" }),
});
export type PaymentAvailability = Static<typeof PaymentAvailability>;

const hostedUrl = Nullable(
  Type.String({ description: "where the user pays; null when the intent ended before it had a hosted page" }),
);

export const PaymentAvailabilityReply = Reply(PaymentAvailability);
export const CheckoutReply = Reply(Type.Object({ intent: PaymentIntent, checkout_url: hostedUrl }));
export const CryptoInvoiceReply = Reply(Type.Object({ intent: PaymentIntent, invoice_url: hostedUrl }));
export const IntentReply = Reply(PaymentIntent);
export const IntentsReply = Reply(
  Type.Object({ intents: Type.Array(PaymentIntent), total: Type.Integer(), pagination: CursorPagination }),
);

/**
 * Why an incoming payment is not in the wallet: its amount or currency differs from the request, the session belongs
 * to another intent, the processor reports no amount or does not consider the payment settled, or the wallet refused
 * it.
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
export const ReviewStatusSchema = OneOf(REVIEW_STATUSES);
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** A settlement that needs, or needed, an operator's decision. */
export const PaymentReview = Type.Object({
  id: Id,
  intent_id: Id,
  user_id: Id,
  provider: PaymentProviderSchema,
  session_id: Type.String({ description: "the id of the hosted session at the processor" }),
  reason: OneOf(REVIEW_REASONS),
  expected_amount: Type.Number({ description: "USD" }),
  paid_amount: Nullable(Type.Number({ description: "USD; null when it is not known in USD" })),
  reported: Type.String({ description: "the payment as the processor reported it" }),
  status: ReviewStatusSchema,
  credited_amount: Type.Number({ description: "USD that this review's resolution brought to the wallet" }),
  note: Nullable(Type.String()),
  resolved_by: Nullable(Id),
  resolved_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type PaymentReview = Static<typeof PaymentReview>;

export const ReviewsQuery = Strict({
  ...offsetQuery(INTENTS_PAGE, NEWEST_FIRST),
  status: Type.Optional(ReviewStatusSchema),
});

/** `credit` credits the wallet with the part of the payment that is not credited yet; `dismiss` credits nothing. */
export const ResolveReview = Strict({
  action: OneOf(["credit", "dismiss"] as const),
  note: Text({ minLength: 1, maxLength: 500, pattern: "\\S" }),
});

export const ReviewReply = Reply(PaymentReview);
export const ReviewsReply = Reply(
  Type.Object({ reviews: Type.Array(PaymentReview), total: Type.Integer(), pagination: CursorPagination }),
);
