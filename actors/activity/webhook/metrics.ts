import { Counter, Gauge, Histogram, type Registry } from "../../../system/prometheus.ts";
import type { AttemptOutcome } from "./queue/queries.ts";

const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

export interface WebhookMetrics {
  observe(outcome: Pick<AttemptOutcome, "isDelivered" | "durationMs">): void;
  /** Deliveries that wait, of all webhooks. */
  setPending(count: number): void;
  countDisabled(reason: string): void;
}

export function webhookMetrics(registry: Registry): WebhookMetrics {
  const attempts = new Counter({
    name: "berth_webhook_attempts_total",
    help: "Attempts to deliver to a webhook",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "berth_webhook_attempt_duration_seconds",
    help: "Time of an attempt",
    buckets: SECONDS,
    registers: [registry],
  });
  const pending = new Gauge({
    name: "berth_webhook_deliveries_pending",
    help: "Deliveries of all webhooks that wait",
    registers: [registry],
  });
  const disabled = new Counter({
    name: "berth_webhooks_disabled_total",
    help: "Webhooks that were switched off because their receiver does not answer or is too slow",
    labelNames: ["reason"],
    registers: [registry],
  });
  for (const outcome of ["delivered", "failed"]) attempts.inc({ outcome }, 0);
  return {
    observe({ isDelivered, durationMs }) {
      attempts.inc({ outcome: isDelivered ? "delivered" : "failed" });
      durations.observe(durationMs / 1000);
    },
    setPending: (count) => pending.set(count),
    countDisabled: (reason) => disabled.inc({ reason }),
  };
}
