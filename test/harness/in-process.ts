import { join } from "node:path";
import pino from "pino";
import { startActorHost } from "../../actors/actor-host.ts";
import { readSettings } from "../../actors/platform/settings.ts";
import { startGateway } from "../../gateway/gateway.ts";
import { readGatewaySettings } from "../../gateway/settings.ts";
import type { StackServers } from "./stack-servers.ts";

/** Part of a control plane that runs in the test's own process, started by the function that its program calls. */
export interface InProcess {
  stop(): Promise<void>;
}

export function gatewayInProcess({ gatewayEnv, address }: StackServers): Promise<InProcess> {
  return startGateway(readGatewaySettings(gatewayEnv), logTo(address.logs, "gateway"));
}

export function actorHostInProcess(
  { hostEnv, address }: StackServers,
  name: string,
  leaseTtlMs: number,
): Promise<InProcess> {
  const settings = readSettings({ BERTH_LEASE_TTL_MS: String(leaseTtlMs), ...hostEnv(name) });
  return startActorHost(settings, logTo(address.logs, name));
}

const logTo = (folder: string, name: string) =>
  pino({ name }, pino.destination({ dest: join(folder, `${name}.log`), sync: true }));
