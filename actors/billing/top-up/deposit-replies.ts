import { type Static, Type } from "@sinclair/typebox";
import { DomainError } from "../../../schemas/errors.ts";
import { Id, Nullable } from "../../../schemas/primitives.ts";
import { fromCents } from "../../platform/money.ts";
import type { Context } from "../../runtime/definition.ts";
import {
  hasDepositInFlight,
  openReview,
  recordResolvedEvent,
  recordSettledEvent,
  type State,
  saveReview,
} from "./changes.ts";
import { CURRENCY, type Intent, type Review } from "./rules.ts";

/** How the wallet's reply to a deposit changes its payment intent. */

type Ctx = Context<State>;

/** The purpose of a deposit. */
export const DepositContext = Type.Object({
  number: Type.Integer(),
  cents: Type.Integer({ minimum: 1 }),
  is_own: Type.Boolean(),
  session_id: Type.String(),
  reported: Type.String(),
  review: Nullable(Type.Object({ id: Id, saga: Type.String() })),
});
type DepositContext = Static<typeof DepositContext>;

/** Handles a deposit that arrived in the wallet. */
export function onDepositCredited(
  ctx: Ctx,
  before: Intent,
  context: DepositContext,
  transactionId: string,
): void {
  let intent = before;
  if (context.is_own) {
    const settling = hasDepositInFlight(ctx, intent, context.number);
    intent = settling
      ? intent
      : { ...intent, settling, status: "completed", creditedAt: intent.creditedAt ?? ctx.now };
  }
  const review = reviewOf(intent, context);
  if (review !== undefined) {
    const creditedCents = review.creditedCents + BigInt(context.cents);
    // If more was paid meanwhile, that must be decided too.
    const isAll = (review.paidCents ?? 0n) <= (context.is_own ? intent.depositedCents : creditedCents);
    const after: Review = { ...review, creditedCents, status: isAll ? "credited" : "open" };
    intent = saveReview(ctx, intent, after);
    recordResolvedEvent(ctx, intent, after, "credited");
  }
  ctx.setState(intent);
  recordSettledEvent(ctx, intent, {
    outcome: "credited",
    credited: fromCents(BigInt(context.cents)),
    transaction_id: transactionId,
    ...(before.status === "pending" ? {} : { was: before.status }),
    ...(review === undefined ? {} : { review_id: review.id }),
  });
  if (context.review !== null) ctx.completeSaga(context.review.saga, { review_id: context.review.id });
}

/** Handles a deposit that the wallet refused, which it never should. The money is not lost: an operator reviews it. */
export function onDepositRefused(ctx: Ctx, before: Intent, context: DepositContext, why: string): void {
  let intent = before;
  if (context.is_own) {
    const settling = hasDepositInFlight(ctx, intent, context.number);
    intent = { ...intent, settling, depositedCents: intent.depositedCents - BigInt(context.cents) };
  }
  const review = reviewOf(intent, context);
  if (review === undefined) {
    const paidCents = intent.depositedCents + BigInt(context.cents);
    const { session_id: sessionId, reported } = context;
    intent = openReview(
      ctx,
      intent,
      { sessionId, paidCents, currency: CURRENCY, reported, isFinal: true },
      "deposit_refused",
    );
  } else intent = saveReview(ctx, intent, { ...review, status: "open" });
  ctx.setState(intent);
  if (context.review !== null) {
    ctx.completeSaga(
      context.review.saga,
      new DomainError("REVIEW_NOT_CREDITABLE", `the wallet refused it: ${why}`),
    );
  }
}

const reviewOf = (intent: Intent, { review }: DepositContext): Review | undefined =>
  intent.reviews.find(({ id }) => id === review?.id);
