import type { SnapshotSchedule, StorageSnapshot } from "../../../schemas/hosting/storage-share.ts";
import { isFull, NO_ROOM, newSnapshot, type ShareEvent, type ShareRecord } from "./rules.ts";

/** Snapshots that a share takes by itself, at regular times. Those that users took are never deleted here. */

const HOUR_MS = 3_600_000;

/** A record, and what happened to its snapshots. */
export interface Scheduled {
  readonly share: ShareRecord;
  readonly events: readonly ShareEvent[];
}

/** Sets, changes or ends the schedule. The next snapshot is due so many hours after the last scheduled one, or at once. */
export function setSchedule(share: ShareRecord, schedule: SnapshotSchedule | null, now: Date): Scheduled {
  if (JSON.stringify(schedule) === JSON.stringify(share.snapshotSchedule)) return { share, events: [] };
  if (schedule === null)
    return { share: { ...share, snapshotSchedule: null, nextSnapshotAt: null }, events: [] };
  const last = share.snapshots.findLast(isMade);
  const due = last === undefined ? now : hoursAfter(new Date(last.created_at), schedule.every_hours);
  return trim({ ...share, snapshotSchedule: schedule, nextSnapshotAt: due > now ? due : now });
}

/**
 * Takes the snapshot that is due. Undefined: none is, or it has to wait, because the host has not made the share or the
 * earlier snapshot, or restores the share.
 */
export function takeScheduledSnapshot(share: ShareRecord, id: string, now: Date): Scheduled | undefined {
  const { snapshotSchedule: schedule, nextSnapshotAt: due } = share;
  if (schedule === null || due === null || due > now) return undefined;
  if (share.appliedSizeBytes === null || share.restore !== null || share.snapshots.some(isPending))
    return undefined;
  const later = { ...share, nextSnapshotAt: nextAfter(due, schedule.every_hours, now) };
  // Those that failed give up their places, then the oldest: a host that fails each time must not fill all of them.
  const made = removeSnapshots(later, share.snapshots.filter(isFailed));
  const oldest = isFull(made.share) ? made.share.snapshots.find(isMade) : undefined;
  const roomy = removeSnapshots(made.share, oldest === undefined ? [] : [oldest]);
  const removed = [...made.events, ...roomy.events];
  if (isFull(roomy.share))
    return { share: roomy.share, events: [...removed, told({ skipped_snapshot: NO_ROOM })] };
  const snapshot = newSnapshot(id, now, { scheduled: true });
  return {
    share: {
      ...roomy.share,
      snapshots: [...roomy.share.snapshots, snapshot],
      desiredRevision: share.desiredRevision + 1,
    },
    events: [...removed, toldOf(snapshot, "creating")],
  };
}

/** Removes the oldest scheduled snapshots beyond those that the schedule keeps, except one that is being restored. */
export function trim(share: ShareRecord): Scheduled {
  if (share.snapshotSchedule === null || share.desiredState === "deleted") return { share, events: [] };
  const ready = share.snapshots.filter(isMade);
  const excess = ready.slice(0, Math.max(0, ready.length - share.snapshotSchedule.keep));
  return removeSnapshots(
    share,
    excess.filter(({ id }) => id !== share.restore?.snapshot_id),
  );
}

const isMade = ({ scheduled, state }: StorageSnapshot) => scheduled === true && state === "ready";
const isFailed = ({ scheduled, state }: StorageSnapshot) => scheduled === true && state === "error";
const isPending = ({ scheduled, state }: StorageSnapshot) => scheduled === true && state === "creating";

const hoursAfter = (time: Date, hours: number) => new Date(time.getTime() + hours * HOUR_MS);

/** The first time of the schedule that is still to come: those that were missed are not made up for. */
function nextAfter(due: Date, everyHours: number, now: Date): Date {
  const periods = Math.floor((now.getTime() - due.getTime()) / (everyHours * HOUR_MS)) + 1;
  return hoursAfter(due, periods * everyHours);
}

function removeSnapshots(share: ShareRecord, removed: readonly StorageSnapshot[]): Scheduled {
  if (removed.length === 0) return { share, events: [] };
  const ids = new Set(removed.map(({ id }) => id));
  return {
    share: {
      ...share,
      snapshots: share.snapshots.filter(({ id }) => !ids.has(id)),
      desiredRevision: share.desiredRevision + 1,
    },
    events: removed.map((snapshot) => toldOf(snapshot, "deleted")),
  };
}

const told = (data: ShareEvent["data"]): ShareEvent => ({ type: "storage_share.updated", data });
const toldOf = ({ id, name }: StorageSnapshot, state: string) =>
  told({ snapshot: { id, name, state, scheduled: true } });
