import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ByRole } from "../actors/platform/db/roles.ts";
import { IMAGE_STORE } from "../agents/containers/images/store.ts";
import { credentialFile } from "../agents/join/credential-file.ts";
import { acquireInstanceLock } from "../system/instance-lock.ts";
import { LAUNCH_SETTINGS } from "../system/launch-settings.ts";
import { urlHost } from "../system/listen-address.ts";
import { portObstacle } from "../system/port-obstacle.ts";
import { codehostEnvironment } from "./codehost.ts";
import { makeDataFolder } from "./data-folder.ts";
import { embeddedRoles, externalRoles, prepareDatabase } from "./database-roles.ts";
import { createDemoLink, type DemoLink } from "./demo-link.ts";
import { hasJoined } from "./has-joined.ts";
import { type NatsOperator, natsOperatorOf, urlWithCreds } from "./nats-operator.ts";
import { type OrphanWatchdog, startOrphanWatchdog } from "./orphan-watchdog.ts";
import { PAYMENT_SECRETS, paymentEnvironment } from "./payments.ts";
import { firstFreePort, startOnFreePort } from "./ports.ts";
import { BACKOFF, type Backoff, RestartSupervisor, type Service } from "./restart-supervisor.ts";
import { giveSettings, type LateSettings, role } from "./role.ts";
import { supervisorLock, writeRunningSettings } from "./running-settings.ts";
import {
  arePasswordsUnprinted,
  loadSecrets,
  type Secrets,
  secretsKeyFile,
  signingKeyFile,
} from "./secrets.ts";
import { startNats } from "./servers/nats.ts";
import { natsOperator } from "./servers/nats-config.ts";
import { startPostgres } from "./servers/postgres.ts";
import { launch, logSize, type RunningServer, saidSince } from "./servers/server.ts";
import { LOOPBACK, type Settings } from "./settings.ts";
import { SetupError } from "./setup-error.ts";

/** Program and arguments of each of Berth's own processes. */
export interface RoleCommands {
  readonly actors: readonly string[];
  readonly gateway: readonly string[];
  readonly agent: readonly string[];
  /** Joins this machine, once. */
  readonly join: readonly string[];
  readonly seed: readonly string[];
}

export interface SupervisorOptions {
  readonly settings: Settings;
  readonly commands: RoleCommands;
  /** Where the commands run: the checkout. */
  readonly cwd: string;
  /** Finds nats-server, or installs it. Called only when it is needed. */
  readonly natsServer: () => Promise<string>;
  /** Installs what the agent needs of this machine, where it can. */
  readonly hostTools?: () => Promise<void>;
  /** Prints a line for the person at the terminal. */
  readonly say: (line: string) => void;
  readonly backoff?: Backoff;
}

/** The servers that the processes use: a URL for each kind of user. */
interface Servers {
  /** A database that has every migration. */
  readonly database: ByRole;
  readonly nats: { readonly control: string; readonly agent: string };
}

interface User {
  readonly name: string;
  readonly password: string;
}

/** The facts that `npm start` prints once everything runs. */
export interface Started {
  readonly url: string;
  /** Into the demo's container; undefined where there is none. */
  readonly demoLink: DemoLink | undefined;
  /** The URLs of each process's metrics. */
  readonly metrics: readonly { name: string; url: string }[];
  readonly users: readonly { name: string; password: string; generated: boolean }[];
  /** Whether no start has printed the generated passwords yet. */
  readonly arePasswordsUnprinted: boolean;
}

/** The host of the one machine. */
const SERVER_NAME = "node-1";

/** Below the system's range of ports for outgoing connections, so that a restarted server finds its own port free. */
const POSTGRES_PORT_FROM = 25_432;
const NATS_PORT_FROM = 24_222;

/** What users of the sandboxed AI provider spend: a cent a minute can be watched, and 10 dollars last most of a day. */
const SANDBOX_CENTS_PER_HOUR = "60";
/** The seed waits until the host runs what it created. */
const SEED_LIMIT_MS = 120_000;

/** Variables of the user's environment that processes get only as `roles` says. */
const WITHHELD = [
  "DATABASE_URL",
  "BERTH_GATEWAY_DATABASE_URL",
  "BERTH_OWNER_DATABASE_URL",
  "NATS_URL",
  "BERTH_ADMIN_PASSWORD",
  "BERTH_DEMO_PASSWORD",
  ...PAYMENT_SECRETS,
  "BERTH_OPENROUTER_PROVISIONING_KEY",
  "BERTH_CODEHOST_CLIENT_SECRET",
  "BERTH_SMTP_URL",
];

