import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auditReconciler } from "../../../actors/accounts/audit/reconcile.ts";
import { inboxReconciler } from "../../../actors/activity/inbox/reconcile.ts";
import { openSql, type Sql } from "../../../actors/platform/db/sql.ts";
import { readKeepDays, startOfRetention } from "../../../actors/platform/retention-settings.ts";
import { pruneClientReceipts } from "../../../actors/runtime/store/outbox/queries.ts";
import { migratedDatabase, type TestDatabase } from "../../harness/servers.ts";

/** How long records are kept that somebody may still ask for. */

let database: TestDatabase;
let db: Sql;
beforeAll(async () => {
  database = await migratedDatabase();
  db = openSql(database.url, { max: 1, name: "test" });
});
afterAll(async () => {
  await db?.end({ timeout: 5 });
  await database?.drop();
});

const DAY_MS = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

test("everything is kept for good unless the operator sets how many days", () => {
  expect(readKeepDays({})).toEqual({ events: 0, audit: 0, notifications: 0, clientReceipts: 0 });
  expect(startOfRetention(0, new Date())).toBeUndefined();
});

test("a time is set in whole days, which begin at midnight UTC", () => {
  const now = new Date("2026-03-10T15:00:00Z");
  expect(startOfRetention(9, now)?.toISOString()).toBe("2026-03-01T00:00:00.000Z");
});

test.each([
  ["BERTH_KEEP_CLIENT_RECEIPTS_DAYS", "29", "30"],
  ["BERTH_KEEP_AUDIT_DAYS", "89", "90"],
  ["BERTH_KEEP_NOTIFICATIONS_DAYS", "29", "30"],
])("%s refuses a time that is too short to be meant", (name, short, enough) => {
  expect(() => readKeepDays({ [name]: short })).toThrow(`${name} is "${short}"`);
  expect(Object.values(readKeepDays({ [name]: enough }))).toContain(Number(enough));
});

describe("receipts of clients' keys", () => {
  const receipt = (key: string, days: number, { saga = null as string | null, minted = false } = {}) => db`
    INSERT INTO receipts (actor_id, key, fingerprint, reply, actor_version, minted, created_at, saga)
    VALUES ('a', ${key}, '', '{}', 1, ${minted}, ${daysAgo(days)}, ${saga})`;

  test("go when they are older, unless a saga or a send still waits for them", async () => {
    await receipt("wallet.transfer:new", 39);
    await receipt("wallet.transfer:old", 41);
    await receipt("wallet.transfer:minted", 41, { minted: true });
    await receipt("wallet.buy:ended", 41, { saga: "wallet.$saga:1" });
    await receipt("wallet.$saga:1", 39);
    await receipt("wallet.buy:waiting", 41, { saga: "wallet.$saga:2" });
    await receipt("wallet.charge:sent", 41);
    await receipt("wallet.charge:done", 41);
    await db`
      INSERT INTO tasks (kind, actor_id, name, partition, token, due_at, op, input, target_kind, target_id, key, aborting)
      VALUES ('rental', 'r', 'charge', 0, 't', now(), 'charge', '{}', 'wallet', 'a', 'sent', false)`;
    expect(await pruneClientReceipts(db, daysAgo(40))).toBe(3);
    expect(await pruneClientReceipts(db, daysAgo(40))).toBe(0);
    const left = await db<{ key: string }[]>`SELECT key FROM receipts ORDER BY key COLLATE "C"`;
    expect(left.map(({ key }) => key)).toEqual([
      "wallet.$saga:1",
      "wallet.buy:waiting",
      "wallet.charge:sent",
      "wallet.transfer:minted",
      "wallet.transfer:new",
    ]);
  });
});

describe("entries of the audit log", () => {
  const actsAfter = async (keepDays: number) => {
    await auditReconciler({ db, keepDays }).reconcile(new AbortController().signal);
    return (await db<{ act: string }[]>`SELECT act FROM audit_entries ORDER BY act`).map(({ act }) => act);
  };

  test("stay for good, or as long as the operator has set", async () => {
    for (const [act, days] of [
      ["new", 99],
      ["old", 102],
    ] as const)
      await db`
        INSERT INTO audit_entries (id, user_id, act, data, created_at)
        VALUES (${act}, 'u', ${act}, '{}', ${daysAgo(days)})`;
    expect(await actsAfter(0)).toEqual(["new", "old"]);
    expect(await actsAfter(100)).toEqual(["new"]);
  });
});

describe("notifications", () => {
  const left = async () =>
    (await db<{ id: string }[]>`SELECT id FROM notifications ORDER BY id`).map(({ id }) => id);
  const after = (keepDays: number) =>
    inboxReconciler({ db, keepDays }).reconcile(new AbortController().signal);

  test("stay until they are deleted, or as long as the operator has set, with the marks of who has read them", async () => {
    await db`INSERT INTO inboxes (id, version, updated_at) VALUES ('u', 1, now()), ('all', 1, now())`;
    for (const [id, inbox, days] of [
      ["new", "u", 39],
      ["old", "u", 42],
      ["old-to-all", "all", 42],
    ] as const)
      await db`
        INSERT INTO notifications (id, inbox_id, title, body, level, public, created_at)
        VALUES (${id}, ${inbox}, ${id}, '', 'info', false, ${daysAgo(days)})`;
    await db`
      INSERT INTO notification_reads (inbox_id, notification_id, created_at, read_at)
      VALUES ('u', 'old', now(), now()), ('u', 'new', now(), now())`;
    await db`
      INSERT INTO notification_deletions (inbox_id, notification_id, deleted_at)
      VALUES ('u', 'old-to-all', ${daysAgo(42)}), ('u', 'gone', ${daysAgo(1)})`;
    await after(0);
    expect(await left()).toEqual(["new", "old", "old-to-all"]);
    await after(40);
    expect(await left()).toEqual(["new"]);
    const reads = await db<{ id: string }[]>`SELECT notification_id AS id FROM notification_reads`;
    expect(reads.map(({ id }) => id)).toEqual(["new"]);
    const deletions = await db<{ id: string }[]>`SELECT notification_id AS id FROM notification_deletions`;
    expect(deletions.map(({ id }) => id)).toEqual(["gone"]);
  });
});
