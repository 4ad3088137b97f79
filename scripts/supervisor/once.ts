import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { IMAGE_STORE } from "../../agents/containers/images/store.ts";
import { credentialFile } from "../../agents/join/credential-file.ts";
import { OWN_HOST } from "../../agents/join/own-host.ts";
import { LAUNCH_SETTINGS } from "../../system/launch-settings.ts";
import { hasJoined } from "../has-joined.ts";
import { giveSettings, type LateSettings } from "../role.ts";
import { launch, logSize, saidSince } from "../servers/server.ts";
import { SetupError } from "../setup-error.ts";
import { inherited } from "./environment.ts";
import { gatewayUrl, logFile, type Servers, type StartContext, type User } from "./start-context.ts";

/** The seed waits until the host runs what it created. */
const SEED_LIMIT_MS = 120_000;

/** Joins this machine, unless its agent has a credential that the records know. */
export async function joinMachine(
  context: StartContext,
  servers: Promise<Servers>,
  gateway: Promise<void>,
): Promise<void> {
  const { settings } = context;
  const folder = join(settings.data, "agent");
  if (existsSync(credentialFile(folder))) {
    const { database } = await servers;
    if (await hasJoined({ name: OWN_HOST, databaseUrl: database.actors, folder })) return;
  }
  const late = Promise.all([servers, gateway]).then(([{ database, nats }]) => ({
    DATABASE_URL: database.actors,
    NATS_URL: nats.control,
  }));
  const env = {
    BERTH_SERVER_NAME: OWN_HOST,
    BERTH_DATA: folder,
    BERTH_URL: gatewayUrl(settings),
  };
  await runOnce(context, { name: "join", what: "the join of this machine", env, late });
}

/** @param onCreated called once all has a record; the seed then waits until the container runs */
export async function seedDemo(
  context: StartContext,
  users: readonly User[],
  late: LateSettings,
  onCreated: () => void,
): Promise<void> {
  const folder = join(context.settings.data, "agent");
  // The ids of containers have to pass through it.
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const passwords = users.map(({ name, password }) => [`BERTH_${name.toUpperCase()}_PASSWORD`, password]);
  const env = {
    // The demo's image goes there, where the agent's containers are isolated.
    BERTH_IMAGE_STORE: process.env.BERTH_DRIVER === "process" ? "" : join(folder, IMAGE_STORE),
    ...Object.fromEntries(passwords),
  };
  await runOnce(context, { name: "seed", what: "the demo seed", env, late, onMessage: onCreated });
}

interface Step {
  readonly name: "join" | "seed";
  /** As a person is told when it fails. */
  readonly what: string;
  readonly env: Record<string, string>;
  readonly late: LateSettings;
  readonly onMessage?: () => void;
}

/** Runs a step of the start to its end. @throws SetupError with the end of its log */
async function runOnce(
  { settings, commands, cwd, children, watchdog }: StartContext,
  { name, what, env, late, onMessage }: Step,
): Promise<void> {
  late.catch(() => undefined);
  children.assertNotStopping();
  const log = logFile(settings, name);
  const since = logSize(log);
  const child = launch([...commands[name]], {
    log,
    cwd,
    env: { ...inherited(), ...env, ...LAUNCH_SETTINGS },
    signal: children.stopping,
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
