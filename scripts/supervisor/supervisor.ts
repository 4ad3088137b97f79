import { acquireInstanceLock } from "../../system/instance-lock.ts";
import { urlHost } from "../../system/listen-address.ts";
import { makeDataFolder } from "../data-folder.ts";
import type { DemoLink, FailedLink } from "../demo-link.ts";
import { startOrphanWatchdog } from "../orphan-watchdog.ts";
import type { Backoff } from "../restart-supervisor.ts";
import { supervisorLock, writeRunningSettings } from "../running-settings.ts";
import { arePasswordsUnprinted, loadSecrets } from "../secrets.ts";
import { LOOPBACK, type Settings } from "../settings.ts";
import { Children } from "./children.ts";
import { assignMetricsPorts, requirePorts } from "./required-ports.ts";
import { checkExternal } from "./servers.ts";
import { gatewayUrl, type StartContext } from "./start-context.ts";
import { startAll } from "./steps.ts";

export interface SupervisorOptions
  extends Pick<StartContext, "settings" | "commands" | "cwd" | "natsServer" | "say"> {
  /** Installs what the agent needs of this machine, where it can. */
  readonly hostTools?: () => Promise<void>;
  readonly backoff?: Backoff;
}

/** The facts that `npm start` prints once everything runs. */
export interface Started {
  readonly url: string;
  /** Into the demo's container, or why there is no link; undefined where there is no container. */
  readonly demoLink: DemoLink | FailedLink | undefined;
  /** The URLs of each process's metrics. */
  readonly metrics: readonly { name: string; url: string }[];
  readonly users: readonly { name: string; password: string; generated: boolean }[];
  /** Whether no start has printed the generated passwords yet. */
  readonly arePasswordsUnprinted: boolean;
}

/**
 * Runs all of Berth on one machine, each part as a process of its own that is restarted when it dies. It ends only processes
 * that it started. If it is killed itself, its watchdog ends them; a PostgreSQL or nats-server that remains is ended at the
 * next start.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #children: Children;
  #starting: Promise<Started> | undefined;
  #unlock: (() => void) | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#children = new Children(options.say, options.backoff);
  }

  /** The running processes, by name. */
  get processes(): ReadonlyMap<string, number> {
    return this.#children.processes;
  }

  /**
   * Starts all processes and settles when all are ready.
   *
   * @throws SetupError, or ResourceInUseError where another Berth runs on these data: one line and perhaps the end of a log; all started processes are stopped by then
   */
  start(): Promise<Started> {
    this.#starting ??= this.#start().catch(async (error) => {
      await this.#stopAll();
      throw error;
    });
    return this.#starting;
  }

  /** Stops everything in order: gateway, agent, actor hosts, NATS, PostgreSQL. Each has a time limit. */
  async stop(): Promise<void> {
    // An interrupted start stops the processes that it began.
    await Promise.all([this.#stopAll(), this.#starting?.catch(() => undefined)]);
    await this.#stopAll();
  }

  /** Has Berth's own processes read their log level again. */
  reload(): void {
    this.#children.reload();
  }

  /** Kills all processes. */
  kill(): void {
    this.#children.kill();
    this.#unlock?.();
  }

  async #start(): Promise<Started> {
    const { settings, hostTools } = this.#options;
    // First: a Berth that runs on these data has its ports too.
    this.#lock(settings);
    await requirePorts(settings);
    await writeRunningSettings(settings.data, process.env);

    const metricsPorts = await assignMetricsPorts(settings);
    const watchdog = startOrphanWatchdog();
    const secrets = loadSecrets(settings.data);
    await checkExternal(settings);
    const users = [
      userOf("admin", settings.adminPassword, secrets.admin),
      userOf("demo", settings.demoPassword, secrets.demo),
    ];
    const context = { ...this.#options, secrets, children: this.#children, watchdog, metricsPorts };
    const demoLink = await startAll(context, users, hostTools);
    return {
      url: gatewayUrl(settings),
      demoLink,
      metrics: [...metricsPorts].map(([name, port]) => ({
        name,
        url: `http://${urlHost(process.env.BERTH_METRICS_LISTEN || LOOPBACK)}:${port}/metrics`,
      })),
      users: settings.seed === "demo" ? users : [],
      arePasswordsUnprinted: arePasswordsUnprinted(settings.data),
    };
  }

  /** @throws ResourceInUseError where another Berth runs on these data */
  #lock({ data }: Settings): void {
    makeDataFolder(data);
    const lock = supervisorLock(data);
    this.#unlock = acquireInstanceLock(
      lock,
      (pid) => `Berth runs already (process ${pid}, by ${lock}): stop it, or set BERTH_DATA elsewhere`,
    );
  }

  async #stopAll(): Promise<void> {
    await this.#children.stop();
    this.#unlock?.();
  }
}

const userOf = (name: string, chosen: string | undefined, generated: string) => ({
  name,
  password: chosen ?? generated,
  generated: chosen === undefined,
});
