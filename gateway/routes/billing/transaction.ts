import { Elysia } from "elysia";
import {
  listAiFees,
  listTransactions,
  readTransaction,
} from "../../../actors/billing/transaction/queries.ts";
import {
  AI_FEES_LIMIT,
  AiFeesQuery,
  AiFeesReply,
  TRANSACTIONS_LIMIT,
  TransactionReply,
  TransactionsQuery,
  TransactionsReply,
} from "../../../schemas/billing/transaction.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { signedIn } from "../../auth/guards.ts";
import type { Berth } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";
import { numberedPage, paginationOf } from "../../http/query.ts";

/** What moved the caller's money (spec, control plane §4.6, §4.8). */
export const transactionRoutes = ({ db, tokens }: Berth) =>
  new Elysia({ prefix: "/api/v1/wallet", detail: { tags: ["Wallet"] } })
    .use(signedIn(tokens, "wallet.read"))
    .get(
      "/transactions",
      async ({ caller, query }) => {
        const { limit, offset } = numberedPage(query, TRANSACTIONS_LIMIT);
        const transactions = await listTransactions(db, caller.userId, {
          limit,
          offset,
          sortBy: query.sort_by ?? "created_at",
          sortOrder: query.sort_order ?? "desc",
        });
        return ok("Transactions", transactions);
      },
      {
        query: TransactionsQuery,
        response: { 200: TransactionsReply },
        detail: {
          summary: "Your transactions, newest first",
          description: "A page that holds fewer than `limit` of them is the last one.",
        },
      },
    )
    .get(
      "/transactions/:id",
      async ({ caller, params }) => {
        const transaction = await readTransaction(db, caller.userId, params.id);
        if (transaction === undefined)
          throw new DomainError("TRANSACTION_NOT_FOUND", "Transaction not found");
        return ok("Transaction", transaction);
      },
      {
        params: IdParams,
        response: { 200: TransactionReply, ...errors("TRANSACTION_NOT_FOUND") },
        detail: { summary: "A transaction" },
      },
    )
    .get(
      "/ai-fee-history",
      async ({ caller, query }) => {
        const { page, limit, offset } = numberedPage(query, AI_FEES_LIMIT);
        const { fees, total } = await listAiFees(db, caller.userId, {
          limit,
          offset,
          sortBy: query.sort_by ?? "created_at",
          sortOrder: query.sort_order ?? "desc",
        });
        return ok("AI fees", { fees, pagination: paginationOf(total, page, limit) });
      },
      {
        query: AiFeesQuery,
        response: { 200: AiFeesReply },
        detail: { summary: "What the platform kept of your transfers to AI credit" },
      },
    );
