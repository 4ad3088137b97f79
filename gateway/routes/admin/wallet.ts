import { Elysia } from "elysia";
import { readUser } from "../../../actors/accounts/account/queries.ts";
import { Credit, CreditReply } from "../../../schemas/billing/wallet.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import { Id, Strict } from "../../../schemas/primitives.ts";
import { admin } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";

/** Credit from the operator (design §3 "Operator's surface"). */
export const adminWalletRoutes = ({ db, actors, credentials }: GatewayContext) =>
  new Elysia({ prefix: "/api/v1/admin", detail: { tags: ["Administration"] } }).use(admin(credentials)).post(
    "/wallets/:userId/credit",
    async ({ params, body, operation, operator }) => {
      if ((await readUser(db, params.userId)) === undefined)
        throw new DomainError("USER_NOT_FOUND", "User not found");
      if (!operation.hasClientKey) {
        throw new ValidationError("body.idempotency_key", "required, here or in the header Idempotency-Key");
      }
      const { value, replayed } = await actors.wallet(params.userId).credit({ ...body, operator }, operation);
      return ok("Wallet credited", { ...value, replayed });
    },
    {
      params: Strict({ userId: Id }),
      body: Credit,
      response: { 200: CreditReply, ...errors("USER_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED", "BALANCE_LIMIT") },
      detail: {
        summary: "Give money to a user's general balance",
        description: "An idempotency key is required, in the body or in the header `Idempotency-Key`.",
      },
    },
  );
