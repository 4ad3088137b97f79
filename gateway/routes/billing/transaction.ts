import { Elysia } from "elysia";
import {
  listAiFees,
  listTransactions,
  readTransaction,
} from "../../../actors/billing/transaction/queries.ts";
import {
  AI_FEES_LIMIT,
  AI_FEES_SORT,
  AiFeesQuery,
  AiFeesReply,
  TRANSACTIONS_LIMIT,
  TRANSACTIONS_SORT,
  TransactionReply,
  TransactionsQuery,
  TransactionsReply,
} from "../../../schemas/billing/transaction.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";
import { numberedPage, numberedPagination, okList, ownList } from "../../http/paging.ts";

/** The transactions of the caller's wallet (spec, control plane §4.6, §4.8). */
export const transactionRoutes = ({ db, credentials }: GatewayContext) =>
  new Elysia({ prefix: "/api/v1/wallet", detail: { tags: ["Wallet"] } })
    .use(signedIn(credentials, "wallet.read"))
    .get(
      "/transactions",
      async ({ caller, query }) => {
        const page = numberedPage(
          ownList("transactions", caller),
          query,
          TRANSACTIONS_LIMIT,
          TRANSACTIONS_SORT,
        );
        return okList("Transactions", page, await listTransactions(db, caller.userId, page));
      },
      {
        query: TransactionsQuery,
        response: { 200: TransactionsReply },
        detail: {
          summary: "Your transactions, newest first",
          description: "`pagination.next_cursor` is null on the last page.",
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
        const page = numberedPage(ownList("ai-fees", caller), query, AI_FEES_LIMIT, AI_FEES_SORT);
        const { rows: fees, total, next } = await listAiFees(db, caller.userId, page);
        return ok("AI fees", { fees, pagination: numberedPagination(page, next, total) });
      },
      {
        query: AiFeesQuery,
        response: { 200: AiFeesReply },
        detail: { summary: "The fees on your transfers to AI credit" },
      },
    );
