import { actorHostInProcess, gatewayInProcess, type InProcess } from "./in-process.ts";
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
const LEASE_TTL_MS = 5_000;

/**
 * Starts a control plane with settings and data of its own, for tests that kill nothing: by the same functions, and over the same database, NATS
 * and HTTP, as `startStack`, but without the start of processes, which takes most of the processor time there.
 */
export async function startEmbeddedStack(options: StackOptions = {}): Promise<EmbeddedStack> {
  const { actorHosts = 1 } = options;
  const servers = await startStackServers(options);
  const running: InProcess[] = [];
  for (let i = 1; i <= actorHosts; i++)
    running.push(await actorHostInProcess(servers, `actors-${i}`, LEASE_TTL_MS));
  running.push(await gatewayInProcess(servers));
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
