import { Elysia } from "elysia";
import { readProject } from "../../../actors/accounts/project/queries.ts";
import { listShares, listShareUsers, readShare } from "../../../actors/hosting/storage-share/queries.ts";
import { readRentedServer } from "../../../actors/market/server/queries.ts";
import type { Sql } from "../../../actors/platform/db/sql.ts";
import type { Caller } from "../../../schemas/accounts/auth.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError } from "../../../schemas/errors.ts";
import {
  CreateStorageShare,
  PatchStorageShare,
  SHARES_SORT,
  type StorageShare,
  StorageShareReply,
  StorageSharesQuery,
  StorageSharesReply,
  shareInUse,
  shareMounted,
} from "../../../schemas/hosting/storage-share.ts";
import { hostNotJoined } from "../../../schemas/market/server.ts";
import { LIST_PAGE } from "../../../schemas/paging.ts";
import { CONTAINER_ACTS, type ContainerAct } from "../../../schemas/permissions.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { signedIn } from "../../auth/guards.ts";
import { inRealm } from "../../auth/realm.ts";
import type { GatewayContext } from "../../context.ts";
import { createOnHost } from "../../hosts/draining.ts";
import { actorIdFor } from "../../http/actor-id.ts";
import { created, done, errors, ok } from "../../http/envelope.ts";
import { hasOperationReceipt } from "../../http/operation-receipt.ts";
import { cursorPagination, listPage, ownList } from "../../http/paging.ts";
import { assertMayAct, assertRole } from "./container.ts";

/**
 * The storage share with this id, if the caller may do this with it.
 * @throws STORAGE_SHARE_NOT_FOUND, also for a share of somebody else; INSUFFICIENT_PERMISSIONS
 */
export async function reachableShare(
  db: Sql,
  caller: Pick<Caller, "userId" | "realmId">,
  act: ContainerAct,
  id: string,
): Promise<StorageShare> {
  const reached = await readShare(db, caller.userId, id);
  if (reached === undefined || !inRealm(caller, reached.share.project_id))
    throw new DomainError("STORAGE_SHARE_NOT_FOUND", "Storage share not found");
  assertMayAct(reached.role, act);
  return reached.share;
}

