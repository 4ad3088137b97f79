import type { Reconciler } from "../../../system/reconciler.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { BACKSTOP_MS, type DueReconciler } from "../../platform/due/due.ts";
import type { ActorsFor } from "../../senders.ts";
import type { WebhookDeliverer } from "./deliver.ts";
import type { WebhookEnqueuer } from "./enqueue.ts";
import type { WebhookMetrics } from "./metrics.ts";
import {
  countPending,
  deleteOldDeliveries,
  failDisabledDeliveries,
  hasDueDeliveries,
  hasRecentDeliveries,
  listFailingWebhooks,
} from "./queue/queries.ts";

/** How soon a host knows of a webhook whose announcement it missed. */
const REFRESH_INTERVAL_MS = 30_000;
/** How late a delivery is made whose time has come, or that was claimed by a host that died. */
const DELIVERY_INTERVAL_MS = 1_000;
const CHECK_INTERVAL_MS = 5_000;
/** A delivery that has ended so recently may be why a webhook does not work. Well above the interval, for rounds that fail. */
const RECENT_MS = 30_000;
const PRUNE_INTERVAL_MS = 60_000;
/** A receiver that is so far behind does not catch up, and the database does not keep its events without end. */
const PENDING_MAX = 10_000;
const HOUR_MS = 60 * 60 * 1000;
/** Rows of one statement. */
const ROWS_MAX = 1_000;

export interface WebhookReconcilersOptions {
  readonly db: Sql;
  readonly actors: ActorsFor<"reconciler">;
  readonly enqueuer: WebhookEnqueuer;
  readonly deliverer: WebhookDeliverer;
  readonly metrics: WebhookMetrics;
  /** How long deliveries that ended are kept. */
  readonly keepHours: number;
}

/** Makes deliveries whose time has come, reads webhooks again, switches off those that do not work, and deletes what is old. */
export function webhookReconcilers({
  db,
  actors,
  enqueuer,
  deliverer,
  metrics,
  keepHours,
}: WebhookReconcilersOptions): Reconciler[] {
  async function disable(id: string, reason: "failing" | "too_far_behind", key: string): Promise<void> {
    await actors.webhook(id).disable({ reason }, { key });
    metrics.countDisabled(reason);
  }

  async function check(signal: AbortSignal): Promise<void> {
    for (const { id, deliveryId } of await listFailingWebhooks(db))
      await disable(id, "failing", `failing:${deliveryId}`);
    const counts = await countPending(db);
    metrics.setPending(counts.reduce((sum, { pending }) => sum + pending, 0));
    for (const { webhookId, pending } of counts)
      if (pending > PENDING_MAX) await disable(webhookId, "too_far_behind", `behind:${crypto.randomUUID()}`);
    while (!signal.aborted && (await failDisabledDeliveries(db, ROWS_MAX)) > 0);
  }

  async function prune(signal: AbortSignal): Promise<void> {
    const before = new Date(Date.now() - keepHours * HOUR_MS);
    while (!signal.aborted && (await deleteOldDeliveries(db, before, ROWS_MAX)) > 0);
  }

  const deliveries: DueReconciler = {
    ...{ name: "webhook-deliveries", intervalMs: DELIVERY_INTERVAL_MS, backstopMs: BACKSTOP_MS },
    isDue: hasDueDeliveries,
    reconcile: () => deliverer.wake(),
  };
  const checks: DueReconciler = {
    ...{ name: "webhook-check", intervalMs: CHECK_INTERVAL_MS, backstopMs: BACKSTOP_MS },
    isDue: (look) => hasRecentDeliveries(look, new Date(Date.now() - RECENT_MS)),
    reconcile: check,
  };
  return [
    deliveries,
    checks,
    { name: "webhook-index", intervalMs: REFRESH_INTERVAL_MS, reconcile: () => enqueuer.refresh() },
    { name: "webhook-log", intervalMs: PRUNE_INTERVAL_MS, reconcile: prune },
  ];
}
