import { Elysia } from "elysia";
import { listShareUsers, listSnapshots } from "../../../actors/hosting/storage-share/queries.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import {
  CreateSnapshot,
  SnapshotParams,
  SnapshotsQuery,
  StorageShareReply,
  StorageSnapshotReply,
  StorageSnapshotsReply,
  shareMounted,
} from "../../../schemas/hosting/storage-share.ts";
import { LIST_PAGE } from "../../../schemas/paging.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { NAMED_OLDEST_FIRST } from "../../../schemas/sorting.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { created, done, errors, ok } from "../../http/envelope.ts";
import { hasOperationReceipt } from "../../http/operation-receipt.ts";
import { cursorPagination, listPage, ownList } from "../../http/paging.ts";
import { reachableShare } from "./storage-share.ts";

/** Snapshots of storage shares, and the way back to them (docs/storage.md). */
export const storageSnapshotRoutes = ({ db, actors, credentials }: GatewayContext) => {
  const reading = new Elysia().use(signedIn(credentials, "resources.read", { realm: true })).get(
    "/:id/snapshots",
    async ({ caller, params, query }) => {
      await reachableShare(db, caller, "read", params.id);
      const list = ownList(`snapshots of ${params.id}`, caller);
      const page = listPage(list, query, LIST_PAGE, NAMED_OLDEST_FIRST);
      const { rows: snapshots, total, next } = await listSnapshots(db, params.id, page);
      return ok("Snapshots", {
        snapshots,
        count: total,
        pagination: cursorPagination(page, next),
      });
    },
    {
      params: IdParams,
      query: SnapshotsQuery,
      response: { 200: StorageSnapshotsReply, ...errors("STORAGE_SHARE_NOT_FOUND") },
      detail: { summary: "The snapshots of a storage share, oldest first" },
    },
  );

  const writing = new Elysia()
    .use(signedIn(credentials, "resources.write", { realm: true }))
    .post(
      "/:id/snapshots",
      async ({ caller, params, body, operation }) => {
        await reachableShare(db, caller, "operate", params.id);
        const { value } = await actors
          .storage_share(params.id)
          .create_snapshot(
            { by: caller.userId, ...(body?.name === undefined ? {} : { name: body.name }) },
            operation.scopedTo(caller.userId),
          );
        return created("Snapshot created", value);
      },
      {
        params: IdParams,
        body: CreateSnapshot,
        response: {
          201: StorageSnapshotReply,
          ...errors(
            "STORAGE_SHARE_NOT_FOUND",
            "STORAGE_SNAPSHOT_LIMIT",
            "STORAGE_SHARE_STATE_CONFLICT",
            "IDEMPOTENCY_KEY_REUSED",
          ),
        },
        detail: {
          summary: "Create a snapshot of a storage share",
          description:
            "Its files as they are at one moment, also while containers write: their writes wait until the copy is made. Where the host's disk shares blocks between copies this takes milliseconds; elsewhere at most a minute, after which the snapshot fails, and is to be made while no container runs with the share.",
        },
      },
    )
    .delete(
      "/:id/snapshots/:snapshot_id",
      async ({ caller, params, operation }) => {
        await reachableShare(db, caller, "operate", params.id);
        await actors
          .storage_share(params.id)
          .delete_snapshot(
            { by: caller.userId, snapshot_id: params.snapshot_id },
            operation.scopedTo(caller.userId),
          );
        return done("Snapshot deleted");
      },
      {
        params: SnapshotParams,
        response: {
          200: EmptyReply,
          ...errors(
            "STORAGE_SHARE_NOT_FOUND",
            "STORAGE_SNAPSHOT_NOT_FOUND",
            "STORAGE_SHARE_STATE_CONFLICT",
            "IDEMPOTENCY_KEY_REUSED",
          ),
        },
        detail: { summary: "Delete a snapshot" },
      },
    )
    .post(
      "/:id/snapshots/:snapshot_id/restore",
      async ({ caller, params, operation }) => {
        const { id, snapshot_id } = params;
        await reachableShare(db, caller, "operate", id);
        const scoped = operation.scopedTo(caller.userId);
        const restored = { kind: "storage_share", actorId: id, op: "restore" };
        if (!(await hasOperationReceipt(db, scoped, restored))) {
          const running = (await listShareUsers(db, id)).filter(({ isRunning }) => isRunning);
          if (running.length > 0) throw shareMounted(running);
        }
        await actors.storage_share(id).restore({ by: caller.userId, snapshot_id }, scoped);
        return ok("Storage share being restored", await reachableShare(db, caller, "read", id));
      },
      {
        params: SnapshotParams,
        response: {
          200: StorageShareReply,
          ...errors(
            "STORAGE_SHARE_NOT_FOUND",
            "STORAGE_SNAPSHOT_NOT_FOUND",
            "STORAGE_SHARE_MOUNTED",
            "STORAGE_SHARE_STATE_CONFLICT",
            "IDEMPOTENCY_KEY_REUSED",
          ),
        },
        detail: {
          summary: "Bring back the files of a snapshot",
          description:
            "Everything that was written since the snapshot is lost. Refused while a container with the share among its volumes runs or is to run: stop it first. Containers that are started meanwhile wait until the files are back.",
        },
      },
    );

  return new Elysia({ prefix: "/api/v1/storage-shares", detail: { tags: ["Storage shares"] } })
    .use(reading)
    .use(writing);
};
