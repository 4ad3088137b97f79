import pino from "pino";
import { startGateway } from "./gateway.ts";
import { readGatewaySettings } from "./settings.ts";

/** Runs a gateway: `bun run gateway`. Settings come from the environment; see `settings.ts`. */

const log = pino({ name: "gateway" });

let stopping = false;

try {
  const gateway = await startGateway(readGatewaySettings(process.env), log);
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(gateway));
} catch (error) {
  // A plain Error is meant for the operator and needs no stack; any other is a fault of the program.
  const { name, message } = error as Error;
  if (name === "Error") log.fatal(message);
  else log.fatal({ err: error }, message);
  process.exit(1);
}

async function stop(gateway: { stop(): Promise<void> }): Promise<void> {
  if (stopping) return;
  stopping = true;
  await gateway.stop();
  log.info("stopped");
  process.exit(0);
}
