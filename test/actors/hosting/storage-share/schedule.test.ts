import { expect, test } from "bun:test";
import type { ShareRecord } from "../../../../actors/hosting/storage-share/rules.ts";
import {
  setSchedule,
  takeScheduledSnapshot,
  trim,
} from "../../../../actors/hosting/storage-share/schedule.ts";
import { SNAPSHOTS_MAX, type StorageSnapshot } from "../../../../schemas/hosting/storage-share.ts";

const NOON = new Date("2026-01-31T12:00:00Z");
const later = (hours: number, minutes = 0) => new Date(NOON.getTime() + (hours * 60 + minutes) * 60_000);
const a = "a".repeat(24);
const DAILY = { every_hours: 24, keep: 2 };

const snapshot = (id: string, fields: Partial<StorageSnapshot> = {}): StorageSnapshot => ({
  ...{ id, name: id, state: "ready", bytes: 1, error: null, scheduled: true },
  ...{ created_at: NOON.toISOString(), ...fields },
});
const share = (fields: Partial<ShareRecord> = {}): ShareRecord => ({
  ...{ userId: a, projectId: a, serverId: a, serverName: "node-1", name: "data", sizeBytes: 100 },
  ...{ snapshots: [], snapshotSchedule: DAILY, nextSnapshotAt: NOON, restore: null },
  ...{ desiredState: "present", desiredRevision: 3, state: "ready", appliedSizeBytes: 100, usedBytes: 0 },
  ...{ enforced: true, error: null, mountedBy: [], createdAt: NOON, ...fields },
});
const idsOf = (record: ShareRecord | undefined) => record?.snapshots.map(({ id }) => id);

test("the first snapshot is due at once, after a change so many hours after the last scheduled one", () => {
  const none = share({ snapshotSchedule: null, nextSnapshotAt: null });
  expect(setSchedule(none, DAILY, NOON).share).toMatchObject({
    snapshotSchedule: DAILY,
    nextSnapshotAt: NOON,
    desiredRevision: 3,
  });
  const taken = share({ snapshots: [snapshot("s1"), snapshot("own", { scheduled: false })] });
  expect(setSchedule(taken, { ...DAILY, every_hours: 6 }, later(1)).share.nextSnapshotAt).toEqual(later(6));
  expect(setSchedule(taken, { ...DAILY, every_hours: 6 }, later(9)).share.nextSnapshotAt).toEqual(later(9));
  expect(setSchedule(taken, { ...DAILY }, later(9)).share).toBe(taken);
  expect(setSchedule(taken, null, NOON).share).toMatchObject({
    ...{ snapshotSchedule: null, nextSnapshotAt: null, snapshots: taken.snapshots },
  });
});

test("a snapshot is taken when it is due, and those that were missed are not made up for", () => {
  expect(takeScheduledSnapshot(share(), "s1", later(0, -1))).toBeUndefined();
  const taken = takeScheduledSnapshot(share(), "s1", later(0, 1));
  expect(taken?.share).toMatchObject({ nextSnapshotAt: later(24), desiredRevision: 4 });
  expect(taken?.share.snapshots).toMatchObject([{ id: "s1", state: "creating", scheduled: true }]);
  expect(taken?.events).toMatchObject([{ data: { snapshot: { id: "s1", state: "creating" } } }]);
  expect(takeScheduledSnapshot(share(), "s1", later(24 * 3 + 5))?.share.nextSnapshotAt).toEqual(later(96));
});

test("it waits for a host that has not made the share or the earlier snapshot, and for a restore", () => {
  const waits = (fields: Partial<ShareRecord>) =>
    expect(takeScheduledSnapshot(share(fields), "s2", later(1))).toBeUndefined();
  waits({ appliedSizeBytes: null });
  waits({ restore: { id: a, snapshot_id: "s1" } });
  waits({ snapshots: [snapshot("s1", { state: "creating" })] });
  waits({ snapshotSchedule: null, nextSnapshotAt: null });
});

test("one that failed gives up its place, and a full share loses the oldest of its schedule alone", () => {
  const failed = takeScheduledSnapshot(
    share({ snapshots: [snapshot("s1"), snapshot("s2", { state: "error", error: "no room" })] }),
    "s3",
    later(1),
  );
  expect(idsOf(failed?.share)).toEqual(["s1", "s3"]);
  const own = Array.from({ length: SNAPSHOTS_MAX - 1 }, (_, at) =>
    snapshot(`own-${at}`, { scheduled: false }),
  );
  const full = takeScheduledSnapshot(share({ snapshots: [...own, snapshot("s1")] }), "s2", later(1));
  expect(idsOf(full?.share)).toEqual([...own.map(({ id }) => id), "s2"]);
  const people = share({ snapshots: [...own, snapshot("last", { scheduled: false })] });
  const skipped = takeScheduledSnapshot(people, "s2", later(1));
  expect(skipped?.share).toMatchObject({ snapshots: people.snapshots, nextSnapshotAt: later(24) });
  expect(skipped?.events).toMatchObject([{ data: { skipped_snapshot: expect.stringContaining("16") } }]);
});

test("the oldest of the schedule go when newer ones are ready, but not one that is being restored", () => {
  const [s1, s2, s3] = ["s1", "s2", "s3"].map((id) => snapshot(id)) as [
    StorageSnapshot,
    StorageSnapshot,
    StorageSnapshot,
  ];
  const own = snapshot("own", { scheduled: false });
  const three = share({ snapshots: [own, s1, s2, s3] });
  const trimmed = trim(three);
  expect(idsOf(trimmed.share)).toEqual(["own", "s2", "s3"]);
  expect(trimmed).toMatchObject({
    share: { desiredRevision: 4 },
    events: [{ data: { snapshot: { id: "s1", state: "deleted" } } }],
  });
  const waiting = share({ snapshots: [s1, s2, { ...s3, state: "creating" }] });
  expect(trim(waiting).share).toBe(waiting);
  const restored = share({ snapshots: [s1, s2, s3], restore: { id: a, snapshot_id: "s1" } });
  expect(trim(restored).share).toBe(restored);
  const deleted = share({ snapshots: [s1, s2, s3], desiredState: "deleted" });
  expect(trim(deleted).share).toBe(deleted);
  expect(idsOf(setSchedule(three, { ...DAILY, keep: 1 }, NOON).share)).toEqual(["own", "s3"]);
});
