import { Gauge, type Registry } from "prom-client";
import { measureDropped } from "../../system/dropped-metric.ts";

/** Values of the agent's metrics, read at each scrape. */
export interface AgentReadings {
  containers(): number;
  aliases(): number;
  isConnected(): Promise<boolean>;
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
  measureDropped(registry, readings.dropped);
}
