import { existsSync } from "node:fs";
import { join } from "node:path";
import { createDemoLink, type DemoLink, type FailedLink } from "../demo-link.ts";
import { natsOperatorOf } from "../nats-operator.ts";
import type { LateSettings } from "../role.ts";
import { joinMachine, seedDemo } from "./once.ts";
import { startActorHosts, startAgent, startGateway } from "./roles.ts";
import { startDatabase, startNatsServer } from "./servers.ts";
import { gatewayUrl, type Servers, type StartContext, type User } from "./start-context.ts";

/**
 * Starts all processes at once: most of a start is the loading of programs. Each waits, once it has loaded, for what it needs of
 * the others. Rejects with the first failure.
 *
 * @param hostTools installs what the agent needs of this machine, where it can
 * @returns a link into the demo's container, where there is one
 */
export async function startAll(
  context: StartContext,
  users: readonly User[],
  hostTools: (() => Promise<void>) | undefined,
): Promise<DemoLink | FailedLink | undefined> {
  const { settings } = context;
  // After a restore, or when its data were deleted. It does not know this machine until the gateway has published its account.
  const isNewNats = !existsSync(join(settings.data, "nats", "accounts"));
  const tools = hostTools?.();
  tools?.catch(() => undefined);
  const operator = settings.natsUrl ? undefined : natsOperatorOf(join(settings.data, "keys"));
  const ownNats = startNatsServer(context, operator);
  const servers = Promise.all([startDatabase(context), ownNats]).then(
    ([database, nats]): Servers => ({ database, nats }),
  );
  // The programs that load would delay the servers, for which everything waits. PostgreSQL takes longer.
  await Promise.race([ownNats, servers]);
  // First, since it takes longest to load.
  const gateway = startGateway(context, servers, operator);
  const actorHosts = startActorHosts(context, servers);
  // With a NATS of the operator's own, its users are kept by hand.
  const joined = operator && joinMachine(context, servers, gateway);
  const isKnown = Promise.all([servers, joined, isNewNats ? gateway : undefined]);
  const agent = startAgent(context, Promise.all([ownNats, tools]), isKnown);
  const hasActors = Promise.all([servers, tools, actorHosts]);
  const seed = hasActors.then(([{ database, nats }]) => ({
    DATABASE_URL: database.gateway,
    NATS_URL: nats.control,
  }));
  // Nobody else waits for it.
  seed.catch(() => undefined);
  const demo = settings.seed === "demo" ? createDemo(context, users, seed, gateway) : undefined;
  const [link] = await Promise.all([demo, servers, tools, actorHosts, gateway, joined, isKnown, agent]);
  return link;
}

/** Creates the demo, and a link to its container as soon as that has a record. Settles when the container runs. */
async function createDemo(
  context: StartContext,
  users: readonly User[],
  late: LateSettings,
  gateway: Promise<void>,
): Promise<DemoLink | FailedLink | undefined> {
  const { promise: created, resolve: onCreated } = Promise.withResolvers<void>();
  const seeded = seedDemo(context, users, late, onCreated);
  const demo = users.find(({ name }) => name === "demo");
  const link = Promise.all([gateway, Promise.race([created, seeded])]).then(
    () => demo && createDemoLink(gatewayUrl(context.settings), demo),
  );
  const [found] = await Promise.all([link, seeded]);
  return found;
}
