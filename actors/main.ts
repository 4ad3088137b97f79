import pino from "pino";
import { startActorHost } from "./actor-host.ts";
import { readSettings } from "./platform/settings.ts";

/** Runs an actor host: `bun run actors`. Settings come from the environment; see `platform/settings.ts`. */

const log = pino({ name: "actors" });

let stopping = false;

try {
  const host = await startActorHost(readSettings(process.env), log);
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(host));
} catch (error) {
  // A plain Error is meant for the operator and needs no stack; any other is a fault of the program.
  const { name, message } = error as Error;
  if (name === "Error") log.fatal(message);
  else log.fatal({ err: error }, message);
  process.exit(1);
}

async function stop(host: { stop(): Promise<void> }): Promise<void> {
  if (stopping) return;
  stopping = true;
  await host.stop();
  log.info("stopped");
  process.exit(0);
}
