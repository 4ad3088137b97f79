import { Counter, type Registry } from "./prometheus.ts";

/** Adds a metric to a registry: how many messages from NATS the process dropped, by kind. */
export function measureDropped(registry: Registry, counts: ReadonlyMap<string, number>): void {
  new Counter({
    name: "berth_nats_messages_dropped_total",
    help: "Messages from NATS that could not be read, or whose handler failed",
    labelNames: ["subject_kind"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [kind, count] of counts) this.inc({ subject_kind: kind }, count);
    },
  });
}
