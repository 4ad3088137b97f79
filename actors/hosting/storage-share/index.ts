import { type Static, Type } from "@sinclair/typebox";
import { serverAudience } from "../../../schemas/audiences.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { ShareStatus } from "../../../schemas/hosting/desired.ts";
import {
  CreateStorageShare,
  PatchStorageShare,
  StorageSnapshot,
} from "../../../schemas/hosting/storage-share.ts";
import { Id, Strict } from "../../../schemas/primitives.ts";
import { Name } from "../../../schemas/text.ts";
import { sizeText } from "../../../system/size-text.ts";
import { deletedAccountConflict } from "../../platform/deleted-account.ts";
import { idempotencyKeyReused } from "../../platform/idempotency-key-reused.ts";
import { quotaConflicts } from "../../platform/quota-conflicts.ts";
import { recordEvent } from "../../platform/record-event.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { DESIRED_TOPIC } from "../host/desired.ts";
import {
  addSnapshot,
  removeSnapshot,
  report,
  restore,
  type ShareEvent,
  type ShareRecord,
  update,
} from "./rules.ts";
import { setSchedule, takeScheduledSnapshot, trim } from "./schedule.ts";
import { storageShareTable } from "./table.ts";

type State = ShareRecord | null;
type Ctx = Context<State>;

const { idempotency_key: _key, ...NEW_FIELDS } = CreateStorageShare.properties;
/** The gateway has checked that the caller may use the project and the server. */
const CreateInput = Strict({ user_id: Id, server_name: Type.String(), ...NEW_FIELDS });
const Done = Type.Object({});
/** The caller, whose access the gateway has checked; undefined for Berth itself. */
const By = { by: Type.Optional(Id) };

