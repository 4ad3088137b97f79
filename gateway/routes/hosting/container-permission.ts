import { Elysia } from "elysia";
import { findUser } from "../../../actors/accounts/account/queries.ts";
import { listPermissions, readContainer } from "../../../actors/hosting/container/queries.ts";
import type { Sql } from "../../../actors/platform/db/sql.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import {
  ContainerPermissionReply,
  ContainerPermissionsReply,
  GrantPermission,
  PERMISSIONS_SORT,
  PermissionParams,
  PermissionsQuery,
} from "../../../schemas/hosting/container-permission.ts";
import { LIST_PAGE } from "../../../schemas/paging.ts";
import { mayAct } from "../../../schemas/permissions.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { created, done, errors, ok } from "../../http/envelope.ts";
import { cursorPagination, listPage, ownList } from "../../http/paging.ts";
import { timeIn } from "../../http/time.ts";
import { reachableContainer } from "./container.ts";
import { assertHasServices } from "./container-program.ts";

/** A permission outlives roles, so nobody with a role gets one: it would stay when the role is taken. @throws CONTAINER_ROLE_EXISTS */
async function assertNoRole(db: Sql, userId: string, containerId: string): Promise<void> {
  const reached = await readContainer(db, userId, containerId);
  if (reached !== undefined && mayAct(reached.role, "use"))
    throw new DomainError(
      "CONTAINER_ROLE_EXISTS",
      "The user may enter the container already, by a role in its server's pool",
      { field: "body.username" },
    );
}

/** Users who may enter one container, without a role on its server (docs/pools.md). */
export const containerPermissionRoutes = (context: GatewayContext) => {
  const { db, actors, credentials } = context;

  const reading = new Elysia().use(signedIn(credentials, "resources.read", { realm: true })).get(
    "/:id/permissions",
    async ({ caller, params, query }) => {
      await reachableContainer(context, caller, "expose", params.id);
      const list = ownList(`permissions of ${params.id}`, caller);
      const page = listPage(list, query, LIST_PAGE, PERMISSIONS_SORT);
      const { rows: permissions, total, next } = await listPermissions(db, params.id, page);
      return ok("Permissions", {
        permissions,
        count: total,
        pagination: cursorPagination(page, next),
      });
    },
    {
      params: IdParams,
      query: PermissionsQuery,
      response: { 200: ContainerPermissionsReply, ...errors("CONTAINER_NOT_FOUND") },
      detail: { summary: "The users who have a permission to enter a container, oldest first" },
    },
  );

  const writing = new Elysia()
    .use(signedIn(credentials, "resources.write", { realm: true }))
    .post(
      "/:id/permissions",
      async ({ caller, params, body, operation }) => {
        const container = await reachableContainer(context, caller, "expose", params.id);
        assertHasServices(container, body.services ?? []);
        const expiresAt = body.expires_at == null ? null : timeIn("body.expires_at", body.expires_at);
        if (expiresAt !== null && expiresAt.getTime() <= Date.now())
          throw new ValidationError("body.expires_at", "must be in the future");
        const user = await findUser(db, body.username);
        if (user === undefined) throw new DomainError("USER_NOT_FOUND", "User not found");
        await assertNoRole(db, user.id, params.id);
        const { value } = await actors.container(params.id).grant_permission(
          {
            by: caller.userId,
            user_id: user.id,
            username: body.username,
            expires_at: expiresAt?.toISOString() ?? null,
            services: body.services ?? null,
          },
          operation.scopedTo(caller.userId),
        );
        return created("Permission granted", value);
      },
      {
        params: IdParams,
        body: GrantPermission,
        response: {
          201: ContainerPermissionReply,
          ...errors(
            "CONTAINER_NOT_FOUND",
            "USER_NOT_FOUND",
            "CONTAINER_ROLE_EXISTS",
            "CONTAINER_PERMISSION_LIMIT",
            "IDEMPOTENCY_KEY_REUSED",
          ),
        },
        detail: {
          summary: "Let a user enter a container, for a time or until it is revoked",
          description:
            "The user needs no role on the container's server, and gets no other one: `POST …/access` gives them a credential for the container's terminal, pipe, notifications and files, and nothing else of it is theirs to see. With `services` it is for these alone, which the container must have. A user who may enter it by a role gets none: it would outlive the role. Granted again, it has the new end and the new services.",
        },
      },
    )
    .delete(
      "/:id/permissions/:user_id",
      async ({ caller, params, operation }) => {
        await reachableContainer(context, caller, "expose", params.id);
        await actors
          .container(params.id)
          .revoke_permission(
            { by: caller.userId, user_id: params.user_id },
            operation.scopedTo(caller.userId),
          );
        return done("Permission revoked");
      },
      {
        params: PermissionParams,
        response: {
          200: EmptyReply,
          ...errors("CONTAINER_NOT_FOUND", "CONTAINER_PERMISSION_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED"),
        },
        detail: {
          summary: "Revoke a user's permission to enter a container",
          description: "Within about a second open terminals end, and tokens are refused.",
        },
      },
    );

  return new Elysia({ prefix: "/api/v1/containers", detail: { tags: ["Containers"] } })
    .use(reading)
    .use(writing);
};
