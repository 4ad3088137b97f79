import { Elysia } from "elysia";
import { listAccountBlockers } from "../../../actors/accounts/account/deletion/queries.ts";
import { listTokenIds } from "../../../actors/accounts/token/queries.ts";
import { readGeneralBalance } from "../../../actors/billing/wallet/queries.ts";
import { toCents } from "../../../actors/platform/money.ts";
import {
  AccountDeletedReply,
  type AccountDeletionCheck,
  AccountDeletionCheckReply,
  DeleteAccount,
  KEPT_RECORDS,
} from "../../../schemas/accounts/deletion.ts";
import { invalidToken } from "../../auth/access-tokens.ts";
import { confirmations } from "../../auth/current-password.ts";
import { firstParty } from "../../auth/guards.ts";
import type { SignIn } from "../../auth/sign-in.ts";
import type { GatewayContext } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";

/** Why an account is not deleted. */
export const DELETION_REFUSALS = ["ACCOUNT_IN_USE", "BALANCE_LEFT"] as const;
/** An amount of a request in the cents of a message. */
export const forfeitCents = (amount = "0"): number => Number(toCents(amount));

/** What a deletion would take; undefined for an account that is not there. */
export async function deletionCheckOf(
  { db }: Pick<GatewayContext, "db">,
  userId: string,
): Promise<AccountDeletionCheck | undefined> {
  const [blockers, wallet] = await Promise.all([
    listAccountBlockers(db, userId),
    readGeneralBalance(db, userId),
  ]);
  return wallet && { blockers, general_balance: wallet.general_balance, kept: [...KEPT_RECORDS] };
}

/** Deleting the own account (docs/decisions/0080-deleted-accounts.md). */
export const accountDeletionRoutes = (context: GatewayContext, signIn: SignIn) => {
  const { db, actors, credentials, announceEndedSessions } = context;
  const { confirm } = confirmations(context, signIn);

  return new Elysia({ prefix: "/api/v1/auth/account", detail: { tags: ["Accounts"] } })
    .use(firstParty(credentials))
    .get(
      "/deletion",
      async ({ caller: { userId } }) => {
        const check = await deletionCheckOf(context, userId);
        if (check === undefined) throw invalidToken();
        return ok("What deleting the account takes", check);
      },
      {
        response: { 200: AccountDeletionCheckReply },
        detail: {
          summary: "What is in the way of deleting your account, and what is kept of it",
          description: "Nothing is changed. What is in the way may be another thing a moment later.",
        },
      },
    )
    .delete(
      "/",
      async (ctx) => {
        const { userId } = ctx.caller;
        const { forfeit_balance, ...given } = ctx.body;
        const confirmation = await confirm(ctx, given);
        const tokenIds = await listTokenIds(db, userId);
        const { value } = await actors
          .account(userId)
          .delete({ ...confirmation, forfeit_cents: forfeitCents(forfeit_balance) }, ctx.operation);
        await announceEndedSessions(userId, [...value.ended, ...tokenIds]);
        return ok("Account deleted", { deleted_at: value.deleted_at, kept: [...KEPT_RECORDS] });
      },
      {
        body: DeleteAccount,
        response: {
          200: AccountDeletedReply,
          ...errors(
            "WRONG_PASSWORD",
            "SECOND_FACTOR_WRONG",
            "CHALLENGE_INVALID",
            "RATE_LIMITED",
            "LAST_ADMINISTRATOR",
            "IDEMPOTENCY_KEY_REUSED",
            ...DELETION_REFUSALS,
          ),
        },
        detail: {
          summary: "Delete your account",
          description:
            "Takes the present password and, where there is a second factor, a `code`, or a `passkey` with its `challenge`. " +
            "While you rent, have reserved, or have containers, storage shares, aliases, pools with other members or payments under way it is refused: 409 ACCOUNT_IN_USE, and `data.blockers` lists what is in the way. " +
            "A balance must be spent, or given up by `forfeit_balance` (409 BALANCE_LEFT). What is left of AI credit is given up too. " +
            "Sessions, API tokens, second factors, saved payment methods, webhooks, projects, notifications, events, memberships, invitations and permissions end. " +
            "Invoices, transactions and the audit log stay, under the account's id. The e-mail address is free again; the user name is never given to anybody else. " +
            "A request that comes again after the deletion is 401: its session has ended.",
        },
      },
    );
};
