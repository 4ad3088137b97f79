import { Counter, Gauge, type Registry } from "prom-client";

/** Values of the agent's metrics, read at each scrape. */
export interface AgentReadings {
  containers(): number;
  aliases(): number;
  isConnected(): Promise<boolean>;
  /** Messages that could not be taken, by kind. */
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
  new Counter({
    name: "berth_nats_messages_dropped_total",
    help: "Messages from NATS that could not be read, or whose handler failed",
    labelNames: ["subject_kind"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [kind, count] of readings.dropped) this.inc({ subject_kind: kind }, count);
    },
  });
}
