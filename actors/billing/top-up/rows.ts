import type { Row } from "../../runtime/definition.ts";
import { CURRENCY, type Intent, type Review } from "./rules.ts";

export const intentRow = (intent: Intent, id: string, now: Date): Row => ({
  id,
  user_id: intent.userId,
  provider: intent.provider,
  adapter: intent.adapter,
  status: intent.status,
  settling: intent.settling,
  amount_cents: intent.amountCents,
  currency: CURRENCY,
  session_id: intent.sessionId,
  redirect_url: intent.redirectUrl,
  opening_token: intent.opening?.token ?? null,
  opening_until: intent.opening?.until ?? null,
  deposited_cents: intent.depositedCents,
  deposits: intent.deposits,
  credited_at: intent.creditedAt,
  expires_at: intent.expiresAt,
  created_at: intent.createdAt,
  updated_at: now,
});

export const reviewRow = (review: Review, intent: Intent, intentId: string, now: Date): Row => ({
  id: review.id,
  intent_id: intentId,
  user_id: intent.userId,
  provider: intent.provider,
  session_id: review.sessionId,
  reason: review.reason,
  expected_cents: intent.amountCents,
  paid_cents: review.paidCents,
  currency: review.currency,
  reported: review.reported,
  status: review.status,
  credited_cents: review.creditedCents,
  note: review.note,
  resolved_by: review.resolvedBy,
  resolved_at: review.resolvedAt,
  created_at: review.createdAt,
  updated_at: now,
});
