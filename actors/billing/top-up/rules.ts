import type {
  IntentStatus,
  PaymentAdapter,
  PaymentProviderName,
  ReviewReason,
} from "../../../schemas/billing/top-up.ts";
import { DomainError } from "../../../schemas/errors.ts";

/** Intents are in US dollars, and so are wallets. */
export const CURRENCY = "USD";

/** The review of a settlement by an operator. There is at most one for each hosted session. */
export interface Review {
  readonly id: string;
  readonly sessionId: string;
  readonly reason: ReviewReason;
  /** The total that the session has paid so far; null if it is not known in USD. */
  readonly paidCents: bigint | null;
  readonly currency: string;
  readonly reported: string;
  /** `crediting`: the deposit is in flight to the wallet. */
  readonly status: "open" | "crediting" | "credited" | "dismissed";
  /** The amount that its resolution credited to the wallet. */
  readonly creditedCents: bigint;
  readonly note: string | null;
  readonly resolvedBy: string | null;
  readonly resolvedAt: Date | null;
  readonly createdAt: Date;
}

/** An intent as its actor holds it. */
export interface Intent {
  readonly userId: string;
  readonly provider: PaymentProviderName;
  readonly adapter: PaymentAdapter | null;
  readonly status: IntentStatus;
  /** Whether a deposit of the intent's own session is in flight to the wallet. */
  readonly settling: boolean;
  readonly amountCents: bigint;
  readonly sessionId: string | null;
  readonly redirectUrl: string | null;
  /** The request that asks the processor for the hosted session, and until when no other may. */
  readonly sessionClaim: { readonly token: string; readonly until: Date } | null;
  /** The total of the deposits for the intent's own session, in flight or arrived. */
  readonly depositedCents: bigint;
  /** The number of deposits that were sent. A deposit's number is a part of its key. */
  readonly deposits: number;
  readonly creditedAt: Date | null;
  readonly expiresAt: Date;
  readonly createdAt: Date;
  readonly reviews: readonly Review[];
}

/** A payment that a processor reports. `paidCents` is the session's total; null if it is not known in USD. */
export interface Settlement {
  readonly sessionId: string;
  readonly paidCents: bigint | null;
  readonly currency: string;
  readonly reported: string;
  /** False while the processor may still reverse the payment: then an operator decides. */
  readonly isFinal: boolean;
}

/** The status of an intent at a time: past its expiry it is `expired`, whether or not its timer has run. */
export const statusAt = ({ status, settling, expiresAt }: Intent, now: Date): IntentStatus =>
  status === "pending" && !settling && expiresAt <= now ? "expired" : status;

/** Whether the payment can no longer fail or expire: it has already, or the money has arrived. */
export const isOver = (intent: Intent, now: Date): boolean =>
  intent.settling || statusAt(intent, now) !== "pending";

/**
 * Whether a caller may ask the processor for the hosted session now. Only one at a time may, since processors without
 * idempotency keys would make two sessions.
 */
export const canOpenSession = (intent: Intent, now: Date): boolean =>
  intent.redirectUrl === null &&
  statusAt(intent, now) === "pending" &&
  (intent.sessionClaim === null || intent.sessionClaim.until <= now);

export type SettlementDecision =
  | { readonly kind: "credit"; readonly cents: bigint }
  | { readonly kind: "flag"; readonly reason: ReviewReason }
  | { readonly kind: "nothing" };

/**
 * Decides on a settlement. The intent's amount, in its currency and paid through its own session, is credited
 * whatever the intent's status, since the money has arrived. Everything else is left to an operator.
 */
export function decideSettlement(intent: Intent, settlement: Settlement): SettlementDecision {
  const { paidCents, currency, sessionId } = settlement;
  const known = intent.reviews.find((review) => review.sessionId === sessionId);
  const flag = (reason: ReviewReason): SettlementDecision =>
    known !== undefined && isCoveredBy(known, settlement, reason)
      ? { kind: "nothing" }
      : { kind: "flag", reason };
  if (currency !== CURRENCY) return flag("currency_mismatch");
  if (paidCents === null) return flag("amount_unknown");
  if (intent.sessionId !== sessionId) return flag("other_session");
  if (intent.depositedCents > 0n && paidCents <= intent.depositedCents) return { kind: "nothing" };
  if (!settlement.isFinal) return flag("not_final");
  if (paidCents !== intent.amountCents) return flag("amount_mismatch");
  return { kind: "credit", cents: intent.amountCents - intent.depositedCents };
}

/** Whether a review has this settlement already, or a larger one: a delayed callback reports an earlier total. */
const isCoveredBy = (review: Review, { paidCents, currency }: Settlement, reason: ReviewReason): boolean =>
  review.currency === currency &&
  (review.paidCents !== null && paidCents !== null && paidCents !== review.paidCents
    ? paidCents < review.paidCents
    : review.paidCents === paidCents && review.reason === reason);

/** Whether a review is settled, since its session has paid the requested amount. */
export const isSettledByPayment = ({ sessionId, amountCents }: Intent, review: Review): boolean =>
  review.sessionId === sessionId &&
  review.status === "open" &&
  review.currency === CURRENCY &&
  (review.paidCents ?? 0n) <= amountCents;

/**
 * The amount that the review can credit: what its session has paid and is not credited yet. Cents, more than zero.
 * @throws REVIEW_NOT_CREDITABLE
 */
export function creditable(intent: Intent, review: Review): bigint {
  const before = review.sessionId === intent.sessionId ? intent.depositedCents : review.creditedCents;
  if (review.paidCents === null || review.currency !== CURRENCY) {
    throw new DomainError(
      "REVIEW_NOT_CREDITABLE",
      `what was paid is not known in ${CURRENCY}: dismiss it, and credit the wallet by hand`,
    );
  }
  if (review.paidCents > before) return review.paidCents - before;
  throw new DomainError("REVIEW_NOT_CREDITABLE", "all that was paid is in the wallet already");
}
