import { Counter, Gauge, Registry } from "../../system/prometheus.ts";
import type { Sessions } from "./session/sessions.ts";

/** Figures of a terminal that runs alone. */
export function createMetrics(sessions: () => Sessions) {
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
  gauge("terminal_sessions", "Sessions that run", () => sessions().all.length);
  gauge("terminal_viewers", "Pages that show a session", () =>
    sessions().all.reduce((sum, { clients }) => sum + clients, 0),
  );
  const started = new Counter({
    name: "terminal_sessions_started_total",
    help: "Sessions that were started",
    registers,
  });
  return { registry, started };
}
