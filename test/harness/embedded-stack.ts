import { join } from "node:path";
import pino from "pino";
import { startActorHost } from "../../actors/actor-host.ts";
import { readSettings } from "../../actors/platform/settings.ts";
import { startGateway } from "../../gateway/gateway.ts";
import { readGatewaySettings } from "../../gateway/settings.ts";
import type { TestNats } from "./servers.ts";
import { awaitBalance, type StackOptions } from "./stack.ts";
import { type Answer, connectStack, type StackClient } from "./stack-client.ts";
import { startStackServers } from "./stack-servers.ts";
import type { TestUser } from "./users.ts";

export type { Answer, TestUser };

/** A whole control plane whose actor hosts and gateway run in the test's own process. */
export interface EmbeddedStack extends StackClient {
  readonly nats: TestNats;
}

/** Nobody takes over from a host here. A test that keeps the processor to itself for a while must not cost the leases. */
const LEASE_TTL_MS = "5000";

/**
 * Starts a control plane with settings and data of its own, for tests that kill nothing: by the same functions, and over the same database, NATS
 * and HTTP, as `startStack`, but without the start of processes, which takes most of the processor time there.
 */
export async function startEmbeddedStack(options: StackOptions = {}): Promise<EmbeddedStack> {
  const { actorHosts = 1 } = options;
  const servers = await startStackServers(options);
  const logTo = (name: string) =>
    pino({ name }, pino.destination({ dest: join(servers.address.logs, `${name}.log`), sync: true }));
  const running: { stop(): Promise<void> }[] = [];
  for (let i = 1; i <= actorHosts; i++) {
    const name = `actors-${i}`;
    const settings = readSettings({ BERTH_LEASE_TTL_MS: LEASE_TTL_MS, ...servers.hostEnv(name) });
    running.push(await startActorHost(settings, logTo(name)));
  }
  running.push(await startGateway(readGatewaySettings(servers.gatewayEnv), logTo("gateway")));
  const client = await connectStack(servers.address);
  await awaitBalance(client, actorHosts);
  return {
    ...client,
    nats: servers.nats,
    async stop() {
      await client.stop();
      for (const one of running.reverse()) await one.stop();
      await servers.stop();
    },
  };
}
