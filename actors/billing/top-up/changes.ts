import type { ReviewReason } from "../../../schemas/billing/top-up.ts";
import { fromCents } from "../../platform/money.ts";
import { recordEvent } from "../../platform/record-event.ts";
import type { Context } from "../../runtime/definition.ts";
import { messagesTo } from "../../runtime/transport/message.ts";
import type { walletActor } from "../wallet/index.ts";
import type { Intent, Review, Settlement } from "./rules.ts";
import { paymentReviewTable } from "./table.ts";

/** Steps that the handlers of a payment intent share. Each takes the intent and returns the changed intent. */

export type State = Intent | null;
type Ctx = Context<State>;

const wallets = messagesTo<ReturnType<typeof walletActor>>("wallet");

const REASON = { cardpay: "Top-up by card", cryptopay: "Top-up by crypto" } as const;

/** The name of a deposit in flight. The intent's completion waits for those of its own session. */
const depositName = (isOwn: boolean, number: number) => `${isOwn ? "own" : "other"}:${number}`;

/** Whether another deposit of the intent's own session waits for the wallet's reply. */
export const hasDepositInFlight = (ctx: Ctx, intent: Intent, but: number): boolean =>
  Array.from({ length: intent.deposits }, (_, number) => number).some(
    (number) => number !== but && ctx.isPending(depositName(true, number)),
  );

/** Sends money to the wallet, once: the key consists of the intent's id and the deposit's number. */
export function deposit(
  ctx: Ctx,
  intent: Intent,
  cents: bigint,
  settlement: Settlement,
  review: { readonly id: string; readonly saga: string } | null,
): Intent {
  const isOwn = intent.sessionId === settlement.sessionId;
  const number = intent.deposits;
  const message = wallets(intent.userId).deposit({
    amount_cents: Number(cents),
    source: intent.provider,
    reason: REASON[intent.provider],
  });
  ctx.send(depositName(isOwn, number), message, {
    key: `top-up:${ctx.actorId}:${number}`,
    onReply: "on_credited",
    context: {
      number,
      cents: Number(cents),
      is_own: isOwn,
      session_id: settlement.sessionId,
      reported: settlement.reported,
      review,
    },
  });
  return {
    ...intent,
    deposits: number + 1,
    depositedCents: intent.depositedCents + (isOwn ? cents : 0n),
    settling: intent.settling || isOwn,
  };
}

const UNDECIDED = { status: "open", note: null, resolvedBy: null, resolvedAt: null } as const;
const decisionOf = ({ status, note, resolvedBy, resolvedAt }: Review) => ({
  status,
  note,
  resolvedBy,
  resolvedAt,
});

/** Flags a settlement for an operator: opens the review of its session, or opens it again. */
export function openReview(ctx: Ctx, intent: Intent, settlement: Settlement, reason: ReviewReason): Intent {
  const known = intent.reviews.find((review) => review.sessionId === settlement.sessionId);
  const isCrediting = known?.status === "crediting";
  const review: Review = {
    id: known?.id ?? ctx.newId(),
    sessionId: settlement.sessionId,
    reason,
    paidCents: settlement.paidCents,
    currency: settlement.currency,
    reported: settlement.reported,
    creditedCents: known?.creditedCents ?? 0n,
    ...(isCrediting ? decisionOf(known) : UNDECIDED),
    createdAt: known?.createdAt ?? ctx.now,
  };
  recordSettledEvent(ctx, intent, { outcome: "under_review", review_id: review.id, reason });
  return saveReview(ctx, intent, review);
}

/** Writes a review. */
export function saveReview(ctx: Ctx, intent: Intent, review: Review): Intent {
  const isKnown = intent.reviews.some(({ id }) => id === review.id);
  const row = paymentReviewTable.row(ctx.actorId, review, {
    userId: intent.userId,
    provider: intent.provider,
    expectedCents: intent.amountCents,
    updatedAt: ctx.now,
  });
  ctx[isKnown ? "update" : "insert"]("payment_reviews", row);
  return { ...intent, reviews: [...intent.reviews.filter(({ id }) => id !== review.id), review] };
}

/** Records the outcome of a payment in the user's log. */
export function recordSettledEvent(ctx: Ctx, intent: Intent, data: Record<string, unknown>): void {
  recordEvent(ctx, {
    event_type: "activity_log.payment_settled",
    resource_id: ctx.actorId,
    user_id: intent.userId,
    data: {
      intent_id: ctx.actorId,
      provider: intent.provider,
      amount: fromCents(intent.amountCents),
      ...data,
    },
  });
}

/** Records an operator's decision: with its reason in the operator's log, and without it in the user's. */
export function recordResolvedEvent(ctx: Ctx, intent: Intent, review: Review, outcome: string): void {
  recordEvent(ctx, {
    event_type: "activity_log.payment_settled",
    resource_id: review.id,
    user_id: review.resolvedBy,
    data: {
      intent_id: ctx.actorId,
      review_id: review.id,
      of_user: intent.userId,
      outcome,
      credited: fromCents(review.creditedCents),
      note: review.note,
    },
  });
}
