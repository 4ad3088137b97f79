import { describe, expect, test } from "bun:test";
import {
  addSnapshot,
  removeSnapshot,
  report,
  restore,
  type ShareRecord,
  update,
} from "../../../../actors/hosting/storage-share/rules.ts";
import type { ShareStatus } from "../../../../schemas/hosting/desired.ts";
import { SNAPSHOTS_MAX } from "../../../../schemas/hosting/storage-share.ts";

const NOW = new Date("2026-01-31T09:30:00Z");
const [a, b] = ["a".repeat(24), "b".repeat(24)];

const share = (fields: Partial<ShareRecord> = {}): ShareRecord => ({
  ...{ userId: a, projectId: a, serverId: a, serverName: "node-1", name: "data", sizeBytes: 100 },
  ...{ snapshots: [], restore: null, desiredState: "present", desiredRevision: 3, state: "ready" },
  ...{ snapshotSchedule: null, nextSnapshotAt: null },
  ...{ appliedSizeBytes: 100, usedBytes: 0, enforced: true, error: null, mountedBy: [], createdAt: NOW },
  ...fields,
});
const status = (fields: Partial<ShareStatus> = {}): ShareStatus => ({
  ...{ revision: 3, state: "ready", size_bytes: 100, used_bytes: 0, enforced: true, error: null },
  ...{ snapshots: [], restored: null, mounted_by: [], reported_at: NOW.toISOString(), ...fields },
});
const withSnapshot = (fields: Partial<ShareRecord> = {}) =>
  share({
    snapshots: [
      {
        ...{ id: b, name: "first", state: "ready", bytes: 1, error: null },
        ...{ scheduled: false, created_at: NOW.toISOString() },
      },
    ],
    ...fields,
  });

test("a share grows and does not shrink; another name alone is none of its host's business", () => {
  expect(update(share(), { size_bytes: 101 })).toMatchObject({ sizeBytes: 101, desiredRevision: 4 });
  expect(update(share(), { name: "other" })).toMatchObject({ name: "other", desiredRevision: 3 });
  expect(() => update(share(), { size_bytes: 99 })).toThrow("must not be below the present size, 100");
});

describe("snapshots", () => {
  test("there are so many and no more, and none is asked for during a restore", () => {
    let full = share();
    for (let at = 0; at < SNAPSHOTS_MAX; at += 1) full = addSnapshot(full, `${at}`, undefined, NOW);
    expect(full.snapshots[0]).toMatchObject({ state: "creating", name: "2026-01-31T09:30:00.000Z" });
    expect(() => addSnapshot(full, a, undefined, NOW)).toThrow("delete one first");
    const restoring = withSnapshot({ restore: { id: a, snapshot_id: b } });
    expect(() => addSnapshot(restoring, a, "late", NOW)).toThrow("is being restored");
    expect(() => removeSnapshot(restoring, b)).toThrow("restored to this snapshot");
  });

  test("only one that is there, and that no container is in the way of, is restored", () => {
    expect(restore(withSnapshot(), a, b)).toMatchObject({
      restore: { id: a, snapshot_id: b },
      desiredRevision: 4,
    });
    expect(() => restore(withSnapshot(), a, a)).toThrow("Snapshot not found");
    expect(() => restore(withSnapshot({ mountedBy: [a] }), a, b)).toThrow("stop them first");
    const unmade = addSnapshot(share(), b, "new", NOW);
    expect(() => restore(unmade, a, b)).toThrow("has not been made yet");
  });
});

describe("reports", () => {
  test("an outdated one, or one that says nothing new, changes nothing", () => {
    expect(report(share(), status({ revision: 2, used_bytes: 50 }))).toBeUndefined();
    expect(report(share(), status())).toBeUndefined();
  });

  test("what is used changes the record alone", () => {
    expect(report(share(), status({ used_bytes: 50 }))).toEqual({
      share: share({ usedBytes: 50 }),
      events: [],
    });
  });

  test("containers come and go", () => {
    const { events = [] } = report(share({ mountedBy: [a] }), status({ mounted_by: [b] })) ?? {};
    expect(events).toEqual([
      { type: "storage_share.mounted", containerId: b, data: {} },
      { type: "storage_share.unmounted", containerId: a, data: {} },
    ]);
  });

  test("a snapshot and a restore that are done are told once", () => {
    const asked = addSnapshot(share(), b, "new", NOW);
    const made = report(
      asked,
      status({ revision: 4, snapshots: [{ id: b, state: "ready", bytes: 7, error: null }] }),
    );
    expect(made?.share?.snapshots).toMatchObject([{ id: b, state: "ready", bytes: 7 }]);
    expect(made?.events).toMatchObject([{ data: { snapshot: { id: b, state: "ready" } } }]);
    const restoring = withSnapshot({ restore: { id: a, snapshot_id: b } });
    const done = report(restoring, status({ restored: a }));
    expect(done?.share?.restore).toBeNull();
    expect(done?.events).toEqual([{ type: "storage_share.updated", data: { restored_snapshot_id: b } }]);
  });

  test("only a share whose deletion was asked for is deleted", () => {
    expect(report(share(), status({ state: "deleted" }))).toBeUndefined();
    const deleting = share({ desiredState: "deleted", state: "deleted", mountedBy: [a] });
    expect(report(deleting, status({ state: "deleted" }))).toEqual({
      share: null,
      events: [
        { type: "storage_share.unmounted", containerId: a, data: {} },
        { type: "storage_share.deleted", data: {} },
      ],
    });
    // Meanwhile the host may have much to say.
    expect(report(deleting, status({ error: "waits", mounted_by: [a] }))?.share).toMatchObject({
      state: "deleted",
      error: "waits",
    });
  });
});
