import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NatsUser } from "../../schemas/nats-users.ts";
import { greeting } from "../ports.ts";
import { commandOf, endProcess } from "../processes.ts";
import { natsProgramObstacle } from "../provision/nats-program.ts";
import { SetupError } from "../setup-error.ts";
import { natsConfig } from "./nats-config.ts";
import { launch, logSize, type RunningServer, type ServerOptions, saidSince } from "./server.ts";

export interface NatsOptions extends ServerOptions {
  /** Path of the nats-server program. */
  readonly program: string;
  /** The part of the configuration that says who may connect. */
  readonly accounts: string;
  /** The URL of the control plane's user on a port of this machine. */
  readonly urlAt: (port: number) => string;
}

/** JetStream reads its store before it accepts clients. */
const READY_LIMIT_MS = 30_000;
const READY_POLL_MS = 20;
const GREETING_LIMIT_MS = 1_000;
const STOP_LIMIT_MS = 10_000;

/**
 * Starts nats-server with JetStream on the loopback interface. First it ends one that a killed owner left on the same folder.
 *
 * @throws SetupError when it cannot start; the message quotes the log
 */
export async function startNats(options: NatsOptions): Promise<RunningServer> {
  const obstacle = natsProgramObstacle(options.program);
  if (obstacle !== undefined) {
    throw new SetupError(`${obstacle}: install another one, or set NATS_URL to an external server`);
  }
  mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  const config = join(options.dir, "nats.conf");
  const pidFile = join(options.dir, "nats.pid");
  await endLeftover(pidFile, config);

  rmSync(config, { force: true });
  const text = natsConfig({
    port: options.port,
    storeDir: join(options.dir, "jetstream"),
    pidFile,
    accounts: options.accounts,
  });
  // Mode 600, because it may contain passwords.
  writeFileSync(config, text, { mode: 0o600 });

  const since = logSize(options.log);
  const child = launch([options.program, "-c", config], {
    log: options.log,
    cwd: options.dir,
    env: { PATH: process.env.PATH ?? "" },
  });
  options.watchdog.watch(child.pid, "TERM");
  const exited = child.exited.then((code) => {
    options.watchdog.forget(child.pid);
    return code;
  });
  const server: RunningServer = {
    url: options.urlAt(options.port),
    pid: child.pid,
    exited,
    stop: async () => {
      if (child.exitCode === null) await endProcess(child.pid, "SIGTERM", STOP_LIMIT_MS);
      await exited;
    },
  };
  if (await ready(options.port, child)) return server;
  await server.stop();
  throw new SetupError(`nats-server did not start; ${saidSince(options.log, since)}`);
}

/** The address of a server on this machine with a user's credentials. */
export const natsUrl = (user: NatsUser, port: number) =>
  `nats://${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}@127.0.0.1:${port}`;

async function endLeftover(pidFile: string, config: string): Promise<void> {
  let pid: number;
  try {
    pid = Number.parseInt(readFileSync(pidFile, "utf8"), 10);
  } catch {
    return;
  }
  // Only a process with this configuration is Berth's: the id may belong to another program by now.
  if (Number.isInteger(pid) && commandOf(pid).includes(config))
    await endProcess(pid, "SIGTERM", STOP_LIMIT_MS);
  rmSync(pidFile, { force: true });
}

async function ready(port: number, child: Bun.Subprocess): Promise<boolean> {
  const limit = performance.now() + READY_LIMIT_MS;
  while (performance.now() < limit && child.exitCode === null) {
    const hello = await greeting(port, GREETING_LIMIT_MS);
    if (hello?.startsWith("INFO ") && hello.includes('"jetstream":true')) return child.exitCode === null;
    await Bun.sleep(READY_POLL_MS);
  }
  return false;
}