/**
 * Runs all of Berth on one machine, each part as a process of its own that is restarted when it dies. It ends only processes
 * that it started. If it is killed itself, its watchdog ends them; a PostgreSQL or nats-server that remains is ended at the
 * next start.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #supervised: RestartSupervisor[] = [];
  readonly #metricsPorts = new Map<string, number>();
  readonly #stopping = new AbortController();
  #starting: Promise<Started> | undefined;
  #unlock: (() => void) | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** The running processes, by name. */
  get processes(): ReadonlyMap<string, number> {
    return new Map(
      this.#supervised.flatMap(({ name, pid }) => (pid === undefined ? [] : [[name, pid] as const])),
    );
  }

  /**
   * Starts all processes and settles when all are ready.
   *
   * @throws SetupError, or ResourceInUseError where another Berth runs on these data: one line and perhaps the end of a log; all started processes are stopped by then
   */
  start(): Promise<Started> {
    this.#starting ??= this.#start().catch(async (error) => {
      this.#stopping.abort();
      await this.#stopAll();
      throw error;
    });
    return this.#starting;
  }

  /** Stops everything in order: gateway, agent, actor hosts, NATS, PostgreSQL. Each has a time limit. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    // An interrupted start stops the processes that it began.
    await Promise.all([this.#stopAll(), this.#starting?.catch(() => undefined)]);
    await this.#stopAll();
  }

  /** Kills all processes. */
  kill(): void {
    this.#stopping.abort();
    for (const supervised of this.#supervised.toReversed()) supervised.kill();
    this.#unlock?.();
  }

  async #start(): Promise<Started> {
    const { settings } = this.#options;
    await requirePort("BERTH_PORT", settings.port, settings.listen);
    await requirePort("BERTH_EDGE_PORT", settings.edgePort, settings.edgeListen);
    await requirePort("BERTH_EDGE_HTTP_PORT", settings.edgeHttpPort, settings.edgeListen);
    makeDataFolder(settings.data);
    const lock = supervisorLock(settings.data);
    this.#unlock = acquireInstanceLock(
      lock,
      (pid) => `Berth runs already (process ${pid}, by ${lock}): stop it, or set BERTH_DATA elsewhere`,
    );
    await writeRunningSettings(settings.data, process.env);

    await this.#assignMetricsPorts();
    const watchdog = startOrphanWatchdog();
    const secrets = loadSecrets(settings.data);
    await checkExternal(settings);
    const users = [
      this.#user("admin", settings.adminPassword, secrets.admin),
      this.#user("demo", settings.demoPassword, secrets.demo),
    ];
    const demoLink = await this.#startAll(watchdog, secrets, users);
    return {
      url: this.#url,
      demoLink,
      metrics: [...this.#metricsPorts].map(([name, port]) => ({
        name,
        url: `http://${urlHost(process.env.BERTH_METRICS_LISTEN || LOOPBACK)}:${port}/metrics`,
      })),
      users: settings.seed === "demo" ? users : [],
      arePasswordsUnprinted: arePasswordsUnprinted(settings.data),
    };
  }

  /**
   * Starts all processes at once: most of a start is the loading of programs. Each waits, once it has loaded, for what it needs of
   * the others. Rejects with the first failure.
   */
  async #startAll(
    watchdog: OrphanWatchdog,
    secrets: Secrets,
    users: readonly User[],
  ): Promise<DemoLink | undefined> {
    const { settings, hostTools } = this.#options;
    // After a restore, or when its data were deleted. It does not know this machine until the gateway has published its account.
    const isNewNats = !existsSync(join(settings.data, "nats", "accounts"));
    const tools = hostTools?.();
    tools?.catch(() => undefined);
    const operator = settings.natsUrl ? undefined : natsOperatorOf(join(settings.data, "keys"));
    const ownNats = this.#nats(watchdog, operator);
    const servers = Promise.all([this.#database(watchdog, secrets), ownNats]).then(
      ([database, nats]): Servers => ({ database, nats }),
    );
    // The programs that load would delay the servers, for which everything waits. PostgreSQL takes longer.
    await Promise.race([ownNats, servers]);
    // First, since it takes longest to load.
    const gateway = this.#gateway(watchdog, secrets, servers, operator);
    const actorHosts = this.#actorHosts(watchdog, secrets, servers);
    // With a NATS of the operator's own, its users are kept by hand.
    const joined = operator && this.#join(watchdog, servers, gateway);
    const isKnown = Promise.all([servers, joined, isNewNats ? gateway : undefined]);
    const agent = this.#agent(watchdog, Promise.all([ownNats, tools]), isKnown);
    const hasActors = Promise.all([servers, tools, actorHosts]);
    const seed = hasActors.then(([{ database, nats }]) => ({
      DATABASE_URL: database.gateway,
      NATS_URL: nats.control,
    }));
    const demo = settings.seed === "demo" ? this.#demo(watchdog, users, seed, gateway) : undefined;
    const [link] = await Promise.all([demo, servers, tools, actorHosts, gateway, joined, isKnown, agent]);
    return link;
  }

  /** Creates the demo, and a link to its container as soon as that has a record. Settles when the container runs. */
  async #demo(
    watchdog: OrphanWatchdog,
    users: readonly User[],
    late: LateSettings,
    gateway: Promise<void>,
  ): Promise<DemoLink | undefined> {
    const { promise: created, resolve: onCreated } = Promise.withResolvers<void>();
    const seeded = this.#seed(watchdog, users, late, onCreated);
    const demo = users.find(({ name }) => name === "demo");
    const link = Promise.all([gateway, Promise.race([created, seeded])]).then(
      () => demo && createDemoLink(this.#url, demo),
    );
    const [found] = await Promise.all([link, seeded]);
    return found;
  }

  get #url(): string {
    const { listen, port } = this.#options.settings;
    return `http://${urlHost(listen)}:${port}`;
  }

  /** One after another, and all before the first process starts, so that no two get the same port. */
  async #assignMetricsPorts(): Promise<void> {
    let next = this.#options.settings.metricsPort;
    for (const name of ["gateway", "agent", ...this.#actorHostNames]) {
      const port = await firstFreePort(next);
      this.#metricsPorts.set(name, port);
      next = port + 1;
    }
  }

  get #actorHostNames(): readonly string[] {
    return Array.from({ length: this.#options.settings.actorHosts }, (_, index) => `actors-${index + 1}`);
  }

  /** The URLs of a database that has every migration. */
  async #database(watchdog: OrphanWatchdog, secrets: Secrets): Promise<ByRole> {
    const { settings, say } = this.#options;
    const database = settings.databaseUrl
      ? await externalRoles(settings, settings.databaseUrl, say)
      : await embeddedRoles(await this.#postgres(watchdog, secrets), secrets);
    await prepareDatabase(database);
    return database;
  }

  async #postgres(watchdog: OrphanWatchdog, secrets: Secrets): Promise<string> {
    const { settings, say } = this.#options;
    const options = {
      dir: join(settings.data, "postgres"),
      password: secrets.postgres,
      log: this.#log("postgres"),
      watchdog,
      say,
    };
    const { url } = await this.#server("postgres", POSTGRES_PORT_FROM, (port) =>
      startPostgres({ ...options, port }),
    );
    return url;
  }

  async #nats(
    watchdog: OrphanWatchdog,
    operator: Promise<NatsOperator> | undefined,
  ): Promise<Servers["nats"]> {
    const { settings } = this.#options;
    if (operator === undefined) return { control: settings.natsUrl ?? "", agent: settings.natsUrl ?? "" };
    const { keys, controlCreds } = await operator;
    const dir = join(settings.data, "nats");
    const options = {
      program: await this.#options.natsServer(),
      dir,
      accounts: await natsOperator(keys, join(dir, "accounts")),
      urlAt: (port: number) => urlWithCreds(`127.0.0.1:${port}`, controlCreds),
      log: this.#log("nats"),
      watchdog,
    };
    const { url, port } = await this.#server("nats", NATS_PORT_FROM, (port) =>
      startNats({ ...options, port }),
    );
    const creds = credentialFile(join(settings.data, "agent"));
    return { control: url, agent: urlWithCreds(`127.0.0.1:${port}`, creds) };
  }

  /** Keeps a server running on one port, which its first start chooses. */
  async #server(
    name: string,
    portFrom: number,
    start: (port: number) => Promise<RunningServer>,
  ): Promise<{ url: string; port: number }> {
    let first: { url: string; port: number } | undefined;
    const service: Service = {
      name,
      start: async () => {
        if (first !== undefined) return start(first.port);
        const { port, server } = await startOnFreePort(portFrom, start);
        first = { port, url: server.url };
        return server;
      },
    };
    await this.#superviseService(service);
    if (first === undefined) throw new Error(`${name} was not started`);
    return first;
  }

  #role(
    watchdog: OrphanWatchdog,
    name: string,
    command: readonly string[],
    env: Record<string, string>,
    late: LateSettings,
  ): Promise<void> {
    // The start fails with the reason itself, even where no process came to wait for it.
    late.catch(() => undefined);
    return this.#superviseService(
      role({
        name,
        command,
        cwd: this.#options.cwd,
        env: { ...inherited(), ...env, BERTH_METRICS_PORT: String(this.#metricsPorts.get(name) ?? 0) },
        late,
        log: this.#log(name),
        watchdog,
      }),
    );
  }

  async #superviseService(service: Service): Promise<void> {
    if (this.#stopping.signal.aborted) throw new SetupError("stopped");
    const supervised = new RestartSupervisor(service, this.#options.say, this.#options.backoff ?? BACKOFF);
    this.#supervised.push(supervised);
    await supervised.start();
  }

  async #actorHosts(watchdog: OrphanWatchdog, secrets: Secrets, servers: Promise<Servers>): Promise<void> {
    const { settings, commands } = this.#options;
    const late = servers.then(({ database, nats }) => ({
      DATABASE_URL: database.actors,
      NATS_URL: nats.control,
    }));
    const start = (name: string) =>
      this.#role(
        watchdog,
        name,
        commands.actors,
        {
          BERTH_HOST_ID: name,
          BERTH_SECRETS_KEY_FILE: secretsKeyFile(settings.data),
          BERTH_AI_PROVIDER: settings.aiProvider,
          BERTH_AI_SANDBOX_CENTS_PER_HOUR: SANDBOX_CENTS_PER_HOUR,
          ...secret("BERTH_OPENROUTER_PROVISIONING_KEY"),
          ...secret("BERTH_SMTP_URL"),
          ...this.#codehost(secrets).actors,
        },
        late,
      );
    await Promise.all(this.#actorHostNames.map(start));
  }

  /** @param operator by whose keys hosts get their credentials; undefined: the users of NATS are kept by hand */
  async #gateway(
    watchdog: OrphanWatchdog,
    secrets: Secrets,
    servers: Promise<Servers>,
    operator: Promise<NatsOperator> | undefined,
  ): Promise<void> {
    const { settings, commands } = this.#options;
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
      ...this.#codehost(secrets).gateway,
      BERTH_EDGE_PORT: String(settings.edgePort),
      ...edgeAuthority(process.env, settings.data),
    };
    await this.#role(watchdog, "gateway", commands.gateway, env, late);
  }

  /** Joins this machine, unless its agent has a credential that the records know. */
  async #join(watchdog: OrphanWatchdog, servers: Promise<Servers>, gateway: Promise<void>): Promise<void> {
    const { settings } = this.#options;
    const folder = join(settings.data, "agent");
    if (existsSync(credentialFile(folder))) {
      const { database } = await servers;
      if (await hasJoined({ name: SERVER_NAME, databaseUrl: database.actors, folder })) return;
    }
    const late = Promise.all([servers, gateway]).then(([{ database, nats }]) => ({
      DATABASE_URL: database.actors,
      NATS_URL: nats.control,
    }));
    const env = {
      BERTH_SERVER_NAME: SERVER_NAME,
      BERTH_DATA: folder,
      BERTH_URL: this.#url,
    };
    await this.#runOnce(watchdog, "join", "the join of this machine", env, late);
  }

  /**
   * @param prerequisites what it starts with
   * @param isKnown settles when NATS knows this machine: the agent starts the former containers before
   */
  async #agent(
    watchdog: OrphanWatchdog,
    prerequisites: Promise<[Servers["nats"], unknown]>,
    isKnown: Promise<unknown>,
  ): Promise<void> {
    const { settings, commands } = this.#options;
    const late = isKnown.then(() => ({}));
    late.catch(() => undefined);
    const [nats] = await prerequisites;
    const env = {
      NATS_URL: nats.agent,
      BERTH_SERVER_NAME: SERVER_NAME,
      BERTH_DATA: join(settings.data, "agent"),
      BERTH_CONTAINER_DOMAIN: settings.containerDomain,
      BERTH_EDGE_PORT: String(settings.edgePort),
      BERTH_EDGE_HTTP_PORT: String(settings.edgeHttpPort),
      BERTH_EDGE_LISTEN: settings.edgeListen,
      // Ctrl-C stops everything. An agent that is killed leaves its containers running, and so does one that an operator runs.
      BERTH_AT_END: "stop",
    };
    await this.#role(watchdog, "agent", commands.agent, env, late);
  }

  #codehost(secrets: Secrets) {
    const isDemo = this.#options.settings.seed === "demo";
    return codehostEnvironment(process.env, { isDemo, sandboxSecret: secrets.sandbox_codehost });
  }

  #user(name: string, chosen: string | undefined, generated: string) {
    return { name, password: chosen ?? generated, generated: chosen === undefined };
  }

  /** @param onCreated called once all has a record; the seed then waits until the container runs */
  async #seed(
    watchdog: OrphanWatchdog,
    users: readonly User[],
    late: LateSettings,
    onCreated: () => void,
  ): Promise<void> {
    // The ids of containers have to pass through it.
    mkdirSync(join(this.#options.settings.data, "agent"), { recursive: true, mode: 0o711 });
    const passwords = users.map(({ name, password }) => [`BERTH_${name.toUpperCase()}_PASSWORD`, password]);
    const env = {
      // The demo's image goes there, where the agent's containers are isolated.
      BERTH_IMAGE_STORE:
        process.env.BERTH_DRIVER === "process" ? "" : join(this.#options.settings.data, "agent", IMAGE_STORE),
      ...Object.fromEntries(passwords),
    };
    await this.#runOnce(watchdog, "seed", "the demo seed", env, late, onCreated);
  }

  /** Runs a step of the start to its end. @throws SetupError with the end of its log */
  async #runOnce(
    watchdog: OrphanWatchdog,
    name: "join" | "seed",
    what: string,
    env: Record<string, string>,
    late: LateSettings,
    onMessage?: () => void,
  ): Promise<void> {
    late.catch(() => undefined);
    if (this.#stopping.signal.aborted) throw new SetupError("stopped");
    const log = this.#log(name);
    const since = logSize(log);
    const child = launch([...this.#options.commands[name]], {
      log,
      cwd: this.#options.cwd,
      env: { ...inherited(), ...env, ...LAUNCH_SETTINGS },
      signal: this.#stopping.signal,
      hasInput: true,
      ...(onMessage && { onMessage }),
    });
    watchdog.watch(child.pid, "TERM");
    await Promise.race([giveSettings(child, late), child.exited]);
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      child.kill();
    }, SEED_LIMIT_MS);
    const code = await child.exited;
    clearTimeout(limit);
    watchdog.forget(child.pid);
    if (code === 0) return;
    const failure = isLate
      ? `was not done within ${SEED_LIMIT_MS / 1_000} s: where this machine is busy, start again, which goes on from there`
      : `failed with code ${code}`;
    throw new SetupError(`${what} ${failure}; ${saidSince(log, since)}`);
  }

  #log(name: string): string {
    return join(this.#options.settings.data, "logs", `${name}.log`);
  }

  async #stopAll(): Promise<void> {
    const inOrder = this.#supervised.toSorted((a, b) => stopRank(a.name) - stopRank(b.name));
    for (const supervised of inOrder) await supervised.stop();
    this.#unlock?.();
  }
}

