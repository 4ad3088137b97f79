import type {
  IntentStatus,
  PaymentAdapter,
  PaymentProviderName,
  ReviewReason,
} from "../../../schemas/billing/top-up.ts";
import { DomainError } from "../../../schemas/errors.ts";

/** Intents are in US dollars, and so are wallets. */
export const CURRENCY = "USD";

/** A settlement that waits for an operator. There is one for each hosted session. */
export interface Review {
  readonly id: string;
  readonly sessionId: string;
  readonly reason: ReviewReason;
  /** All that the session has paid so far; null where that is not known in USD. */
  readonly paidCents: bigint | null;
  readonly currency: string;
  readonly reported: string;
  /** `crediting`: the deposit is on its way to the wallet. */
  readonly status: "open" | "crediting" | "credited" | "dismissed";
  /** What its resolution brought to the wallet. */
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
  /** A deposit of the intent's own session is on its way to the wallet. */
  readonly settling: boolean;
  readonly amountCents: bigint;
  readonly sessionId: string | null;
  readonly redirectUrl: string | null;
  /** Who asks the processor for the hosted session, and until when nobody else does. */
  readonly sessionClaim: { readonly token: string; readonly until: Date } | null;
  /** What went to the wallet for the own session, on its way or there. */
  readonly depositedCents: bigint;
  /** How many deposits were sent: the number of one is a part of its key. */
  readonly deposits: number;
  readonly creditedAt: Date | null;
  readonly expiresAt: Date;
  readonly createdAt: Date;
  readonly reviews: readonly Review[];
}

/** What a processor says that was paid. `paidCents` is the session's total, null where it is not known in USD. */
export interface Settlement {
  readonly sessionId: string;
  readonly paidCents: bigint | null;
  readonly currency: string;
  readonly reported: string;
  /** False while the processor may still take it back: then it is an operator's to judge. */
  readonly isFinal: boolean;
}

/** The status of an intent at a time: one that is due to expire has expired, whether or not its timer has run. */
export const statusAt = ({ status, settling, expiresAt }: Intent, now: Date): IntentStatus =>
  status === "pending" && !settling && expiresAt <= now ? "expired" : status;

/** Whether nobody can say any more that the payment failed or ran out: it did, or the money is there. */
export const isOver = (intent: Intent, now: Date): boolean =>
  intent.settling || statusAt(intent, now) !== "pending";

/**
 * Whether a caller may ask the processor for the hosted session now. One at a time may: processors that know no idempotency
 * keys would make two sessions.
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
 * What becomes of a settlement. The amount that was asked for, in its currency and by the intent's own session, is credited,
 * whatever the intent's status: the money is there. Anything else is an operator's to judge.
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

/** Whether a review says this already, or more: a callback that was overtaken tells of less than the session has paid. */
const isCoveredBy = (review: Review, { paidCents, currency }: Settlement, reason: ReviewReason): boolean =>
  review.currency === currency &&
  (review.paidCents !== null && paidCents !== null && paidCents !== review.paidCents
    ? paidCents < review.paidCents
    : review.paidCents === paidCents && review.reason === reason);

/** Whether a review needs nobody any more once its session has paid the amount that was asked for. */
export const isSettledByPayment = ({ sessionId, amountCents }: Intent, review: Review): boolean =>
  review.sessionId === sessionId &&
  review.status === "open" &&
  review.currency === CURRENCY &&
  (review.paidCents ?? 0n) <= amountCents;

/**
 * What the credit of a review brings to the wallet: what its session paid and nobody credited yet. Cents, more than zero.
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
