import { Counter, Gauge, Histogram, Registry } from "../../system/prometheus.ts";

export interface Gauges {
  readonly streams: () => number;
  readonly running: () => number;
  readonly stored: () => number;
}

/** In seconds: from an immediate reply of the desktop to the time limit of a delivery. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of one notification server, in a separate registry: an agent has one server for each container. */
export function createMetrics(gauges: Gauges) {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect: function () {
        this.set(read());
      },
    });
  gauge("notifier_streams", "Streams that are open", gauges.streams);
  gauge("notifier_deliveries", "Notifications on their way", gauges.running);
  gauge("notifier_history_notifications", "Notifications in the history", gauges.stored);
  return {
    registry,
    requests: new Counter({
      name: "notifier_http_requests_total",
      help: "HTTP requests answered",
      labelNames: ["method", "route", "status"],
      registers,
    }),
    notifications: new Counter({
      name: "notifier_notifications_total",
      help: "Notifications by whether the desktop took them",
      labelNames: ["outcome"],
      registers,
    }),
    delivery: new Histogram({
      name: "notifier_delivery_seconds",
      help: "Time from a notification's acceptance to its outcome",
      buckets: BUCKETS,
      registers,
    }),
    limited: new Counter({
      name: "notifier_rate_limited_total",
      help: "Requests refused by a rate limit",
      labelNames: ["bucket"],
      registers,
    }),
  };
}
