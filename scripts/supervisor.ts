import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ByRole } from "../actors/platform/db/roles.ts";
import { IMAGE_STORE } from "../agents/containers/images/store.ts";
import { credentialFile } from "../agents/join/join.ts";
import { acquireInstanceLock } from "../system/instance-lock.ts";
import { urlHost } from "../system/listen-address.ts";
import { codehostEnvironment } from "./codehost.ts";
import { makeDataFolder } from "./data-folder.ts";
import { embeddedRoles, externalRoles, prepareDatabase } from "./database-roles.ts";
import { checkDatabase, checkNats } from "./external.ts";
import { type NatsOperator, natsOperatorOf, urlWithCreds } from "./nats-operator.ts";
import { type OrphanWatchdog, startOrphanWatchdog } from "./orphan-watchdog.ts";
import { hasJoined, type OwnHostOptions } from "./own-host.ts";
import { PAYMENT_SECRETS, paymentEnvironment } from "./payments.ts";
import { firstFreePort, portObstacle, startOnFreePort } from "./ports.ts";
import { BACKOFF, type Backoff, RestartSupervisor, type Service } from "./restart-supervisor.ts";
import { role } from "./role.ts";
import { supervisorLock, writeRunningSettings } from "./running-settings.ts";
import { loadSecrets, type Secrets, secretsKeyFile, signingKeyFile } from "./secrets.ts";
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
  /** Prints a line for the person at the terminal. */
  readonly say: (line: string) => void;
  readonly backoff?: Backoff;
}

/** The facts that `npm start` prints once everything runs. */
export interface Started {
  readonly url: string;
  /** The URLs of each process's metrics. */
  readonly metrics: readonly { name: string; url: string }[];
  readonly users: readonly { name: string; password: string; generated: boolean }[];
  /** Whether this start generated the passwords. */
  readonly firstStart: boolean;
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
  /** In the order of their start; `stop` ends them in reverse. */
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
   * Starts all processes, one after another, and settles when all are ready.
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
    const { secrets, created } = loadSecrets(settings.data);
    if (settings.databaseUrl) await checkDatabase(settings.databaseUrl);
    if (settings.natsUrl) await checkNats(settings.natsUrl);
    const operator = settings.natsUrl ? undefined : await natsOperatorOf(join(settings.data, "keys"));
    // After a restore, or when its data were deleted. It does not know this machine until the gateway has published its account.
    const isNewNats = !existsSync(join(settings.data, "nats", "accounts"));
    const [database, urls] = await Promise.all([
      this.#database(watchdog, secrets),
      operator === undefined
        ? { control: settings.natsUrl ?? "", agent: settings.natsUrl ?? "" }
        : this.#nats(watchdog, operator),
    ]);
    const ownHost: OwnHostOptions = {
      name: SERVER_NAME,
      databaseUrl: database.actors,
      natsUrl: urls.control,
      folder: join(settings.data, "agent"),
    };
    // With a NATS of the operator's own, its users are kept by hand.
    const joined = operator === undefined || (await hasJoined(ownHost));

