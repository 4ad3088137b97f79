import { Elysia } from "elysia";
import { readUser } from "../../../actors/accounts/account/queries.ts";
import { listUsers, readManagedUser } from "../../../actors/accounts/account/users/queries.ts";
import { listTokenIds } from "../../../actors/accounts/token/queries.ts";
import { readGeneralBalance } from "../../../actors/billing/wallet/queries.ts";
import { listContainers } from "../../../actors/hosting/container/queries.ts";
import { listRentals } from "../../../actors/market/rental/queries.ts";
import {
  AccountDeletedReply,
  AccountDeletionCheckReply,
  DeleteUser,
  KEPT_RECORDS,
} from "../../../schemas/accounts/deletion.ts";
import { RecoveryStartedReply, StartRecovery } from "../../../schemas/accounts/security.ts";
import {
  ChangeSuspension,
  ChangeUser,
  SHOWN_MAX,
  USERS_PAGE,
  USERS_SORT,
  type UserRecord,
  UserRecordReply,
  UsersQuery,
  UsersReply,
} from "../../../schemas/accounts/user.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { NEWEST_FIRST, sortOf } from "../../../schemas/sorting.ts";
import { linkTokenHash, newLinkToken } from "../../../system/link-token.ts";
import { confirmations } from "../../auth/current-password.ts";
import { admin } from "../../auth/guards.ts";
import type { SignIn } from "../../auth/sign-in.ts";
import type { GatewayContext } from "../../context.ts";
import { created, errors, ok } from "../../http/envelope.ts";
import { cursorPagination, listPage } from "../../http/paging.ts";
import { DELETION_REFUSALS, deletionCheckOf, forfeitCents } from "../accounts/deletion.ts";

const NEWEST = { sort: sortOf(NEWEST_FIRST), limit: SHOWN_MAX, offset: 0, after: undefined };

