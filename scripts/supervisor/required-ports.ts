import { portObstacle } from "../../system/port-obstacle.ts";
import { firstFreePort } from "../ports.ts";
import type { Settings } from "../settings.ts";
import { SetupError } from "../setup-error.ts";
import { actorHostNames } from "./start-context.ts";

/** @throws SetupError that names the setting of a port that cannot be used */
export async function requirePorts(settings: Settings): Promise<void> {
  await requirePort("BERTH_PORT", settings.port, settings.listen);
  await requirePort("BERTH_EDGE_PORT", settings.edgePort, settings.edgeListen);
  await requirePort("BERTH_EDGE_HTTP_PORT", settings.edgeHttpPort, settings.edgeListen);
}

async function requirePort(variable: string, port: number, address: string): Promise<void> {
  const obstacle = await portObstacle(port, address);
  if (obstacle === undefined) return;
  if (obstacle === "EADDRINUSE")
    throw new SetupError(`port ${port} is in use: set ${variable} to a free one`);
  if (obstacle === "EACCES")
    throw new SetupError(`port ${port} needs root: set ${variable} to one above 1023`);
  if (obstacle === "EADDRNOTAVAIL")
    throw new SetupError(`this machine has no address ${address}: correct BERTH_LISTEN or BERTH_EDGE_LISTEN`);
  throw new SetupError(`port ${port} cannot be used (${obstacle}): set ${variable}`);
}

/**
 * A port for the metrics of each process, by its name: one after another, and all before the first process starts, so that no two
 * get the same one.
 */
export async function assignMetricsPorts(settings: Settings): Promise<ReadonlyMap<string, number>> {
  const ports = new Map<string, number>();
  let next = settings.metricsPort;
  for (const name of ["gateway", "agent", ...actorHostNames(settings)]) {
    const port = await firstFreePort(next);
    ports.set(name, port);
    next = port + 1;
  }
  return ports;
}
