import type { Sql } from "../../../platform/db/sql.ts";

/** The queue of deliveries (`0012_webhooks.sql`): adding to it, claiming from it, and what becomes of what was claimed. */

/** A webhook that is switched on, as the events are compared with it. */
export interface ActiveWebhook {
  readonly id: string;
  readonly version: bigint;
  readonly userId: string;
  /** Null: every type. */
  readonly eventTypes: readonly string[] | null;
  readonly enabledSince: Date;
  readonly updatedAt: Date;
}

export async function readActiveWebhooks(db: Sql): Promise<ActiveWebhook[]> {
  return db<ActiveWebhook[]>`
    SELECT id, version, user_id AS "userId", event_types AS "eventTypes", enabled_since AS "enabledSince",
      updated_at AS "updatedAt"
    FROM webhooks WHERE enabled`;
}

export interface NewDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly messageId: string;
  /** Null for what is no event: a test, a redelivery. */
  readonly eventId: string | null;
  readonly type: string;
  /** Deliveries of one thing are made one after another. */
  readonly thing: string;
  readonly payload: string;
}

/** Adds deliveries in their order; an event that a webhook has already is left out. */
export async function enqueueDeliveries(db: Sql, rows: readonly NewDelivery[]): Promise<void> {
  await db`
    SELECT enqueue_webhook_deliveries(
      ${rows.map((row) => row.id)}::text[], ${rows.map((row) => row.webhookId)}::text[],
      ${rows.map((row) => row.messageId)}::text[], ${rows.map((row) => row.eventId)}::text[],
      ${rows.map((row) => row.type)}::text[], ${rows.map((row) => row.thing)}::text[],
      ${rows.map((row) => row.payload)}::text[])`;
}

/** The message of an earlier delivery, to be sent again; undefined when the log has it no more. */
export async function readMessage(
  db: Sql,
  webhookId: string,
  deliveryId: string,
): Promise<Pick<NewDelivery, "messageId" | "type" | "payload"> | undefined> {
  const [row] = await db<Pick<NewDelivery, "messageId" | "type" | "payload">[]>`
    SELECT message_id AS "messageId", event_type AS type, payload FROM webhook_deliveries
    WHERE id = ${deliveryId} AND webhook_id = ${webhookId}`;
  return row;
}

/** A delivery that this host makes, until the claim runs out. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly messageId: string;
  readonly payload: string;
  /** With this one. */
  readonly attempts: number;
  readonly firstAttemptAt: Date;
  readonly url: string;
  /** The newest first. */
  readonly secrets: readonly string[];
}

/** Deliveries that are looked at to find those of webhooks with room. */
const CANDIDATES_MAX = 500;

/**
 * Claims deliveries whose time has come, at most `limit`, and of each webhook at most `perWebhook`. No other host gets them for
 * `claimMs`: whoever has died by then has not delivered them.
 *
 * @param busy webhooks of which this host makes as many deliveries as it may
 */
export async function claimDeliveries(
  db: Sql,
  {
    limit,
    perWebhook,
    claimMs,
    busy,
  }: { limit: number; perWebhook: number; claimMs: number; busy: readonly string[] },
): Promise<ClaimedDelivery[]> {
  return db<ClaimedDelivery[]>`
    WITH candidates AS (
      SELECT d.id, d.webhook_id, d.next_attempt_at FROM webhook_deliveries d
      WHERE d.status = 'pending' AND d.next_attempt_at <= clock_timestamp() AND d.webhook_id <> ALL (${[...busy]}::text[])
        -- Those of a suspended account wait until it is restored; those of a deleted one end with their webhook.
        AND EXISTS (SELECT FROM webhooks w JOIN accounts a ON a.id = w.user_id
          WHERE w.id = d.webhook_id AND w.enabled AND a.suspension IS NULL AND a.deletion IS NULL)
      ORDER BY d.next_attempt_at LIMIT ${CANDIDATES_MAX}
    ), ranked AS (
      SELECT id, row_number() OVER (PARTITION BY webhook_id ORDER BY next_attempt_at) AS place FROM candidates
    ), due AS (
      SELECT d.id FROM webhook_deliveries d JOIN ranked r ON r.id = d.id
      WHERE r.place <= ${perWebhook} AND d.status = 'pending' AND d.next_attempt_at <= clock_timestamp()
      ORDER BY d.next_attempt_at LIMIT ${limit} FOR UPDATE OF d SKIP LOCKED
    )
    UPDATE webhook_deliveries d SET attempts = d.attempts + 1, last_attempt_at = clock_timestamp(),
      first_attempt_at = coalesce(d.first_attempt_at, clock_timestamp()),
      next_attempt_at = clock_timestamp() + ${claimMs} * interval '1 millisecond'
    FROM due, webhooks w WHERE d.id = due.id AND w.id = d.webhook_id
    RETURNING d.id, d.webhook_id AS "webhookId", d.message_id AS "messageId", d.payload, d.attempts,
      d.first_attempt_at AS "firstAttemptAt", w.url,
      array_remove(ARRAY[w.secret, CASE WHEN w.previous_secret_until > now() THEN w.previous_secret END], NULL) AS secrets`;
}

