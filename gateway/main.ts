import { readConfiguration } from "../system/configuration.ts";
import { awaitLaunchSettings } from "../system/launch-settings.ts";
import { followLogLevel, openLog } from "../system/log.ts";
import { startFailure } from "../system/start-failure.ts";
import { readTracingSettings, startTracing } from "../system/tracing/tracing.ts";
import { assets } from "./console/server/assets.ts";
import { startGateway } from "./gateway.ts";
import { readGatewaySettings } from "./settings.ts";

/** Runs a gateway: `bun run gateway`. Settings come from the environment or a file (docs/settings.md); see `settings.ts`. */

const log = openLog("gateway");

/** The build takes two seconds of both cores, which the other processes of a start need first. A visitor who is sooner starts it. */
const CONSOLE_BUILD_MS = 3_000;

let stopping = false;

void main();

async function main(): Promise<void> {
  try {
    await awaitLaunchSettings();
    const { env, warnings } = readConfiguration("gateway", process.env, process.argv.slice(2));
    followLogLevel(log, env, process.argv.slice(2));
    for (const warning of warnings) log.warn(warning);
    const settings = readGatewaySettings(env);
    const gateway = await startGateway(
      settings,
      log,
      await startTracing(readTracingSettings(env), "berth-gateway"),
    );
    // The first visitor finds the console built. Where that fails now, the first visit tries again and says why.
    if (settings.consoleBuild === "start") setTimeout(() => void assets().catch(() => {}), CONSOLE_BUILD_MS);
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(gateway));
    void gateway.failed.then((error) => {
      log.fatal(error.message);
      process.exitCode = 1;
      void stop(gateway);
    });
  } catch (error) {
    const failure = startFailure(error);
    if (failure !== undefined) log.fatal(failure);
    else log.fatal({ err: error }, (error as Error).message);
    process.exit(1);
  }
}

async function stop(gateway: { stop(): Promise<void> }): Promise<void> {
  if (stopping) return;
  stopping = true;
  await gateway.stop();
  log.info("stopped");
  process.exit();
}
