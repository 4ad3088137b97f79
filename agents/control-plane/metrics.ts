import { measureDropped } from "../../system/dropped-metric.ts";
import { Counter, Gauge, type Registry } from "../../system/prometheus.ts";

/** What the edge says of itself. */
export interface EdgeReadings {
  readonly connections: number;
  /** Requests since its start, by class of status. */
  readonly requests: ReadonlyMap<string, number>;
  readonly upstreamErrors: number;
  readonly certificateEnd: Date;
}

/** Values of the agent's metrics, read at each scrape. */
export interface AgentReadings {
  containers(): number;
  /** How many containers are in each state. */
  containerStates(): ReadonlyMap<string, number>;
  aliases(): number;
  isConnected(): Promise<boolean>;
  /** Reports that the control plane has not stored. */
  pendingReports(): number;
  firewallRepairs(): number;
  nftFaults(): number;
  /** The disk of the agent's own folder. */
  disk(): Promise<{ readonly total_bytes: number; readonly available_bytes: number }>;
  /** Undefined before the edge listens. */
  edge(): EdgeReadings | undefined;
  /** Dropped messages, by kind. */
  readonly dropped: ReadonlyMap<string, number>;
}

/** Adds the agent's metrics to a registry. */
export function measureAgent(registry: Registry, readings: AgentReadings): void {
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read());
      },
    });
  gauge("berth_agent_containers", "Containers of this host", () => readings.containers());
  gauge("berth_agent_aliases", "Aliases of this host", () => readings.aliases());
  gauge("berth_agent_connected", "Whether the control plane answers this agent", async () =>
    (await readings.isConnected()) ? 1 : 0,
  );
  gauge("berth_agent_pending_reports", "Reports that the control plane has not stored yet", () =>
    readings.pendingReports(),
  );
  gauge(
    "berth_agent_disk_size_bytes",
    "Size of the disk that holds this host's containers",
    async () => (await readings.disk()).total_bytes,
  );
  gauge(
    "berth_agent_disk_free_bytes",
    "What is free of it",
    async () => (await readings.disk()).available_bytes,
  );
  new Gauge({
    name: "berth_agent_containers_by_state",
    help: "Containers of this host by their state",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [state, count] of readings.containerStates()) this.set({ state }, count);
    },
  });
  total(
    registry,
    "berth_firewall_repairs_total",
    "Firewalls restored after another program changed them",
    () => readings.firewallRepairs(),
  );
  total(registry, "berth_nft_faults_total", "Processes of nft that ended by themselves or hung", () =>
    readings.nftFaults(),
  );
  measureEdge(registry, readings);
  measureDropped(registry, readings.dropped);
}

function measureEdge(registry: Registry, readings: AgentReadings): void {
  new Gauge({
    name: "berth_edge_connections",
    help: "Open connections of clients to the edge",
    registers: [registry],
    collect() {
      this.set(readings.edge()?.connections ?? 0);
    },
  });
  new Counter({
    name: "berth_edge_requests_total",
    help: "Requests to names of the edge by class of status",
    labelNames: ["status"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [status, count] of readings.edge()?.requests ?? []) this.inc({ status }, count);
    },
  });
  total(
    registry,
    "berth_edge_upstream_errors_total",
    "Requests whose target did not connect, or did not answer as it should",
    () => readings.edge()?.upstreamErrors ?? 0,
  );
  new Gauge({
    name: "berth_certificate_expiry_timestamp_seconds",
    help: "When the certificate of the edge ends",
    registers: [registry],
    collect() {
      const end = readings.edge()?.certificateEnd;
      if (end !== undefined) this.set(end.getTime() / 1_000);
    },
  });
}

/** A counter whose value is kept elsewhere. */
function total(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