/** Users, for administrators. */
export const adminUserRoutes = (context: GatewayContext, signIn: SignIn) => {
  const { confirm } = confirmations(context, signIn);
  const { db, actors, credentials, publicUrl, announceEndedSessions } = context;
  const read = recordReader(context);

  return new Elysia({ prefix: "/api/v1/admin/users", detail: { tags: ["Administration"] } })
    .use(admin(credentials))
    .get(
      "/",
      async ({ query }) => {
        const page = listPage("admin/users", query, USERS_PAGE, USERS_SORT);
        const { rows: users, total, next } = await listUsers(db, query, page);
        return ok("Users", { users, total, pagination: cursorPagination(page, next) });
      },
      {
        query: UsersQuery,
        response: { 200: UsersReply },
        detail: { summary: "Users, newest first", description: "Narrowed by `search` and `status`." },
      },
    )
    .get("/:id", async ({ params }) => ok("User", await read(params.id)), {
      params: IdParams,
      response: { 200: UserRecordReply, ...errors("USER_NOT_FOUND") },
      detail: { summary: "A user, with balance, rentals, containers and the last sign-in" },
    })
    .patch(
      "/:id",
      async (ctx) => {
        const { params, body, operation, operator } = ctx;
        await requireUser(context, params.id);
        const { role, reason, ...given } = body;
        await actors.account(ctx.caller.userId).prove(await confirm(ctx, given));
        const { value } = await actors.account(params.id).set_role({ role, reason, operator }, operation);
        const user = await read(params.id);
        await announceEndedSessions(params.id, value.ended);
        return ok(`${user.username} is ${role === "admin" ? "an administrator" : "a user"}`, user);
      },
      {
        params: IdParams,
        body: ChangeUser,
        response: {
          200: UserRecordReply,
          ...errors(
            "USER_NOT_FOUND",
            "WRONG_PASSWORD",
            "SECOND_FACTOR_WRONG",
            "CHALLENGE_INVALID",
            "RATE_LIMITED",
            "INSUFFICIENT_PERMISSIONS",
            "ACCOUNT_SUSPENDED",
            "LAST_ADMINISTRATOR",
            "IDEMPOTENCY_KEY_REUSED",
          ),
        },
        detail: {
          summary: "Make a user an administrator, or give up being one",
          description:
            "Takes your present password and, where you have a second factor, a `code`, or a `passkey` with its `challenge`. A new administrator's sessions have the role from their next refresh on. With `user` as the role you give up your own, and all your sessions end; " +
            "others are demoted by the command `berth admin demote` alone. One administrator always remains.",
        },
      },
    )
    .post(
      "/:id/suspend",
      async ({ params, body, operation, operator }) => {
        await requireUser(context, params.id);
        const tokenIds = await listTokenIds(db, params.id);
        const { value } = await actors.account(params.id).suspend({ ...body, operator }, operation);
        await announceEndedSessions(params.id, [...value.ended, ...tokenIds]);
        return ok("User suspended", await read(params.id));
      },
      {
        params: IdParams,
        body: ChangeSuspension,
        response: {
          200: UserRecordReply,
          ...errors("USER_NOT_FOUND", "INSUFFICIENT_PERMISSIONS", "ACCOUNT_STATE_CONFLICT"),
        },
        detail: {
          summary: "Close a user's account until it is restored",
          description:
            "The user's sessions and API tokens end at once, at every gateway and host, and signing in is refused (403 ACCOUNT_SUSPENDED). Money, rentals and " +
            "records remain. Whether the user's containers keep running is the operator's setting `BERTH_SUSPENDED_CONTAINERS`. Administrators cannot be suspended.",
        },
      },
    )
    .post(
      "/:id/restore",
      async ({ params, body, operation, operator }) => {
        await requireUser(context, params.id);
        await actors.account(params.id).restore({ ...body, operator }, operation);
        return ok("User restored", await read(params.id));
      },
      {
        params: IdParams,
        body: ChangeSuspension,
        response: { 200: UserRecordReply, ...errors("USER_NOT_FOUND", "ACCOUNT_STATE_CONFLICT") },
        detail: {
          summary: "Open a suspended account again",
          description:
            "The user can sign in. Sessions and API tokens that the suspension ended stay ended, and containers that it stopped stay stopped.",
        },
      },
    )
    .get(
      "/:id/deletion",
      async ({ params }) => {
        const { role, status } = await read(params.id);
        if (status === "deleted") throw new DomainError("USER_NOT_FOUND", "User not found");
        if (role === "admin")
          throw new DomainError("INSUFFICIENT_PERMISSIONS", "Administrators are not deleted by others");
        const check = await deletionCheckOf(context, params.id);
        if (check === undefined) throw new DomainError("USER_NOT_FOUND", "User not found");
        return ok("What deleting the user takes", check);
      },
      {
        params: IdParams,
        response: {
          200: AccountDeletionCheckReply,
          ...errors("USER_NOT_FOUND", "INSUFFICIENT_PERMISSIONS"),
        },
        detail: {
          summary: "What is in the way of deleting a user's account, and what is kept of it",
          description:
            "Nothing is changed. Administrators are not deleted by others, so there is nothing to see of them.",
        },
      },
    )
    .delete(
      "/:id",
      async ({ params, body, operation, operator }) => {
        const { reason, forfeit_balance } = body;
        const tokenIds = await listTokenIds(db, params.id);
        const { value } = await actors
          .account(params.id)
          .delete_by_operator({ reason, forfeit_cents: forfeitCents(forfeit_balance), operator }, operation);
        await announceEndedSessions(params.id, [...value.ended, ...tokenIds]);
        return ok("User deleted", { deleted_at: value.deleted_at, kept: [...KEPT_RECORDS] });
      },
      {
        params: IdParams,
        body: DeleteUser,
        response: {
          200: AccountDeletedReply,
          ...errors(
            "USER_NOT_FOUND",
            "INSUFFICIENT_PERMISSIONS",
            "IDEMPOTENCY_KEY_REUSED",
            ...DELETION_REFUSALS,
          ),
        },
        detail: {
          summary: "Delete a user's account",
          description:
            "As `DELETE /api/v1/auth/account`, with a reason for the audit log instead of a proof, and refused for the same: nothing of the user's is ended that still runs. " +
            "Administrators are not deleted by others.",
        },
      },
    )
    .post(
      "/:id/recovery",
      async ({ params, body, operator }) => {
        await requireUser(context, params.id);
        const token = newLinkToken(params.id);
        const { value } = await actors
          .account(params.id)
          .start_recovery({ token_hash: linkTokenHash(token), reason: body.reason, operator });
        const { expires_at } = value;
        return created("Recovery link created", { url: `${publicUrl}/recover/${token}`, token, expires_at });
      },
      {
        params: IdParams,
        body: StartRecovery,
        response: { 201: RecoveryStartedReply, ...errors("USER_NOT_FOUND", "INSUFFICIENT_PERMISSIONS") },
        detail: {
          summary: "Make a link by which a user sets a new password",
          description:
            "Give it to the user by a way on which you know who they are. It is good once, for a day; a newer link replaces it. The user's " +
            "audit log names you and the reason. Administrators are not recovered by others.",
          "x-idempotency-key": false,
        },
      },
    );
};

async function requireUser({ db }: Pick<GatewayContext, "db">, id: string): Promise<void> {
  if ((await readUser(db, id)) === undefined) throw new DomainError("USER_NOT_FOUND", "User not found");
}

/** Reads all that an administrator sees of a user. @throws USER_NOT_FOUND */
const recordReader =
  ({ db }: Pick<GatewayContext, "db">) =>
  async (id: string): Promise<UserRecord> => {
    const [user, balance, rentals, containers] = await Promise.all([
      readManagedUser(db, id),
      readGeneralBalance(db, id),
      listRentals(db, id, NEWEST),
      listContainers(db, { userId: id }, { isOwn: true }, NEWEST),
    ]);
    if (user === undefined || balance === undefined)
      throw new DomainError("USER_NOT_FOUND", "User not found");
    return {
      ...user,
      general_balance: balance.general_balance,
      rentals: rentals.rows,
      containers: containers.rows.map(({ id, name, project_id, server_id, server_name, state }) => ({
        id,
        name,
        project_id,
        server_id,
        server_name,
        state,
      })),
    };
  };
