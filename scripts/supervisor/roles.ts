import { join } from "node:path";
import { OWN_HOST } from "../../agents/join/own-host.ts";
import { codehostEnvironment } from "../codehost.ts";
import type { NatsOperator } from "../nats-operator.ts";
import { paymentEnvironment } from "../payments.ts";
import { type LateSettings, role } from "../role.ts";
import { secretsKeyFile, signingKeyFile } from "../secrets.ts";
import { edgeAuthority, inherited, secret } from "./environment.ts";
import { actorHostNames, logFile, type Servers, type StartContext } from "./start-context.ts";

/** What users of the sandboxed AI provider spend: a cent a minute can be watched, and 10 dollars last most of a day. */
const SANDBOX_CENTS_PER_HOUR = "60";

export async function startActorHosts(context: StartContext, servers: Promise<Servers>): Promise<void> {
  const { settings, commands } = context;
  const late = servers.then(({ database, nats }) => ({
    DATABASE_URL: database.actors,
    NATS_URL: nats.control,
  }));
  const start = (name: string) =>
    startRole(
      context,
      name,
      commands.actors,
      {
        BERTH_HOST_ID: name,
        BERTH_SECRETS_KEY_FILE: secretsKeyFile(settings.data),
        BERTH_AI_PROVIDER: settings.aiProvider,
        BERTH_AI_SANDBOX_CENTS_PER_HOUR: SANDBOX_CENTS_PER_HOUR,
        ...secret("BERTH_OPENROUTER_PROVISIONING_KEY"),
        ...secret("BERTH_SMTP_URL"),
        ...codehost(context).actors,
      },
      late,
    );
  await Promise.all(actorHostNames(settings).map(start));
}

/** @param operator by whose keys hosts get their credentials; undefined: the users of NATS are kept by hand */
export async function startGateway(
  context: StartContext,
  servers: Promise<Servers>,
  operator: Promise<NatsOperator> | undefined,
): Promise<void> {
  const { settings, secrets, commands } = context;
  const late = Promise.all([servers, operator]).then(([{ database, nats }, keys]) => ({
    DATABASE_URL: database.gateway,
    NATS_URL: nats.control,
    ...(keys === undefined ? {} : { BERTH_NATS_KEYS_FILE: keys.keysFile }),
  }));
  const env = {
    BERTH_PORT: String(settings.port),
    BERTH_LISTEN: settings.listen,
    BERTH_SIGNING_KEY_FILE: signingKeyFile(settings.data),
    BERTH_SECRETS_KEY_FILE: secretsKeyFile(settings.data),
    BERTH_CONTAINER_DOMAIN: settings.containerDomain,
    ...paymentEnvironment(process.env, {
      isDemo: settings.seed === "demo",
      sandboxSecret: secrets.sandbox_webhooks,
    }),
    BERTH_AI_PROVIDER: settings.aiProvider,
    BERTH_AI_SANDBOX_CENTS_PER_HOUR: SANDBOX_CENTS_PER_HOUR,
    ...secret("BERTH_OPENROUTER_PROVISIONING_KEY"),
    ...codehost(context).gateway,
    BERTH_EDGE_PORT: String(settings.edgePort),
    ...edgeAuthority(process.env, settings.data),
  };
  await startRole(context, "gateway", commands.gateway, env, late);
}

/**
 * @param prerequisites what it starts with
 * @param isKnown settles when NATS knows this machine: the agent starts the former containers before
 */
export async function startAgent(
  context: StartContext,
  prerequisites: Promise<[Servers["nats"], unknown]>,
  isKnown: Promise<unknown>,
): Promise<void> {
  const { settings, commands } = context;
  const late = isKnown.then(() => ({}));
  late.catch(() => undefined);
  const [nats] = await prerequisites;
  const env = {
    NATS_URL: nats.agent,
    BERTH_SERVER_NAME: OWN_HOST,
    BERTH_DATA: join(settings.data, "agent"),
    BERTH_CONTAINER_DOMAIN: settings.containerDomain,
    BERTH_EDGE_PORT: String(settings.edgePort),
    BERTH_EDGE_HTTP_PORT: String(settings.edgeHttpPort),
    BERTH_EDGE_LISTEN: settings.edgeListen,
    // Ctrl-C stops everything. An agent that is killed leaves its containers running, and so does one that an operator runs.
    BERTH_AT_END: "stop",
  };
  await startRole(context, "agent", commands.agent, env, late);
}

const codehost = ({ settings, secrets }: StartContext) =>
  codehostEnvironment(process.env, {
    isDemo: settings.seed === "demo",
    sandboxSecret: secrets.sandbox_codehost,
  });

/**
 * Bun's allocator looks through the memory of a thread that sleeps, up to ten times a second, for parts that it can return to the kernel.
 * A process that does nothing wakes a few times a second, and the look takes more than what it wakes for.
 */
const ALLOCATOR = { MIMALLOC_PURGE_HOLES_MIN_INTERVAL: "10000" };

function startRole(
  { settings, cwd, children, watchdog, metricsPorts }: StartContext,
  name: string,
  command: readonly string[],
  env: Record<string, string>,
  late: LateSettings,
): Promise<void> {
  // The start fails with the reason itself, even where no process came to wait for it.
  late.catch(() => undefined);
  return children.supervise(
    role({
      name,
      command,
      cwd,
      env: { ...ALLOCATOR, ...inherited(), ...env, BERTH_METRICS_PORT: String(metricsPorts.get(name) ?? 0) },
      late,
      log: logFile(settings, name),
      watchdog,
    }),
  );
}
