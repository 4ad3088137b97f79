import { afterAll, beforeAll, expect, test } from "bun:test";
import { webhookReconcilers } from "../../../../actors/activity/webhook/reconcile.ts";
import { openSql, type Sql } from "../../../../actors/platform/db/sql.ts";
import { readSettings } from "../../../../actors/platform/settings.ts";
import { migratedDatabase, type TestDatabase } from "../../../harness/servers.ts";

/** How long the log of deliveries is kept. */

let database: TestDatabase;
let db: Sql;
beforeAll(async () => {
  database = await migratedDatabase();
  // As an actor host states them to the database.
  const session = { "berth.quotas": JSON.stringify({ webhooks_per_user: 1 }) };
  db = openSql(database.url, { max: 1, name: "test", session });
});
afterAll(async () => {
  await db?.end({ timeout: 5 });
  await database?.drop();
});

const keepHours = (env: Record<string, string>) =>
  readSettings({ DATABASE_URL: "postgres://a@b/c", NATS_URL: "nats://a", ...env }).keepHours.deliveries;

test("deliveries that ended before the operator's time are deleted, and those that are pending stay", async () => {
  await db`
    INSERT INTO webhooks (id, version, user_id, url, description, enabled, enabled_since, secret, created_at, updated_at)
    VALUES ('w', 1, 'u', 'https://a.test', '', true, now(), 's', now(), now())`;
  for (const [id, hours] of [
    ["new", 47],
    ["old", 49],
    ["pending", null],
  ] as const)
    await db`
      INSERT INTO webhook_deliveries (id, webhook_id, message_id, event_type, thing, payload, status, created_at, finished_at)
      VALUES (${id}, 'w', ${id}, 'container.error', 't', '{}', ${hours === null ? "pending" : "delivered"}, now() - interval '9 days',
        now() - ${hours}::int * interval '1 hour')`;
  const [log] = webhookReconcilers({
    db,
    keepHours: keepHours({ BERTH_KEEP_DELIVERIES_HOURS: "48" }),
    ...({} as Pick<
      Parameters<typeof webhookReconcilers>[0],
      "actors" | "deliverer" | "enqueuer" | "metrics"
    >),
  }).filter(({ name }) => name === "webhook-log");
  await log?.reconcile(new AbortController().signal);
  const left = await db<{ id: string }[]>`SELECT id FROM webhook_deliveries ORDER BY id`;
  expect(left.map(({ id }) => id)).toEqual(["new", "pending"]);
});

test("a delivery is kept longer than the event that the outbox could hand over again", () => {
  expect(keepHours({})).toBe(168);
  expect(keepHours({ BERTH_KEEP_EFFECTS_HOURS: "720" })).toBe(721);
  for (const hours of ["168", "720"])
    expect(() => keepHours({ BERTH_KEEP_EFFECTS_HOURS: "720", BERTH_KEEP_DELIVERIES_HOURS: hours })).toThrow(
      `BERTH_KEEP_DELIVERIES_HOURS is ${hours}: it has to be more than BERTH_KEEP_EFFECTS_HOURS, which is 720`,
    );
});
