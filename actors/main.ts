import { readConfiguration } from "../system/configuration.ts";
import { awaitLaunchSettings } from "../system/launch-settings.ts";
import { followLogLevel, openLog } from "../system/log.ts";
import { startFailure } from "../system/start-failure.ts";
import { readTracingSettings, startTracing } from "../system/tracing/tracing.ts";
import { startActorHost } from "./actor-host.ts";
import { readSettings } from "./platform/settings.ts";

/** Runs an actor host: `bun run actors`. Settings come from the environment or a file (docs/settings.md); see `platform/settings.ts`. */

const log = openLog("actors");

let stopping = false;

void main();

async function main(): Promise<void> {
  try {
    await awaitLaunchSettings();
    const { env, warnings } = readConfiguration("actors", process.env, process.argv.slice(2));
    followLogLevel(log, env, process.argv.slice(2));
    for (const warning of warnings) log.warn(warning);
    const host = await startActorHost(
      readSettings(env),
      log,
      await startTracing(readTracingSettings(env), "berth-actors"),
    );
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(host));
  } catch (error) {
    const failure = startFailure(error);
    if (failure !== undefined) log.fatal(failure);
    else log.fatal({ err: error }, (error as Error).message);
    process.exit(1);
  }
}

async function stop(host: { stop(): Promise<void> }): Promise<void> {
  if (stopping) return;
  stopping = true;
  await host.stop();
  log.info("stopped");
  process.exit(0);
}
