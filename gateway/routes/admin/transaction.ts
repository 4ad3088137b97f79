import { Elysia } from "elysia";
import { readManagedUser } from "../../../actors/accounts/account/users/queries.ts";
import {
  isCharge,
  listManagedTransactions,
  readManagedTransaction,
} from "../../../actors/billing/transaction/queries.ts";
import {
  ManagedTransactionReply,
  ManagedTransactionsQuery,
  ManagedTransactionsReply,
} from "../../../schemas/billing/transaction.ts";
import { RefundReply, RefundTransaction } from "../../../schemas/billing/wallet.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import { LIST_PAGE } from "../../../schemas/paging.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { AMOUNTS_NEWEST_FIRST } from "../../../schemas/sorting.ts";
import { admin } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";
import { cursorPagination, listPage } from "../../http/paging.ts";

/** Users' transactions, for administrators, and refunds of charges (docs/decisions/0066-refunds.md). */
export const adminTransactionRoutes = ({ db, actors, credentials }: GatewayContext) => {
  const transactionOf = async (id: string) => {
    const found = await readManagedTransaction(db, id);
    if (found === undefined) throw new DomainError("TRANSACTION_NOT_FOUND", "Transaction not found");
    return found;
  };

  return new Elysia({ prefix: "/api/v1/admin", detail: { tags: ["Administration"] } })
    .use(admin(credentials))
    .get(
      "/users/:id/transactions",
      async ({ params, query }) => {
        if ((await readManagedUser(db, params.id)) === undefined)
          throw new DomainError("USER_NOT_FOUND", "User not found");
        const page = listPage(
          `admin/users/${params.id}/transactions`,
          query,
          LIST_PAGE,
          AMOUNTS_NEWEST_FIRST,
        );
        const found = await listManagedTransactions(db, params.id, query.transaction_type, page);
        const { rows: transactions, total, next } = found;
        return ok("Transactions", { transactions, total, pagination: cursorPagination(page, next) });
      },
      {
        params: IdParams,
        query: ManagedTransactionsQuery,
        response: { 200: ManagedTransactionsReply, ...errors("USER_NOT_FOUND") },
        detail: { summary: "A user's transactions, newest first, with what was refunded of each" },
      },
    )
    .get(
      "/transactions/:id",
      async ({ params }) => ok("Transaction", (await transactionOf(params.id)).transaction),
      {
        params: IdParams,
        response: { 200: ManagedTransactionReply, ...errors("TRANSACTION_NOT_FOUND") },
        detail: { summary: "A transaction of any user, with what was refunded of it" },
      },
    )
    .post(
      "/transactions/:id/refund",
      async ({ params, body, operation, operator }) => {
        const { transaction, amountCents } = await transactionOf(params.id);
        if (!isCharge(transaction.transaction_type))
          throw new DomainError("NOT_REFUNDABLE", "only charges for sales can be refunded");
        if (!operation.hasClientKey)
          throw new ValidationError(
            "body.idempotency_key",
            "required, here or in the header Idempotency-Key",
          );
        const charge = { transaction_id: params.id, amount_cents: amountCents, reason: transaction.reason };
        const wallet = actors.wallet(transaction.user_id);
        const { value, replayed } = await wallet.refund_charge({ ...body, charge, operator }, operation);
        return ok("Charge refunded", { ...value, replayed });
      },
      {
        params: IdParams,
        body: RefundTransaction,
        response: {
          200: RefundReply,
          ...errors(
            "TRANSACTION_NOT_FOUND",
            "NOT_REFUNDABLE",
            "REFUND_EXCEEDS_CHARGE",
            "IDEMPOTENCY_KEY_REUSED",
          ),
        },
        detail: {
          summary: "Refund a charge, whole or in part",
          description:
            "The money returns to the general balance of the user, who gets a notice with what was refunded and the reason. All refunds of a charge together are never " +
            "more than the charge. The refund is a transaction of its own, whose invoice is a credit note. What was sold stays as it is: end a " +
            "rental or take an image back separately. An idempotency key is required, in the body or in the header `Idempotency-Key`.",
        },
      },
    );
};