    const codehost = this.#codehost(secrets);
    const actorHosts = Promise.all(
      this.#actorHostNames.map((name) =>
        this.#role(watchdog, name, this.#options.commands.actors, {
          DATABASE_URL: database.actors,
          NATS_URL: urls.control,
          BERTH_HOST_ID: name,
          BERTH_SECRETS_KEY_FILE: secretsKeyFile(settings.data),
          BERTH_AI_PROVIDER: settings.aiProvider,
          BERTH_AI_SANDBOX_CENTS_PER_HOUR: SANDBOX_CENTS_PER_HOUR,
          ...secret("BERTH_OPENROUTER_PROVISIONING_KEY"),
          ...secret("BERTH_SMTP_URL"),
          ...codehost.actors,
        }),
      ),
    );
    const users = [
      this.#user("admin", settings.adminPassword, secrets.admin),
      this.#user("demo", settings.demoPassword, secrets.demo),
    ];
    const gateway = this.#gateway(watchdog, database.gateway, urls.control, secrets, operator?.keysFile);
    const agent = async () => {
      if (!joined || isNewNats) await gateway;
      if (!joined) {
        await this.#runOnce(watchdog, "join", "the join of this machine", {
          DATABASE_URL: ownHost.databaseUrl,
          NATS_URL: ownHost.natsUrl,
          BERTH_SERVER_NAME: ownHost.name,
          BERTH_DATA: ownHost.folder,
          BERTH_URL: `http://${urlHost(settings.listen)}:${settings.port}`,
        });
      }
      await this.#role(watchdog, "agent", this.#options.commands.agent, {
        NATS_URL: urls.agent,
        BERTH_SERVER_NAME: SERVER_NAME,
        BERTH_DATA: join(settings.data, "agent"),
        BERTH_CONTAINER_DOMAIN: settings.containerDomain,
        BERTH_EDGE_PORT: String(settings.edgePort),
        BERTH_EDGE_HTTP_PORT: String(settings.edgeHttpPort),
        BERTH_EDGE_LISTEN: settings.edgeListen,
        // Ctrl-C stops everything. An agent that is killed leaves its containers running, and so does one that an operator runs.
        BERTH_AT_END: "stop",
      });
    };
    const seed = async () => {
      await actorHosts;
      if (settings.seed === "demo") await this.#seed(watchdog, database.gateway, urls.control, users);
    };
    // All at once, since most of a start is the loading of programs: each waits for what it needs of the others.
    await Promise.all([actorHosts, gateway, agent(), seed()]);
    return {
      url: `http://${urlHost(settings.listen)}:${settings.port}`,
      metrics: [...this.#metricsPorts].map(([name, port]) => ({
        name,
        url: `http://${urlHost(process.env.BERTH_METRICS_LISTEN || LOOPBACK)}:${port}/metrics`,
      })),
      users: settings.seed === "demo" ? users : [],
      firstStart: created,
    };
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
    { keys, controlCreds }: NatsOperator,
  ): Promise<{ control: string; agent: string }> {
    const { settings } = this.#options;
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
  ): Promise<void> {
    return this.#superviseService(
      role({
        name,
        command,
        cwd: this.#options.cwd,
        env: { ...inherited(), ...env, BERTH_METRICS_PORT: String(this.#metricsPorts.get(name) ?? 0) },
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

  /** @param keysFile by which hosts get their credentials; undefined: the users of NATS are kept by hand */
  async #gateway(
    watchdog: OrphanWatchdog,
    databaseUrl: string,
    controlUrl: string,
    secrets: Secrets,
    keysFile: string | undefined,
  ): Promise<void> {
    const { settings, commands } = this.#options;
    await this.#role(watchdog, "gateway", commands.gateway, {
      DATABASE_URL: databaseUrl,
      NATS_URL: controlUrl,
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
      ...(keysFile === undefined ? {} : { BERTH_NATS_KEYS_FILE: keysFile }),
    });
  }

  #codehost(secrets: Secrets) {
    const isDemo = this.#options.settings.seed === "demo";
    return codehostEnvironment(process.env, { isDemo, sandboxSecret: secrets.sandbox_codehost });
  }

  #user(name: string, chosen: string | undefined, generated: string) {
    return { name, password: chosen ?? generated, generated: chosen === undefined };
  }

  async #seed(
    watchdog: OrphanWatchdog,
    databaseUrl: string,
    controlUrl: string,
    users: readonly { name: string; password: string }[],
  ): Promise<void> {
    const passwords = users.map(({ name, password }) => [`BERTH_${name.toUpperCase()}_PASSWORD`, password]);
    await this.#runOnce(watchdog, "seed", "the demo seed", {
      DATABASE_URL: databaseUrl,
      NATS_URL: controlUrl,
      // The demo's image goes there, where the agent's containers are isolated.
      BERTH_IMAGE_STORE:
        process.env.BERTH_DRIVER === "process" ? "" : join(this.#options.settings.data, "agent", IMAGE_STORE),
      ...Object.fromEntries(passwords),
    });
  }

  /** Runs a step of the start to its end. @throws SetupError with the end of its log */
  async #runOnce(
    watchdog: OrphanWatchdog,
    name: "join" | "seed",
    what: string,
    env: Record<string, string>,
  ): Promise<void> {
    const log = this.#log(name);
    const since = logSize(log);
    const child = launch([...this.#options.commands[name]], {
      log,
      cwd: this.#options.cwd,
      env: { ...inherited(), ...env },
      signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(SEED_LIMIT_MS)]),
    });
    watchdog.watch(child.pid, "TERM");
    const code = await child.exited;
    watchdog.forget(child.pid);
    if (code === 0) return;
    throw new SetupError(`${what} failed with code ${code}; ${saidSince(log, since)}`);
  }

  #log(name: string): string {
    return join(this.#options.settings.data, "logs", `${name}.log`);
  }

  async #stopAll(): Promise<void> {
    // No request arrives any more before anything else ends.
    const gatewayFirst = (a: RestartSupervisor, b: RestartSupervisor) =>
      Number(b.name === "gateway") - Number(a.name === "gateway");
    for (const supervised of this.#supervised.toReversed().toSorted(gatewayFirst)) await supervised.stop();
    this.#unlock?.();
  }
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