/** Storage shares: files that outlive containers (docs/storage.md). */
export const storageShareRoutes = ({ db, actors, credentials, newId, joinedHosts }: GatewayContext) => {
  const reachable = (caller: Caller, act: ContainerAct, id: string) => reachableShare(db, caller, act, id);

  /** The server of a new share, on which the caller may create containers too. */
  async function serverFor(caller: Caller, projectId: string, serverId: string): Promise<{ name: string }> {
    const [project, server] = await Promise.all([
      readProject(db, caller.userId, projectId),
      readRentedServer(db, caller.userId, serverId),
    ]);
    if (project === undefined || !inRealm(caller, projectId))
      throw new DomainError("PROJECT_NOT_FOUND", "Project not found");
    if (server === undefined)
      throw new DomainError(
        "SERVER_NOT_FOUND",
        "Server not found: you neither rent one with this id nor share one through a pool",
      );
    assertRole(server.role, CONTAINER_ACTS.operate);
    if (!server.joined) await joinedHosts.probe(server.name);
    if (!server.joined && (await readRentedServer(db, caller.userId, serverId))?.joined !== true)
      throw hostNotJoined();
    return server;
  }

  const reading = new Elysia()
    .use(signedIn(credentials, "resources.read", { realm: true }))
    .get(
      "/",
      async ({ caller, query }) => {
        const page = listPage(ownList("storage-shares", caller), query, LIST_PAGE, SHARES_SORT);
        const filter = { projectId: query.project_id, serverId: query.server_id };
        const { rows: storage_shares, total, next } = await listShares(db, caller, filter, page);
        return ok("Storage shares", {
          storage_shares,
          count: total,
          pagination: cursorPagination(page, next),
        });
      },
      {
        query: StorageSharesQuery,
        response: { 200: StorageSharesReply },
        detail: {
          summary:
            "The storage shares on your servers and in your pools, and those that you created, oldest first",
        },
      },
    )
    .get(
      "/:id",
      async ({ caller, params }) => ok("Storage share", await reachable(caller, "read", params.id)),
      {
        params: IdParams,
        response: { 200: StorageShareReply, ...errors("STORAGE_SHARE_NOT_FOUND") },
        detail: {
          summary: "A storage share, with what its files take and which containers run with it",
        },
      },
    );

  const writing = new Elysia()
    .use(signedIn(credentials, "resources.write", { realm: true }))
    .post(
      "/",
      async ({ caller, body, operation }) => {
        const { idempotency_key: _key, ...fields } = body;
        const id = actorIdFor("storage_share", caller.userId, operation, newId);
        const made = await readShare(db, caller.userId, id);
        // A repeated key is recognized before any other check, even if the rental has ended since.
        const server_name =
          made?.share.server_name ?? (await serverFor(caller, body.project_id, body.server_id)).name;
        const create = () =>
          actors.storage_share(id).create({ user_id: caller.userId, server_name, ...fields }, operation);
        if (made !== undefined) await create();
        else await createOnHost(db, server_name, { create, undo: () => actors.storage_share(id).delete({}) });
        return created("Storage share created", await reachable(caller, "read", id));
      },
      {
        body: CreateStorageShare,
        response: {
          201: StorageShareReply,
          ...errors(
            "PROJECT_NOT_FOUND",
            "SERVER_NOT_FOUND",
            "HOST_NOT_JOINED",
            "HOST_DRAINING",
            "NAME_TAKEN",
            "SERVER_STORAGE_EXCEEDED",
            "QUOTA_EXCEEDED",
            "IDEMPOTENCY_KEY_REUSED",
          ),
        },
        detail: {
          summary: "Create a storage share on a server that you rent",
          description:
            "Its files outlive containers: containers of the same project on the same server mount it by their `volumes`, several at once. Its host makes it at once, with room for `size_bytes`.",
        },
      },
    )
    .patch(
      "/:id",
      async ({ caller, params, body, operation }) => {
        await reachable(caller, "operate", params.id);
        await actors
          .storage_share(params.id)
          .update({ by: caller.userId, ...body }, operation.scopedTo(caller.userId));
        return ok("Storage share changed", await reachable(caller, "read", params.id));
      },
      {
        params: IdParams,
        body: PatchStorageShare,
        response: {
          200: StorageShareReply,
          ...errors(
            "STORAGE_SHARE_NOT_FOUND",
            "NAME_TAKEN",
            "SERVER_STORAGE_EXCEEDED",
            "IDEMPOTENCY_KEY_REUSED",
          ),
        },
        detail: {
          summary: "Rename a storage share, make it larger, or schedule its snapshots",
          description:
            "With `snapshot_schedule` the share takes snapshots by itself; null ends that. A host that can grow a share under running containers does so at once. Others wait until no container runs with it; `applied_size_bytes` tells when it is done.",
        },
      },
    )
    .delete(
      "/:id",
      async ({ caller, params, operation }) => {
        const scoped = operation.scopedTo(caller.userId);
        const deleted = { kind: "storage_share", actorId: params.id, op: "delete" };
        if (!(await hasOperationReceipt(db, scoped, deleted))) {
          await reachable(caller, "delete", params.id);
          // The actor refuses it too, and does not know their names.
          const users = await listShareUsers(db, params.id);
          const having = users.filter(({ isVolume }) => isVolume);
          if (having.length > 0) throw shareInUse(having);
          if (users.length > 0) throw shareMounted(users);
        }
        await actors.storage_share(params.id).delete({}, scoped);
        return done("Storage share deleted");
      },
      {
        params: IdParams,
        response: {
          200: EmptyReply,
          ...errors(
            "STORAGE_SHARE_NOT_FOUND",
            "STORAGE_SHARE_IN_USE",
            "STORAGE_SHARE_MOUNTED",
            "IDEMPOTENCY_KEY_REUSED",
          ),
        },
        detail: {
          summary: "Delete a storage share with its files and snapshots",
          description:
            "Refused while a container has it among its volumes, whether the container runs or not, or still runs with it (`STORAGE_SHARE_MOUNTED`). Allowed for the renter of its server, admins of the server's pool, and its creator, also after leaving the pool.",
        },
      },
    );

  return new Elysia({ prefix: "/api/v1/storage-shares", detail: { tags: ["Storage shares"] } })
    .use(reading)
    .use(writing);
};
