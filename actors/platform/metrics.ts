import { Counter, Gauge, Histogram, Registry } from "../../system/prometheus.ts";
import type { Host, HostMetrics } from "../runtime/host/host.ts";

const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** Measures refused reports of hosts, by host and reason. */
export function measureRefusedReports(
  registry: Registry,
  counts: () => Iterable<{ serverName: string; refusal: string; count: number }>,
): void {
  new Counter({
    name: "berth_host_reports_refused_total",
    help: "Reports of hosts that did nothing",
    labelNames: ["server_name", "reason"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { serverName, refusal, count } of counts())
        this.inc({ server_name: serverName, reason: refusal }, count);
    },
  });
}

/** The metrics of an actor host. */
export function hostMetrics(): { registry: Registry; metrics: HostMetrics; observe(host: Host): void } {
  const registry = new Registry();
  const commits = new Histogram({
    name: "berth_commit_duration_seconds",
    help: "Time from sending a batch to its commit",
    buckets: SECONDS,
    registers: [registry],
  });
  const sizes = new Histogram({
    name: "berth_commit_messages",
    help: "Messages whose changes one commit contained",
    buckets: SIZES,
    registers: [registry],
  });
  const messages = new Counter({
    name: "berth_messages_total",
    help: "Messages whose changes were committed",
    registers: [registry],
  });
  const requests = new Counter({
    name: "berth_actor_requests_total",
    help: "Requests to actors with a reply",
    labelNames: ["kind", "operation", "result"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "berth_actor_request_duration_seconds",
    help: "Time from the arrival of a request at its actor host to its reply, the commit included",
    labelNames: ["kind", "operation"],
    buckets: SECONDS,
    registers: [registry],
  });
  const sagas = new Counter({
    name: "berth_sagas_ended_total",
    help: "Sagas that ended, by the actor that ran them; failed: as by a payment that was not confirmed in time",
    labelNames: ["kind", "result"],
    registers: [registry],
  });
  return {
    registry,
    metrics: {
      sagaEnded({ kind, result }) {
        sagas.inc({ kind, result });
      },
      batch(batch) {
        commits.observe(batch.ms / 1000);
        sizes.observe(batch.messages);
        messages.inc(batch.messages);
      },
      replied({ kind, op, result, ms }) {
        requests.inc({ kind, operation: op, result });
        durations.observe({ kind, operation: op }, ms / 1000);
      },
    },
    observe(host) {
      const gauge = (name: string, help: string, read: () => number) =>
        new Gauge({
          name,
          help,
          registers: [registry],
          collect() {
            this.set(read());
          },
        });
      gauge("berth_partitions", "Partitions that this host owns", () => host.status().partitions);
      gauge("berth_queued_messages", "Messages that wait for their actor", () => host.status().queued);
      gauge("berth_actors", "Actors in memory", () => host.status().actors);
      gauge(
        "berth_actors_quarantined",
        "Quarantined actors, whose records cannot be read",
        () => host.status().quarantined.length,
      );
      gauge(
        "berth_tasks",
        "Timers and messages between actors that are in progress or begin within a minute",
        () => host.status().tasks,
      );
      gauge(
        "berth_tasks_failing",
        "Timers and sends that failed and are tried again",
        () => host.status().tasks_failing,
      );
      gauge(
        "berth_outbox_undelivered",
        "Committed effects not yet delivered",
        () => host.status().undelivered,
      );
    },
  };
}
