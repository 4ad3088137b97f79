import { Gauge, Registry } from "prom-client";

/** What an agent tells of itself, read when it is asked. */
export interface AgentReadings {
  containers(): number;
  aliases(): number;
  isConnected(): Promise<boolean>;
}

export function agentMetrics(readings: AgentReadings): Registry {
  const registry = new Registry();
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
  return registry;
}
