import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { ListReply, numberedQuery, Pagination, SortOrder } from "../paging.ts";
import { Decimal, Id, OneOf, Strict, Timestamp } from "../primitives.ts";
import { TRANSACTION_TYPES } from "./wallet.ts";

/** Transactions of a user's money, and the platform's fees (spec, control plane §2 "Wallet records", §4.6, §4.8). */

export const TransactionType = OneOf(
  TRANSACTION_TYPES,
  "`credit`, `top_up`, `bonus` and `refund` raise the general balance, all others lower it",
);

/** Amounts of transactions are numbers, like those of invoices; amounts of fees are text, like those of balances. */
export const UsdNumber = Type.Number({ description: "USD, with at most two decimals", examples: [25.5] });

export const Transaction = Type.Object({
  id: Id,
  user_id: Id,
  transaction_type: TransactionType,
  status: Type.String({ description: "`completed`" }),
  amount: UsdNumber,
  currency: Type.String({ examples: ["USD"] }),
  reason: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Transaction = Static<typeof Transaction>;

export const TRANSACTIONS_LIMIT = { standard: 20, max: 100 } as const;

const TransactionSort = OneOf(["id", "transaction_type", "status", "amount", "created_at", "updated_at"]);
export type TransactionSort = Static<typeof TransactionSort>;

export const TransactionsQuery = Strict({
  ...numberedQuery(TRANSACTIONS_LIMIT),
  sort_by: Type.Optional(TransactionSort),
  sort_order: Type.Optional(SortOrder),
});

export const TransactionReply = Reply(Transaction);
export const TransactionsReply = ListReply(Transaction);

export const AiFee = Type.Object({
  id: Id,
  transaction_id: Id,
  amount: Decimal,
  created_at: Timestamp,
  transaction: Type.Object({ id: Id, reason: Type.String(), amount: Decimal }),
});
export type AiFee = Static<typeof AiFee>;

export const AI_FEES_LIMIT = { standard: 20, max: 100 } as const;

const AiFeeSort = OneOf(["created_at", "amount", "transaction_id"]);
export type AiFeeSort = Static<typeof AiFeeSort>;

export const AiFeesQuery = Strict({
  ...numberedQuery(AI_FEES_LIMIT),
  sort_by: Type.Optional(AiFeeSort),
  sort_order: Type.Optional(SortOrder),
});

export const AiFeesReply = Reply(Type.Object({ fees: Type.Array(AiFee), pagination: Pagination }));
