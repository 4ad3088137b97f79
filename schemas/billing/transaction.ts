import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { CursorPagination, cursorQuery, LIST_PAGE, ListReply, numberedQuery, Pagination } from "../paging.ts";
import { Decimal, Id, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";
import { AMOUNTS_NEWEST_FIRST, sortByQuery, sorting } from "../sorting.ts";
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
  refund_of: Nullable(
    Type.Unsafe<string>({
      ...Id,
      description: "the charge that this transaction refunds; null: it is no refund",
    }),
  ),
  refund_of_reason: Nullable(
    Type.String({
      description: "the reason of the charge that it refunds: what was sold; null: it is no refund",
    }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Transaction = Static<typeof Transaction>;

export const TRANSACTIONS_LIMIT = { standard: 20, max: 100 } as const;

export const TRANSACTIONS_SORT = sorting("-created_at", {
  id: "text",
  transaction_type: "text",
  status: "text",
  amount: "integer",
  created_at: "time",
  updated_at: "time",
});

export const TransactionsQuery = Strict({
  ...numberedQuery(TRANSACTIONS_LIMIT, TRANSACTIONS_SORT),
  ...sortByQuery(TRANSACTIONS_SORT),
});

/** A transaction as administrators see it. */
export const ManagedTransaction = Type.Composite([
  Transaction,
  Type.Object({
    refunded: Type.Unsafe<number>({
      ...UsdNumber,
      description: "USD that were refunded of this transaction",
    }),
    refundable: Type.Unsafe<number>({
      ...UsdNumber,
      description: "USD that can still be refunded; 0 for all but charges",
    }),
  }),
]);
export type ManagedTransaction = Static<typeof ManagedTransaction>;

export const ManagedTransactionsQuery = Strict({
  ...cursorQuery(LIST_PAGE, AMOUNTS_NEWEST_FIRST),
  transaction_type: Type.Optional(TransactionType),
});
export const ManagedTransactionReply = Reply(ManagedTransaction);
export const ManagedTransactionsReply = Reply(
  Type.Object({
    transactions: Type.Array(ManagedTransaction),
    total: Type.Integer(),
    pagination: CursorPagination,
  }),
);

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

export const AI_FEES_SORT = sorting("-created_at", {
  created_at: "time",
  amount: "integer",
  transaction_id: "text",
});

export const AiFeesQuery = Strict({
  ...numberedQuery(AI_FEES_LIMIT, AI_FEES_SORT),
  ...sortByQuery(AI_FEES_SORT),
});

export const AiFeesReply = Reply(Type.Object({ fees: Type.Array(AiFee), pagination: Pagination }));
