import { urlHost } from "../../system/listen-address.ts";
import { portObstacle } from "../../system/port-obstacle.ts";
import type { Settings } from "../settings.ts";
import { type Finding, fault, ok } from "./finding.ts";

const ANSWER_MS_MAX = 5_000;

/** The ports of `npm start`: free while it does not run, its own while it does. */
export async function checkPorts(settings: Settings, isRunning: boolean): Promise<Finding[]> {
  const ports: [string, number, string][] = [
    ["BERTH_PORT", settings.port, settings.listen],
    ["BERTH_EDGE_PORT", settings.edgePort, settings.edgeListen],
    ["BERTH_EDGE_HTTP_PORT", settings.edgeHttpPort, settings.edgeListen],
  ];
  const findings = await Promise.all(ports.map((port) => checkPort(port, isRunning)));
  return isRunning ? [...findings, await checkGateway(settings)] : findings;
}

async function checkPort(
  [name, port, listen]: [string, number, string],
  isRunning: boolean,
): Promise<Finding> {
  const obstacle = await portObstacle(port, listen);
  if (isRunning && obstacle === undefined)
    return fault(
      name,
      `nothing listens on port ${port}`,
      `look at the logs of the process; ${name} may be set otherwise here`,
    );
  if (isRunning || obstacle === undefined)
    return ok(name, isRunning ? `port ${port} is in use` : `port ${port} is free`);
  return fault(
    name,
    `port ${port} cannot be used (${obstacle})`,
    `end what uses it, or set ${name} to another one`,
  );
}

async function checkGateway({ port, listen }: Settings): Promise<Finding> {
  const url = `http://${urlHost(listen)}:${port}/health/ready`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    if (response.ok) return ok("gateway", "ready");
    return fault(
      "gateway",
      `not ready: ${(await response.text()).trim()}`,
      "look at what it names, and at its log",
    );
  } catch (error) {
    return fault(
      "gateway",
      `${url}: ${(error as Error).message}`,
      "look at its log, logs/gateway.log in BERTH_DATA",
    );
  }
}
