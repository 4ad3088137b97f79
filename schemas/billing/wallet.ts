import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { Amount, Decimal, Id, IdempotencyKey, OneOf, Strict, Timestamp } from "../primitives.ts";
import { Text } from "../text.ts";
import { AI_USAGE_STATUS } from "./ai-credit.ts";

/** A user's wallet: general balance and AI credit (spec, control plane §2 "Wallet records", §4.6, §4.9). */

const aiBalance = { ai_limit: Decimal, ai_usage: Decimal, ai_remaining: Decimal };

export const Balances = Type.Object({
  general_balance: Decimal,
  ...aiBalance,
  ai_usage_status: Type.String({
    description: `Unless it is \`live\`, ai_usage and ai_remaining are unknown and shown as zero, and no credit may be treated as spendable. ${Object.entries(
      AI_USAGE_STATUS,
    )
      .map(([status, meaning]) => `\`${status}\`: ${meaning}`)
      .join("; ")}`,
    examples: ["live"],
  }),
});
export type Balances = Static<typeof Balances>;

export const AiBalance = Type.Object(aiBalance);
export type AiBalance = Static<typeof AiBalance>;

export const GeneralBalance = Type.Object({
  id: Id,
  user_id: Id,
  general_balance: Decimal,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type GeneralBalance = Static<typeof GeneralBalance>;

/** General balance to AI credit, one way (spec §4.9). */
export const Transfer = Strict({
  amount: Amount,
  idempotency_key: Type.Optional(IdempotencyKey),
  expected_fee_bps: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 9999,
      description: "the fee that the client displayed, basis points",
    }),
  ),
});
export type Transfer = Static<typeof Transfer>;

/** The wallet's reply, which is stored as the receipt; `replayed` is added when the receipt is read again. */
export const TransferReceipt = Type.Object({
  gross_transferred: Decimal,
  net_ai_credit: Decimal,
  fee: Type.String({
    description:
      "the platform's share, rounded half-up to the cent: at 500 basis points an amount below 0.10 costs nothing",
    examples: ["1.25"],
  }),
  general_balance: Decimal,
  ai_balance: Decimal,
});
export type TransferReceipt = Static<typeof TransferReceipt>;

/** Whether the credit of a transfer has reached the provider, read by the gateway when it replies. */
export const TransferSync = Type.Object({
  key_created: Type.Boolean({ description: "the key at the provider was created for this transfer" }),
  limit_sync_pending: Type.Boolean({
    description: "the provider does not have this credit yet; it is synced without any further request",
  }),
});
export type TransferSync = Static<typeof TransferSync>;

/** A credit of an operator to a wallet's general balance (design §3 "Operator's surface"). */
export const Credit = Strict({
  amount: Amount,
  reason: Text({ minLength: 1, maxLength: 255, pattern: "\\S" }),
  /** Required here or in the header, because a duplicate credit would go unnoticed. */
  idempotency_key: Type.Optional(IdempotencyKey),
});
export type Credit = Static<typeof Credit>;

/**
 * The types of transactions. `top_up` and `bonus` bring money in, `credit` is given by an operator, `refund` returns the money
 * of a sale, `ai_credit_transfer` moves money to AI credit, `forfeit` gives up the balance of a deleted account.
 */
export const TRANSACTION_TYPES = [
  "ai_credit_transfer",
  "credit",
  "top_up",
  "bonus",
  "rental",
  "rental_extension",
  "reservation",
  "image_purchase",
  "refund",
  "forfeit",
] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

export const SALES = ["rental", "rental_extension", "reservation", "image_purchase"] as const;
/** Types that lower the general balance; all others raise it. */
export const DEBITS: readonly TransactionType[] = ["ai_credit_transfer", "forfeit", ...SALES];
const DEPOSIT_SOURCES = ["cardpay", "cryptopay", "codehost_bonus"] as const;
export type DepositSource = (typeof DEPOSIT_SOURCES)[number];

const Cents = Type.Integer({ minimum: 1, maximum: 100_000_000_000_000, description: "cents" });
const Reason = Text({ minLength: 1, maxLength: 255, pattern: "\\S" });

/**
 * Between actors: the platform sells something. The operation's key ensures that it happens at most once, and
 * aborting the send with `ctx.abort` cancels it if it has not been executed yet.
 */
export const Charge = Strict({
  amount_cents: Cents,
  transaction_type: OneOf(SALES),
  reason: Reason,
});
export type Charge = Static<typeof Charge>;

/** Between actors: what is left of a charge is returned. `amount_cents` is the whole charge's. */
/** Between actors: gives up so much of the balance, or what there is. */
export const Forfeit = Strict({ amount_cents: Cents });
export const Refund = Strict({
  amount_cents: Cents,
  charge_transaction_id: Id,
  reason: Reason,
  /** At most so much. */
  part_cents: Type.Optional(Cents),
});
export type Refund = Static<typeof Refund>;

/** An administrator's refund of a charge, whole or in part. */
export const RefundTransaction = Strict({
  amount: Type.Optional(
    Type.Unsafe<string>({
      ...Amount,
      description: "an amount in USD, such as 2.50; left out: all that is not refunded yet",
    }),
  ),
  reason: Text({
    minLength: 1,
    maxLength: 255,
    pattern: "\\S",
    description: "the user reads it, and so does whoever reads the audit log",
  }),
  /** Required here or in the header, because a duplicate refund of a part would go unnoticed. */
  idempotency_key: Type.Optional(IdempotencyKey),
});
export type RefundTransaction = Static<typeof RefundTransaction>;

/** To the wallet: the refund, with the charge as the ledger has it. Charges never change. */
export const RefundCharge = Strict({
  ...RefundTransaction.properties,
  charge: Strict({
    transaction_id: Id,
    amount_cents: Cents,
    /** What was sold. */
    reason: Type.Optional(Type.String()),
  }),
});

/** Between actors: a payment from outside, or a bonus, arrives. */
export const Deposit = Strict({
  amount_cents: Cents,
  source: OneOf(DEPOSIT_SOURCES),
  reason: Reason,
});
export type Deposit = Static<typeof Deposit>;

/** The reply to a credit, a charge, a refund and a deposit: the transaction, and the general balance after it. */
export const TransactionReceipt = Type.Object({
  transaction_id: Id,
  amount: Decimal,
  general_balance: Decimal,
});
export type TransactionReceipt = Static<typeof TransactionReceipt>;

/** The reply to an administrator's refund. */
export const RefundReceipt = Type.Composite([
  TransactionReceipt,
  Type.Object({
    refund_of: Type.Unsafe<string>({ ...Id, description: "the charge's transaction" }),
    refundable: Type.Unsafe<string>({
      ...Decimal,
      description: "what is still left to refund of the charge",
    }),
  }),
]);
export type RefundReceipt = Static<typeof RefundReceipt>;

const replayed = Type.Object({
  replayed: Type.Boolean({ description: "the key was used before; no money moved" }),
});

export const BalancesReply = Reply(Balances);
export const AiBalanceReply = Reply(AiBalance);
export const GeneralBalanceReply = Reply(GeneralBalance);
export const TransferReply = Reply(Type.Composite([TransferReceipt, TransferSync, replayed]));
export const RefundReply = Reply(Type.Composite([RefundReceipt, replayed]));
export const CreditReply = Reply(Type.Composite([TransactionReceipt, replayed]));