/** Storage shares. Keyed by share. */
export const storageShareActor = actor("storage_share", {
  table: storageShareTable,
  empty: (): State => null,
  conflicts: {
    ...deletedAccountConflict(),
    ...quotaConflicts("storage_shares_per_project", "storage_shares_per_server"),
    storage_shares_project_name: {
      code: "NAME_TAKEN",
      message: "the project has a storage share of this name",
    },
    storage_shares_project: { code: "PROJECT_NOT_FOUND", message: "Project not found" },
    storage_shares_server: { code: "SERVER_NOT_FOUND", message: "Server not found" },
    container_volumes_share: {
      code: "STORAGE_SHARE_IN_USE",
      message: "containers have the share among their volumes: remove it there first, or delete them",
    },
    storage_share_capacity: (detail: string) => {
      const { capacity_bytes, free_bytes } = JSON.parse(detail) as Record<string, number>;
      return new DomainError(
        "SERVER_STORAGE_EXCEEDED",
        `the server has ${sizeText(free_bytes ?? 0)} of ${sizeText(capacity_bytes ?? 0)} left for this storage share`,
        { capacity_bytes, free_bytes },
      );
    },
  },
  on: {
    create: command(
      CreateInput,
      Done,
      (share: State, input: Static<typeof CreateInput>, ctx: Ctx) => {
        if (share !== null) throw idempotencyKeyReused();
        const made: ShareRecord = {
          userId: input.user_id,
          projectId: input.project_id,
          serverId: input.server_id,
          serverName: input.server_name,
          name: input.name,
          sizeBytes: input.size_bytes,
          snapshots: [],
          snapshotSchedule: null,
          nextSnapshotAt: null,
          restore: null,
          desiredState: "present",
          desiredRevision: 1,
          state: "creating",
          appliedSizeBytes: null,
          usedBytes: null,
          enforced: null,
          error: null,
          mountedBy: [],
          createdAt: ctx.now,
        };
        change(ctx, made);
        record(
          ctx,
          made,
          { type: "storage_share.created", data: { size_bytes: input.size_bytes } },
          input.user_id,
        );
        return {};
      },
      // The server's name was read by the gateway.
      {
        fingerprint: ({ user_id, project_id, server_id, name, size_bytes }) =>
          JSON.stringify([user_id, project_id, server_id, name, size_bytes]),
      },
    ),

    update: command(
      Strict({ ...By, ...PatchStorageShare.properties }),
      Done,
      (state: State, { by, ...asked }, ctx: Ctx) => {
        const share = requireShare(state);
        const { snapshot_schedule = share.snapshotSchedule } = asked;
        const changed = setSchedule(update(share, asked), snapshot_schedule, ctx.now);
        if (changed.share === share) return {};
        change(ctx, changed.share);
        record(ctx, changed.share, { type: "storage_share.updated", data: { ...asked } }, by);
        for (const event of changed.events) record(ctx, changed.share, event, by);
        return {};
      },
    ),

    create_snapshot: command(
      Strict({ ...By, name: Type.Optional(Name(63)) }),
      StorageSnapshot,
      (state: State, { by, name }, ctx: Ctx) => {
        const id = ctx.newId();
        const changed = addSnapshot(requireShare(state), id, name, ctx.now);
        const snapshot = changed.snapshots.at(-1) as StorageSnapshot;
        change(ctx, changed);
        recordSnapshot(ctx, changed, snapshot, by);
        return snapshot;
      },
    ),

    /** Takes the snapshot of the schedule, if it is due. */
    take_scheduled_snapshot: command(Strict({}), Done, (share: State, _input, ctx: Ctx) => {
      if (share === null || share.desiredState === "deleted") return {};
      const taken = takeScheduledSnapshot(share, ctx.newId(), ctx.now);
      if (taken === undefined) return {};
      change(ctx, taken.share);
      for (const event of taken.events) record(ctx, taken.share, event);
      return {};
    }),

    delete_snapshot: command(
      Strict({ ...By, snapshot_id: Id }),
      Done,
      (state: State, { by, snapshot_id }, ctx: Ctx) => {
        const share = requireShare(state);
        const changed = removeSnapshot(share, snapshot_id);
        const snapshot = share.snapshots.find(({ id }) => id === snapshot_id) as StorageSnapshot;
        change(ctx, changed);
        recordSnapshot(ctx, changed, { ...snapshot, state: "deleted" }, by);
        return {};
      },
    ),

    restore: command(
      Strict({ ...By, snapshot_id: Id }),
      Done,
      (state: State, { by, snapshot_id }, ctx: Ctx) => {
        const changed = restore(requireShare(state), ctx.newId(), snapshot_id);
        change(ctx, changed);
        record(
          ctx,
          changed,
          { type: "storage_share.updated", data: { restoring_snapshot_id: snapshot_id } },
          by,
        );
        return {};
      },
    ),

    /** Has the host remove the share; the host's report then deletes the record. */
    delete: command(Strict({}), Done, (state: State, _input, ctx: Ctx) => {
      const share = requireShare(state);
      change(ctx, {
        ...share,
        desiredState: "deleted",
        desiredRevision: share.desiredRevision + 1,
        state: "deleted",
      });
      return {};
    }),

    /** Handles a report of its host. The reply says whether the record was deleted. */
    report: command(ShareStatus, Type.Object({ gone: Type.Boolean() }), (share: State, status, ctx: Ctx) => {
      if (share === null) return { gone: true };
      const reported = report(share, status);
      if (reported === undefined) return { gone: false };
      for (const event of reported.events) record(ctx, reported.share ?? share, event);
      ctx.setState(reported.share);
      if (reported.share === null) return { gone: true };
      trimSnapshots(ctx, reported.share);
      return { gone: false };
    }),
  },
});

function requireShare(share: State): ShareRecord {
  if (share === null || share.desiredState === "deleted")
    throw new DomainError("STORAGE_SHARE_NOT_FOUND", "Storage share not found");
  return share;
}

/** Has the host delete the oldest scheduled snapshots when newer ones are ready. */
function trimSnapshots(ctx: Ctx, share: ShareRecord): void {
  const trimmed = trim(share);
  if (trimmed.share === share) return;
  change(ctx, trimmed.share);
  for (const event of trimmed.events) record(ctx, trimmed.share, event);
}

function change(ctx: Ctx, share: ShareRecord): void {
  ctx.setState(share);
  ctx.emit(DESIRED_TOPIC, { kind: "share", id: ctx.actorId });
}

const recordSnapshot = (
  ctx: Ctx,
  share: ShareRecord,
  { id, name, state }: { id: string; name: string; state: string },
  by: string | undefined,
): void => record(ctx, share, { type: "storage_share.updated", data: { snapshot: { id, name, state } } }, by);

function record(ctx: Ctx, share: ShareRecord, { type, containerId, data }: ShareEvent, by?: string): void {
  recordEvent(ctx, {
    event_type: type,
    resource_id: ctx.actorId,
    user_id: share.userId,
    project_id: share.projectId,
    ...(containerId === undefined ? {} : { container_id: containerId }),
    by,
    data: { name: share.name, ...data },
    audience: serverAudience(share.serverId),
  });
}