/** No request arrives any more before anything else ends, and the servers end last. */
const STOP_ORDER = ["gateway", "agent", "actors", "nats", "postgres"];
const stopRank = (name: string) => STOP_ORDER.indexOf(name.replace(/-\d+$/, ""));

/** Checks servers of the operator's own. Without any, the client of NATS is not even loaded. */
async function checkExternal({ databaseUrl, natsUrl }: Settings): Promise<void> {
  if (databaseUrl === undefined && natsUrl === undefined) return;
  const { checkDatabase, checkNats } = await import("./external.ts");
  if (databaseUrl) await checkDatabase(databaseUrl);
  if (natsUrl) await checkNats(natsUrl);
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

/** The authority that this machine's agent makes, unless it is given other certificates. */
function edgeAuthority(env: NodeJS.ProcessEnv, data: string): Record<string, string> {
  const hasOthers = [env.BERTH_EDGE_AUTHORITY, env.BERTH_EDGE_CERT, env.BERTH_ACME_URL].some(Boolean);
  return hasOthers ? {} : { BERTH_EDGE_AUTHORITY: join(data, "agent/edge/tls/ca.pem") };
}

/** A withheld variable for a process that needs it, if it is set. */
function secret(name: string): Record<string, string> {
  const value = process.env[name];
  return value === undefined ? {} : { [name]: value };
}

/** The user's environment, without secrets. */
function inherited(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !WITHHELD.includes(entry[0]),
  );
  return Object.fromEntries(entries);
}
