import { join } from "node:path";
import { readCluster } from "../../actors/runtime/store/cluster/queries.ts";
import type { Running } from "../../scripts/restart-supervisor.ts";
import { role } from "../../scripts/role.ts";
import type { Program } from "../../scripts/bundles.ts";
import { CLEAN_ENVIRONMENT } from "./environment.ts";
import { gatewayInProcess, type InProcess } from "./in-process.ts";
import { programFile } from "./program.ts";
import { sharedWatchdog, type TestNats } from "./servers.ts";
import { type Answer, connectStack, type StackClient } from "./stack-client.ts";
import { type StackServersOptions, startStackServers } from "./stack-servers.ts";
import { until } from "./until.ts";
import type { TestUser } from "./users.ts";

export type { Answer, TestUser };

/** A whole control plane with a database and NATS of its own, whose actor hosts are processes that a test may kill. */
export interface Stack extends StackClient {
  readonly nats: TestNats;
  readonly hosts: readonly { readonly name: string; readonly pid: number }[];
  /** Starts one more actor host; `within` is the command line that it is started by, such as one that changes namespaces. */
  startHost(
    name: string,
    env?: Readonly<Record<string, string>>,
    within?: readonly string[],
  ): Promise<Running>;
}

export interface StackOptions extends StackServersOptions {
  readonly actorHosts?: number;
  /**
   * Whether the gateway is a process too, as benchmarks need it. Else it runs in the process that asks, without the second of processor time
   * that the start of a program takes.
   */
  readonly gatewayProcess?: boolean;
}

const ROOT = join(import.meta.dir, "../..");

/** So that others soon have the partitions of a host that is killed. */
const LEASE_TTL_MS = "1500";

/** For tests that kill an actor host, stop it, or look at it from outside; for all others `startEmbeddedStack` takes a third of the processor time. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const servers = await startStackServers(options);
  const running: InProcess[] = [];

  const start = async (
    name: string,
    program: Program,
    env: Readonly<Record<string, string>>,
    within: readonly string[] = [],
  ) => {
    const process_ = await role({
      name,
      command: [...within, process.execPath, programFile(program)],
      cwd: ROOT,
      env: { ...CLEAN_ENVIRONMENT, ...env },
      log: join(servers.address.logs, `${name}.log`),
      watchdog: sharedWatchdog(),
    }).start(new AbortController().signal);
    running.push(process_);
    return process_;
  };
  const startHost: Stack["startHost"] = (name, env = {}, within = []) =>
    start(
      name,
      "actors/main.ts",
      { BERTH_LEASE_TTL_MS: LEASE_TTL_MS, ...servers.hostEnv(name), ...env },
      within,
    );

  const hosts = [];
  for (let i = 1; i <= (options.actorHosts ?? 1); i++) {
    const name = `actors-${i}`;
    hosts.push({ name, pid: (await startHost(name)).pid });
  }
  if (options.gatewayProcess) await start("gateway", "gateway/main.ts", servers.gatewayEnv);
  else running.push(await gatewayInProcess(servers));

  const client = await connectStack(servers.address);
  await awaitBalance(client, options.actorHosts ?? 1);

  return {
    ...client,
    nats: servers.nats,
    hosts,
    startHost,
    async stop() {
      await client.stop();
      for (const one of running.reverse()) await one.stop();
      await servers.stop();
    },
  };
}

/** Waits until every actor host owns partitions. */
export async function awaitBalance({ db }: StackClient, actorHosts: number): Promise<void> {
  if (actorHosts <= 1) return;
  await until(async () => {
    const { leases } = await readCluster(db);
    return new Set(leases.map((lease) => lease.owner)).size === actorHosts;
  });
}
