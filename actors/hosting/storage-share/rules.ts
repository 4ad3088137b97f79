import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import type { EventType } from "../../../schemas/events.ts";
import type { ShareStatus } from "../../../schemas/hosting/desired.ts";
import {
  type PatchStorageShare,
  SNAPSHOTS_MAX,
  type SnapshotSchedule,
  type StorageShareState,
  type StorageSnapshot,
  shareMounted,
} from "../../../schemas/hosting/storage-share.ts";

/** A storage share as its actor holds it. */
export interface ShareRecord {
  readonly userId: string;
  readonly projectId: string;
  readonly serverId: string;
  /** The host's name. */
  readonly serverName: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** Oldest first. */
  readonly snapshots: readonly StorageSnapshot[];
  /** Null: snapshots are only taken when a user asks for one. */
  readonly snapshotSchedule: SnapshotSchedule | null;
  /** When the schedule takes the next snapshot; null without a schedule. */
  readonly nextSnapshotAt: Date | null;
  /** The restore that the host has not reported yet. */
  readonly restore: { readonly id: string; readonly snapshot_id: string } | null;
  readonly desiredState: "present" | "deleted";
  readonly desiredRevision: number;
  readonly state: StorageShareState;
  readonly appliedSizeBytes: number | null;
  readonly usedBytes: number | null;
  readonly enforced: boolean | null;
  readonly error: string | null;
  /** The containers that run with it, as the host reports them. */
  readonly mountedBy: readonly string[];
  readonly createdAt: Date;
}

/** An event of a share, with what it tells besides the share's name. */
export interface ShareEvent {
  readonly type: Extract<EventType, `storage_share.${string}`>;
  readonly containerId?: string;
  readonly data: Record<string, unknown>;
}

/** @throws VALIDATION_ERROR for a size below the present one */
export function update(
  share: ShareRecord,
  { name = share.name, size_bytes: sizeBytes = share.sizeBytes }: PatchStorageShare,
): ShareRecord {
  if (sizeBytes < share.sizeBytes)
    throw new ValidationError("body.size_bytes", `must not be below the present size, ${share.sizeBytes}`);
  if (sizeBytes === share.sizeBytes) return name === share.name ? share : { ...share, name };
  return { ...share, name, sizeBytes, desiredRevision: share.desiredRevision + 1 };
}

/** @throws STORAGE_SNAPSHOT_LIMIT, STORAGE_SHARE_STATE_CONFLICT while it is being restored */
export function addSnapshot(
  share: ShareRecord,
  id: string,
  name: string | undefined,
  now: Date,
): ShareRecord {
  if (isFull(share)) throw new DomainError("STORAGE_SNAPSHOT_LIMIT", `${NO_ROOM}: delete one first`);
  if (share.restore !== null)
    throw new DomainError(
      "STORAGE_SHARE_STATE_CONFLICT",
      "the share is being restored: try again when it is done",
    );
  const snapshot = newSnapshot(id, now, { name, scheduled: false });
  return {
    ...share,
    snapshots: [...share.snapshots, snapshot],
    desiredRevision: share.desiredRevision + 1,
  };
}

export const NO_ROOM = `the share has ${SNAPSHOTS_MAX} snapshots, the most that there may be`;

export const isFull = ({ snapshots }: Pick<ShareRecord, "snapshots">): boolean =>
  snapshots.length >= SNAPSHOTS_MAX;

/** A snapshot that its host is to make. Its name is the time unless one is given. */
export function newSnapshot(
  id: string,
  now: Date,
  { name, scheduled }: { name?: string | undefined; scheduled: boolean },
): StorageSnapshot {
  const created_at = now.toISOString();
  return { id, name: name ?? created_at, state: "creating", bytes: null, error: null, scheduled, created_at };
}

/** @throws STORAGE_SNAPSHOT_NOT_FOUND, STORAGE_SHARE_STATE_CONFLICT while it is being restored */
export function removeSnapshot(share: ShareRecord, id: string): ShareRecord {
  requireSnapshot(share, id);
  if (share.restore?.snapshot_id === id)
    throw new DomainError("STORAGE_SHARE_STATE_CONFLICT", "the share is being restored to this snapshot");
  const snapshots = share.snapshots.filter((snapshot) => snapshot.id !== id);
  return { ...share, snapshots, desiredRevision: share.desiredRevision + 1 };
}

