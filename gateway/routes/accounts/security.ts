import { Elysia } from "elysia";
import { listAudit } from "../../../actors/accounts/audit/queries.ts";
import { AuditQuery, AuditReply } from "../../../schemas/accounts/audit.ts";
import { ChangeEmail, ChangePassword, PasswordChangedReply } from "../../../schemas/accounts/security.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { LIST_PAGE } from "../../../schemas/paging.ts";
import { NEWEST_FIRST } from "../../../schemas/sorting.ts";
import { confirmations } from "../../auth/current-password.ts";
import { firstParty } from "../../auth/guards.ts";
import type { SignIn } from "../../auth/sign-in.ts";
import type { GatewayContext } from "../../context.ts";
import { done, errors, ok } from "../../http/envelope.ts";
import { cursorPagination, listPage, ownList } from "../../http/paging.ts";

/** The present password stands in each request, so a repeated one has nothing to protect. */
const WITHOUT_KEY = { "x-idempotency-key": false };

/** What an account is entered with, and what was done with it (docs/decisions/0054-account-security.md). */
export const securityRoutes = (context: GatewayContext, signIn: SignIn) => {
  const { db, actors, credentials, addressOf, announceEndedSessions } = context;
  const { assertPassword } = confirmations(context, signIn);

  return new Elysia({ prefix: "/api/v1/auth", detail: { tags: ["Accounts"] } })
    .use(firstParty(credentials))
    .put(
      "/password",
      async (ctx) => {
        const { caller, body } = ctx;
        const current_hash = await assertPassword(ctx, body.current_password);
        const { value } = await actors.account(caller.userId).change_password({
          current_hash,
          password_hash: await signIn.passwords.hash(body.new_password),
          keep_session_id: caller.sessionId,
          address: addressOf(ctx),
        });
        await announceEndedSessions(caller.userId, value.ended);
        return ok("Password changed", { ended: value.ended.length });
      },
      {
        body: ChangePassword,
        response: { 200: PasswordChangedReply, ...errors("WRONG_PASSWORD", "RATE_LIMITED") },
        detail: {
          summary: "Change your password",
          description:
            "Ends all your other sessions, and a recovery link that waits. API tokens remain: delete those that somebody else may know.",
          ...WITHOUT_KEY,
        },
      },
    )
    .put(
      "/email",
      async (ctx) => {
        const { caller, body } = ctx;
        const current_hash = await assertPassword(ctx, body.current_password);
        const { email } = body;
        await actors.account(caller.userId).change_email({ current_hash, email, address: addressOf(ctx) });
        return done("E-mail address changed");
      },
      {
        body: ChangeEmail,
        response: { 200: EmptyReply, ...errors("WRONG_PASSWORD", "EMAIL_TAKEN", "RATE_LIMITED") },
        detail: {
          summary: "Change the e-mail address of your account",
          description:
            "The new address signs in from now on, and the former one no longer does. Invoices keep what they have.",
          ...WITHOUT_KEY,
        },
      },
    )
    .get(
      "/audit",
      async ({ caller, query }) => {
        const page = listPage(ownList("audit", caller), query, LIST_PAGE, NEWEST_FIRST);
        const { rows: entries, next } = await listAudit(db, caller.userId, query.act, page);
        return ok("Audit log", { entries, count: entries.length, pagination: cursorPagination(page, next) });
      },
      {
        query: AuditQuery,
        response: { 200: AuditReply },
        detail: {
          summary: "What was done with your credentials, newest first",
          description:
            "Sign-ins and their failures, ended sessions, changes of password and e-mail address, API tokens, and what administrators did. " +
            "Unlike events, entries cannot be deleted.",
        },
      },
    );
};
