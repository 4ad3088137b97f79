import { Gauge, Registry } from "../../system/prometheus.ts";
import type { PipeService } from "./service.ts";

/** The metrics of a standalone pipe. */
export function createMetrics(service: PipeService): Registry {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge("pipe_connections", "Connections that are open", () => service.connections);
  gauge("pipe_peers", "Senders, receivers and watchers", () => service.pipes.peers);
  gauge("pipe_paths", "Paths on which somebody waits or sends", () => service.pipes.paths);
  return registry;
}
