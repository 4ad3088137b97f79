import type {
  DELIVERIES_SORT,
  DeliveryStatus,
  DisabledReason,
  WEBHOOKS_SORT,
  Webhook,
  WebhookDelivery,
} from "../../../schemas/activity/webhook.ts";
import type { EventType } from "../../../schemas/events.ts";
import type { CountedSlice, PageOf, Slice } from "../../../schemas/paging.ts";
import { isNamed, keyset, type Positioned, readTotal, sliceOf } from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";

/** What the API shows of webhooks and their deliveries. The queue is in `queue/queries.ts`. */

interface WebhookRow {
  id: string;
  url: string;
  description: string;
  event_types: EventType[] | null;
  enabled: boolean;
  disabled_reason: DisabledReason | null;
  previous_secret_until: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** All but the secrets. */
const webhookColumns = (db: Sql) => db`
  id, url, description, event_types, enabled, disabled_reason, created_at, updated_at,
  CASE WHEN previous_secret_until > now() THEN previous_secret_until END AS previous_secret_until`;

const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  description: row.description,
  event_types: row.event_types,
  enabled: row.enabled,
  disabled_reason: row.disabled_reason,
  previous_secret_until: row.previous_secret_until?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** A page of a user's webhooks, oldest first. */
export async function listWebhooks(
  db: Sql,
  userId: string,
  page: PageOf<typeof WEBHOOKS_SORT>,
): Promise<CountedSlice<Webhook>> {
  const { position, isAfter, order } = keyset(
    db,
    page,
    { created_at: db`created_at`, updated_at: db`updated_at` },
    db`id`,
  );
  const own = db`FROM webhooks WHERE user_id = ${userId} ${isNamed(db, page, db`url || ' ' || description`)}`;
  const [rows, total] = await Promise.all([
    db<
      Positioned<WebhookRow>[]
    >`SELECT ${webhookColumns(db)}, ${position} ${own} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, own),
  ]);
  return { ...sliceOf(rows, page, toWebhook), total };
}

/** A webhook of a user; undefined when there is none of this id, or it is another's. */
export async function readWebhook(db: Sql, userId: string, id: string): Promise<Webhook | undefined> {
  const [row] = await db<WebhookRow[]>`
    SELECT ${webhookColumns(db)} FROM webhooks WHERE id = ${id} AND user_id = ${userId}`;
  return row === undefined ? undefined : toWebhook(row);
}

interface DeliveryRow {
  id: string;
  webhook_id: string;
  message_id: string;
  event_type: string;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: Date | null;
  last_attempt_at: Date | null;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
  duration_ms: number | null;
  created_at: Date;
  finished_at: Date | null;
}

// A delivery that waits behind another has no time yet.
const deliveryColumns = (db: Sql) => db`
  id, webhook_id, message_id, event_type, status, attempts, last_attempt_at, response_status, response_body, error,
  duration_ms, created_at, finished_at,
  CASE WHEN status = 'pending' AND next_attempt_at <> 'infinity' THEN next_attempt_at END AS next_attempt_at`;

const toDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  webhook_id: row.webhook_id,
  message_id: row.message_id,
  event_type: row.event_type,
  status: row.status,
  attempts: row.attempts,
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
  response_status: row.response_status,
  response_body: row.response_body,
  error: row.error,
  duration_ms: row.duration_ms,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
});

export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly eventType?: string | undefined;
}

/** A page of a webhook's deliveries, newest first. */
export async function listDeliveries(
  db: Sql,
  webhookId: string,
  { status, eventType }: DeliveryFilter,
  page: PageOf<typeof DELIVERIES_SORT>,
): Promise<Slice<WebhookDelivery>> {
  const { position, isAfter, order } = keyset(db, page, { created_at: db`id` }, db`id`);
  const rows = await db<Positioned<DeliveryRow>[]>`
    SELECT ${deliveryColumns(db)}, ${position} FROM webhook_deliveries
    WHERE webhook_id = ${webhookId} ${status === undefined ? db`` : db`AND status = ${status}`}
      ${eventType === undefined ? db`` : db`AND event_type = ${eventType}`} AND ${isAfter} ORDER BY ${order}`;
  return sliceOf(rows, page, toDelivery);
}

export async function readDelivery(
  db: Sql,
  webhookId: string,
  id: string,
): Promise<(WebhookDelivery & { payload: string }) | undefined> {
  const [row] = await db<(DeliveryRow & { payload: string })[]>`
    SELECT ${deliveryColumns(db)}, payload FROM webhook_deliveries WHERE id = ${id} AND webhook_id = ${webhookId}`;
  return row === undefined ? undefined : { ...toDelivery(row), payload: row.payload };
}
