import type { PaymentProviderName } from "../../../schemas/billing/top-up.ts";
import { bigint, boolean, group, integer, nullable, text, timestamp } from "../../runtime/columns.ts";
import { children, childTable, related, rootTable } from "../../runtime/table.ts";
import { CURRENCY, type Intent, type Review } from "./rules.ts";

/** The fields of the intent that a review's row repeats, for lists. */
interface OfIntent {
  readonly userId: string;
  readonly provider: PaymentProviderName;
  readonly expectedCents: bigint;
  readonly updatedAt: Date;
}

export const paymentReviewTable = childTable<Review, OfIntent>("payment_reviews", {
  parent: "intent_id",
  fields: {
    id: text("id"),
    sessionId: text("session_id"),
    reason: text("reason"),
    paidCents: nullable(bigint("paid_cents")),
    currency: text("currency"),
    reported: text("reported"),
    status: text("status"),
    creditedCents: bigint("credited_cents"),
    note: nullable(text("note")),
    resolvedBy: nullable(text("resolved_by")),
    resolvedAt: nullable(timestamp("resolved_at")),
    createdAt: timestamp("created_at"),
  },
  extra: {
    userId: text("user_id"),
    provider: text("provider"),
    expectedCents: bigint("expected_cents"),
    updatedAt: timestamp("updated_at"),
  },
});

export const paymentIntentTable = rootTable<Intent>("payment_intents", {
  key: "id",
  changedAt: "updated_at",
  fields: {
    userId: text("user_id"),
    provider: text("provider"),
    adapter: nullable(text("adapter")),
    status: text("status"),
    settling: boolean("settling"),
    amountCents: bigint("amount_cents"),
    sessionId: nullable(text("session_id")),
    redirectUrl: nullable(text("redirect_url")),
    sessionClaim: nullable(group({ token: text("claim_token"), until: timestamp("claim_until") })),
    depositedCents: bigint("deposited_cents"),
    deposits: integer("deposits"),
    creditedAt: nullable(timestamp("credited_at")),
    expiresAt: timestamp("expires_at"),
    createdAt: timestamp("created_at"),
    reviews: related(children(paymentReviewTable, { orderBy: ["created_at", "id"] })),
  },
  derived: { currency: () => CURRENCY },
});
