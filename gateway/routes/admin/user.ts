import { randomBytes } from "node:crypto";
import { Elysia } from "elysia";
import { readUser } from "../../../actors/accounts/account/queries.ts";
import { RecoveryStartedReply, StartRecovery } from "../../../schemas/accounts/security.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { admin } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { created, errors } from "../../http/envelope.ts";
import { recoveryHashOf } from "../accounts/recovery.ts";

const SECRET_BYTES = 32;

/** Users, for administrators. */
export const adminUserRoutes = ({ db, actors, credentials, publicUrl }: GatewayContext) =>
  new Elysia({ prefix: "/api/v1/admin/users", detail: { tags: ["Administration"] } })
    .use(admin(credentials))
    .post(
      "/:id/recovery",
      async ({ caller, params, body }) => {
        if ((await readUser(db, params.id)) === undefined)
          throw new DomainError("USER_NOT_FOUND", "User not found");
        const token = `${params.id}.${randomBytes(SECRET_BYTES).toString("base64url")}`;
        const { value } = await actors
          .account(params.id)
          .start_recovery({ token_hash: recoveryHashOf(token), by: caller.userId, reason: body.reason });
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
