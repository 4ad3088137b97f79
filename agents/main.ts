import { pino } from "pino";
import { ensureSubreaper } from "../system/first-process.ts";
import { ResourceInUseError } from "../system/instance-lock.ts";
import { SettingError } from "../system/setting-error.ts";
import type { Agent } from "./agent.ts";
import { ControlPlaneError } from "./control-plane/control-plane-error.ts";
import { readSettings } from "./settings.ts";

/** Runs the agent of one host: `bun run agent`. Settings come from the environment; see `settings.ts`. */

ensureSubreaper();

let stopping = false;

try {
  const settings = readSettings(process.env);
  const log = pino({ name: "agent", base: { server: settings.server } });
  // After the settings: whoever mistyped one is told at once.
  const { startAgent } = await import("./agent.ts");
  await startAgent(settings, log, (agent) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(agent, signal));
  });
} catch (error) {
  fail(error);
}

async function stop(agent: Agent, signal: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  await agent.stop(signal);
  process.exit(0);
}

function fail(error: unknown): never {
  const expected =
    error instanceof SettingError ||
    error instanceof ControlPlaneError ||
    error instanceof ResourceInUseError;
  const message = expected ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`agent: ${message}\n`);
  process.exit(1);
}
