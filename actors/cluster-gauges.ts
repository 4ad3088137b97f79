import { Gauge, type Registry } from "../system/prometheus.ts";
import type { Reconciler } from "../system/reconciler.ts";
import { countHosting } from "./hosting/host/queries.ts";
import type { Sql } from "./platform/db/sql.ts";
import { countWaiting } from "./runtime/store/cluster/queries.ts";

/** As often as Prometheus asks. */
const INTERVAL_MS = 15_000;

/** Gauges of the whole cluster, which every actor host reads from the database: in queries take `max`, not `sum`. */
export function clusterGauges(db: Sql, registry: Registry): Reconciler {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help: `${help}, of the whole cluster`, labelNames, registers: [registry] });
  const containers = gauge("berth_containers", "Containers that are not deleted, by state", ["state"]);
  const firewalls = gauge("berth_firewalls_pending", "Firewalls whose newest revision is not applied");
  const hosts = gauge("berth_hosts", "Machines that run an agent, by status", ["status"]);
  const tasks = gauge("berth_tasks_stored", "Timers and messages between actors", ["kind", "form"]);
  const overdue = gauge("berth_tasks_overdue", "Those that should have run 10 s ago", ["kind", "form"]);
  const sagas = gauge("berth_sagas", "Sagas that wait for the reply to a step", ["kind", "step"]);
  const oldestSaga = gauge("berth_sagas_oldest_seconds", "Age of the oldest such wait", ["kind", "step"]);
  const free = gauge("berth_partitions_without_owner", "Partitions that no actor host owns");
  const outbox = gauge("berth_outbox_oldest_seconds", "Age of the oldest effect that is not delivered");
  return {
    name: "cluster-gauges",
    intervalMs: INTERVAL_MS,
    async reconcile() {
      const [hosting, waiting] = await Promise.all([countHosting(db), countWaiting(db)]);
      for (const one of [containers, tasks, overdue, sagas, oldestSaga]) one.reset();
      for (const { state, count } of hosting.containers) containers.set({ state }, count);
      firewalls.set(hosting.firewallsPending);
      for (const [status, count] of hosting.hosts) hosts.set({ status }, count);
      for (const { kind, form, count, overdue: late } of waiting.tasks) {
        tasks.set({ kind, form }, count);
        overdue.set({ kind, form }, late);
      }
      for (const { kind, step, count, oldest_seconds } of waiting.sagas) {
        sagas.set({ kind, step }, count);
        oldestSaga.set({ kind, step }, oldest_seconds);
      }
      free.set(waiting.partitionsWithoutOwner);
      outbox.set(waiting.outboxOldestSeconds);
    },
  };
}
