import { readConfiguration } from "../system/configuration.ts";
import { ensureSubreaper } from "../system/first-process.ts";
import { ResourceInUseError } from "../system/instance-lock.ts";
import { awaitLaunchSettings } from "../system/launch-settings.ts";
import { followLogLevel, openLog } from "../system/log.ts";
import { SettingError } from "../system/setting-error.ts";
import { readTracingSettings, startTracing } from "../system/tracing/tracing.ts";
import type { Agent } from "./agent.ts";
import { ControlPlaneError } from "./control-plane/control-plane-error.ts";
import { readSettings } from "./settings.ts";

/** Runs the agent of one host: `bun run agent`. Settings come from the environment or a file (docs/settings.md); see `settings.ts`. */

ensureSubreaper();

let stopping = false;

void main();

async function main(): Promise<void> {
  try {
    const { env, warnings } = readConfiguration("agent", process.env, process.argv.slice(2));
    const settings = readSettings(env);
    const log = openLog("agent", { server: settings.server });
    followLogLevel(log, env, process.argv.slice(2));
    for (const warning of warnings) log.warn(warning);
    // After the settings: whoever mistyped one is told at once.
    const { startAgent } = await import("./agent.ts");
    const tracing = await startTracing(readTracingSettings(env), "berth-agent");
    const onStarting = (agent: Agent) => {
      for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(agent, signal));
    };
    // `npm start` starts it before this machine has joined.
    await startAgent(settings, log, onStarting, awaitLaunchSettings, tracing);
  } catch (error) {
    fail(error);
  }
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