/** Whether the time of a delivery has come. */
export const hasDueDeliveries = (db: Sql) => db`EXISTS (
  SELECT FROM webhook_deliveries WHERE status = 'pending' AND next_attempt_at <= clock_timestamp())`;

/** Whether deliveries wait, or one has ended since a time. */
export const hasRecentDeliveries = (db: Sql, since: Date) => db`
  (EXISTS (SELECT FROM webhook_deliveries WHERE status = 'pending')
    OR EXISTS (SELECT FROM webhook_deliveries WHERE finished_at > ${since}))`;

export interface AttemptOutcome {
  readonly isDelivered: boolean;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  readonly durationMs: number;
}

/**
 * Writes the outcome of an attempt, unless the claim ran out meanwhile.
 *
 * @param retryMs the wait before the next attempt; null: there is none
 */
export async function finishAttempt(
  db: Sql,
  { id, attempts }: Pick<ClaimedDelivery, "id" | "attempts">,
  { isDelivered, responseStatus, responseBody, error, durationMs }: AttemptOutcome,
  retryMs: number | null,
): Promise<void> {
  await db`
    SELECT finish_webhook_attempt(${id}, ${attempts}, ${isDelivered}, ${retryMs}::bigint, ${responseStatus}::int,
      ${responseBody}::text, ${error}::text, ${durationMs})`;
}

/** How many deliveries wait, by webhook. */
export async function countPending(db: Sql): Promise<{ webhookId: string; pending: number }[]> {
  const rows = await db<{ webhookId: string; pending: bigint }[]>`
    SELECT webhook_id AS "webhookId", count(*) AS pending FROM webhook_deliveries WHERE status = 'pending' GROUP BY webhook_id`;
  return rows.map((row) => ({ ...row, pending: Number(row.pending) }));
}

/** Webhooks of which a delivery was given up and none has succeeded since that one's first attempt. */
export async function listFailingWebhooks(db: Sql): Promise<{ id: string; deliveryId: string }[]> {
  return db<{ id: string; deliveryId: string }[]>`
    SELECT w.id, f.id AS "deliveryId" FROM webhooks w CROSS JOIN LATERAL (
      SELECT d.id, d.first_attempt_at FROM webhook_deliveries d
      WHERE d.webhook_id = w.id AND d.status = 'failed' AND d.first_attempt_at >= w.enabled_since
      ORDER BY d.id DESC LIMIT 1) f
    WHERE w.enabled AND NOT EXISTS (
      SELECT FROM webhook_deliveries s WHERE s.webhook_id = w.id AND s.status = 'delivered' AND s.finished_at >= f.first_attempt_at)`;
}

/** Ends at most `limit` pending deliveries of webhooks that are switched off. @returns how many */
export async function failDisabledDeliveries(db: Sql, limit: number): Promise<number> {
  const { count } = await db`
    UPDATE webhook_deliveries SET status = 'failed', finished_at = clock_timestamp(), error = 'the webhook is switched off'
    WHERE id IN (
      SELECT d.id FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
      WHERE d.status = 'pending' AND NOT w.enabled LIMIT ${limit})`;
  return count;
}

/** Deletes at most `limit` deliveries that ended before a time, and those of deleted webhooks. @returns how many */
export async function deleteOldDeliveries(db: Sql, before: Date, limit: number): Promise<number> {
  const ended = await db`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE finished_at < ${before} LIMIT ${limit})`;
  const orphaned = await db`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT d.id FROM webhook_deliveries d WHERE NOT EXISTS (SELECT FROM webhooks w WHERE w.id = d.webhook_id) LIMIT ${limit})`;
  return ended.count + orphaned.count;
}