/** @throws STORAGE_SNAPSHOT_NOT_FOUND, STORAGE_SHARE_STATE_CONFLICT, STORAGE_SHARE_MOUNTED */
export function restore(share: ShareRecord, restoreId: string, snapshotId: string): ShareRecord {
  const { state } = requireSnapshot(share, snapshotId);
  if (state !== "ready")
    throw new DomainError("STORAGE_SHARE_STATE_CONFLICT", "the snapshot has not been made yet");
  if (share.mountedBy.length > 0) throw shareMounted(share.mountedBy.map((id) => ({ id, name: id })));
  const wanted = { id: restoreId, snapshot_id: snapshotId };
  return { ...share, restore: wanted, desiredRevision: share.desiredRevision + 1 };
}

function requireSnapshot({ snapshots }: ShareRecord, id: string): StorageSnapshot {
  const found = snapshots.find((snapshot) => snapshot.id === id);
  if (found === undefined) throw new DomainError("STORAGE_SNAPSHOT_NOT_FOUND", "Snapshot not found");
  return found;
}

/**
 * Applies a host's report: the new record (null: the share is gone) and its events; undefined when the report changes
 * nothing, or concerns a desired state that has changed since.
 */
export function report(
  share: ShareRecord,
  status: ShareStatus,
): { share: ShareRecord | null; events: ShareEvent[] } | undefined {
  if (status.revision < share.desiredRevision) return undefined;
  const events = mountEvents(share.mountedBy, status.state === "deleted" ? [] : status.mounted_by);
  if (status.state === "deleted") {
    // Only a share whose deletion was requested is deleted: a host that lost it must say so.
    if (share.desiredState !== "deleted") return undefined;
    return { share: null, events: [...events, { type: "storage_share.deleted", data: {} }] };
  }
  const isRestored = share.restore !== null && status.restored === share.restore.id;
  const next: ShareRecord = {
    ...share,
    snapshots: share.snapshots.map((snapshot) => reportedSnapshot(snapshot, status)),
    restore: isRestored ? null : share.restore,
    state: share.desiredState === "deleted" ? "deleted" : status.state,
    appliedSizeBytes: status.size_bytes,
    usedBytes: status.used_bytes,
    enforced: status.enforced,
    error: status.error,
    mountedBy: status.mounted_by,
  };
  if (JSON.stringify(next) === JSON.stringify(share)) return undefined;
  const changed = changeEvents(share, next, isRestored);
  return { share: next, events: [...events, ...changed] };
}

function reportedSnapshot(snapshot: StorageSnapshot, { snapshots }: ShareStatus): StorageSnapshot {
  const reported = snapshots.find(({ id }) => id === snapshot.id);
  if (reported === undefined) return snapshot;
  const { state, bytes, error } = reported;
  return { ...snapshot, state, bytes, error };
}

function mountEvents(before: readonly string[], now: readonly string[]): ShareEvent[] {
  const event = (type: ShareEvent["type"]) => (containerId: string) => ({ type, containerId, data: {} });
  return [
    ...now.filter((id) => !before.includes(id)).map(event("storage_share.mounted")),
    ...before.filter((id) => !now.includes(id)).map(event("storage_share.unmounted")),
  ];
}

/** What a user asked for and the host has done. How much is used changes too often to be told. */
function changeEvents(before: ShareRecord, next: ShareRecord, isRestored: boolean): ShareEvent[] {
  const told: Record<string, unknown>[] = [];
  for (const [at, { id, name, state, error }] of next.snapshots.entries())
    if (state !== before.snapshots[at]?.state)
      told.push({ snapshot: { id, name, state, ...(error === null ? {} : { error }) } });
  if (isRestored) told.push({ restored_snapshot_id: before.restore?.snapshot_id });
  if (next.state !== before.state)
    told.push({ state: next.state, ...(next.error === null ? {} : { error: next.error }) });
  return told.map((data) => ({ type: "storage_share.updated", data }));
}
