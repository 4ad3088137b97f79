import { Elysia } from "elysia";
import { readGeneralBalance } from "../../../actors/billing/wallet/queries.ts";
import {
  AiBalanceReply,
  BalancesReply,
  GeneralBalanceReply,
  Transfer,
  TransferReply,
} from "../../../schemas/billing/wallet.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";

/** The caller's wallet (spec, control plane §4.6, §4.9). */
export const walletRoutes = (context: GatewayContext) =>
  new Elysia({ prefix: "/api/v1/wallet", detail: { tags: ["Wallet"] } })
    .use(balances(context))
    .use(transfers(context));

const balances = ({ db, credentials, aiCredits }: GatewayContext) =>
  new Elysia()
    .use(signedIn(credentials, "wallet.read"))
    .get("/balances", async ({ caller }) => ok("Balances", await aiCredits.balances(caller.userId)), {
      response: { 200: BalancesReply },
      detail: { summary: "General balance and AI credit" },
    })
    .get(
      "/balances/ai",
      async ({ caller }) => {
        const { ai_limit, ai_usage, ai_remaining } = await aiCredits.balances(caller.userId);
        return ok("AI credit", { ai_limit, ai_usage, ai_remaining });
      },
      {
        response: { 200: AiBalanceReply },
        detail: {
          summary: "AI credit",
          description:
            "When the usage cannot be read, `ai_usage` and `ai_remaining` are zero: `/balances` says in `ai_usage_status` whether they are known.",
        },
      },
    )
    .get(
      "/balances/general",
      async ({ caller }) => {
        const balance = await readGeneralBalance(db, caller.userId);
        if (balance === undefined) throw new DomainError("USER_NOT_FOUND", "User not found");
        return ok("General balance", balance);
      },
      {
        response: { 200: GeneralBalanceReply, ...errors("USER_NOT_FOUND") },
        detail: { summary: "The record of the general balance" },
      },
    );

const transfers = ({ actors, credentials, aiCredits }: GatewayContext) =>
  new Elysia().use(signedIn(credentials, "wallet.spend")).post(
    "/transfers",
    async ({ caller, body, operation }) => {
      const reply = await actors.wallet(caller.userId).transfer(body, operation);
      const replayed = reply.replayed && operation.hasClientKey;
      const sync = await aiCredits.syncStatus(caller.userId, reply.value, replayed);
      return ok("Transfer completed", { ...reply.value, ...sync, replayed });
    },
    {
      body: Transfer,
      response: {
        200: TransferReply,
        ...errors(
          "INSUFFICIENT_BALANCE",
          "TRANSFER_FEE_CHANGED",
          "TRANSFER_IDEMPOTENCY_KEY_REUSED",
          "BALANCE_LIMIT",
        ),
      },
      detail: {
        "x-reply-not-kept": "the wallet keeps a receipt of the transfer without end, and replies with it",
        summary: "Move money from the general balance to AI credit",
        description:
          "AI credit cannot be moved back. A repeated request with the same idempotency key and amount returns the first receipt with `replayed: true` and moves nothing; " +
          "`limit_sync_pending` then tells the state at the time of the reply.",
      },
    },
  );
