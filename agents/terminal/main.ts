import { join, resolve } from "node:path";
import { pino } from "pino";
import { serveMetrics } from "../../system/metrics-server.ts";
import { SettingError } from "../../system/setting-error.ts";
import { hostExecTarget } from "../exec/host.ts";
import { ensureDisplay } from "../exec/x-display.ts";
import { ownOrigin } from "../web/listen-settings.ts";
import { createMetrics } from "./metrics.ts";
import { PtyHostClient, PtyHostTaken } from "./pty-host/client.ts";
import { PtyHostError } from "./pty-host/connection.ts";
import { byToken } from "./server/credential.ts";
import type { Sessions } from "./session/sessions.ts";
import { readSettings, type Settings } from "./settings.ts";
import { KnownHosts } from "./ssh/known-hosts.ts";
import { createTerminal } from "./terminal.ts";

/** Runs a standalone web terminal for this machine: `bun run terminal --port 8091`. */

const log = pino({ name: "terminal" });
/** The time limit of a stop: after that, programs are killed. */
const END_MS = 2_000;
/** Whoever asks whether this is ready waits for the PTY host for no longer. */
const READY_MS_MAX = 1_000;

async function main(settings: Settings): Promise<void> {
  const ptyHost = settings.data === null ? null : await ptyHostIn(settings.data);
  const metrics = createMetrics((): Sessions => terminal.sessions);
  const terminal = createTerminal({
    target: hostExecTarget,
    ...(ptyHost === null ? {} : { ptyStore: ptyHost.forOwner("host", () => "") }),
    authorize: settings.token === null ? () => ({ readonly: false }) : byToken(settings.token),
    origin: (request) => ownOrigin(request, settings),
    ssh: { knownHosts: new KnownHosts(settings.knownHosts), reachOwn: settings.reachOwn },
    urlArg: settings.urlArg,
    ...(settings.startupCommand === null ? {} : { startupCommand: settings.startupCommand }),
    serviceEnv: serviceEnv(process.env),
    // Where it says nothing of displays, somebody else starts them.
    ...(settings.displayUrl === null
      ? {}
      : {
          ensureDisplay: async (display, start) =>
            void (await ensureDisplay(hostExecTarget, display, { ...start, isShared: true })),
        }),
    displayUrl: (display) => settings.displayUrl?.replaceAll("{display}", String(display)) ?? null,
    opened: () => metrics.started.inc(),
    report: (error) => log.error({ err: error }, "a request failed"),
  });
  const server = Bun.serve({
    port: settings.port,
    hostname: settings.hostname,
    // Starting a session can wait for a slow SSH host.
    idleTimeout: 60,
    // Uploads are streamed, so only the disk limits them.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: terminal.fetch,
    websocket: terminal.websocket,
  });
  if (settings.metrics !== undefined)
    serveMetrics(settings.metrics, metrics.registry, () => missing(terminal.adopted, ptyHost));
  log.info({ url: server.url.href }, "ready");

  const end = async () => {
    if (ptyHost !== null) {
      terminal.leave();
      ptyHost.close();
      await server.stop(true);
      process.exit(0);
    }
    terminal.close();
    const limit = performance.now() + END_MS;
    while (terminal.sessions.all.length > 0 && performance.now() < limit) await Bun.sleep(20);
    process.exit(0);
  };
  process.once("SIGTERM", () => void end());
  process.once("SIGINT", () => void end());
}

/** What this process needs and does not have; undefined when it can open terminals. */
async function missing(
  adopted: Promise<void>,
  ptyHost: PtyHostClient | null,
): Promise<"the PTY host" | undefined> {
  const isThere = Promise.all([adopted, ptyHost?.list()]).then(
    () => true,
    () => false,
  );
  const isLate = Bun.sleep(READY_MS_MAX).then(() => false);
  return (await Promise.race([isThere, isLate])) ? undefined : "the PTY host";
}

async function ptyHostIn(data: string): Promise<PtyHostClient> {
  try {
    const ptyHost = new PtyHostClient(join(resolve(data), "pty-host"), (message, error) =>
      log.warn({ err: error }, message),
    );
    await ptyHost.list();
    return ptyHost;
  } catch (cause) {
    if (cause instanceof PtyHostError && !(cause instanceof PtyHostTaken)) {
      const where = join(data, "pty-host", "log");
      throw new SettingError(`--data ${data}: ${cause.message} (its process is named in ${where})`, {
        cause,
      });
    }
    if (cause instanceof PtyHostTaken || (cause instanceof Error && "code" in cause))
      throw new SettingError(`--data ${data}: ${cause.message}`, { cause });
    throw cause;
  }
}

/** The `SERVICE_*` variables for shells; they get no other variable of this process. */
const serviceEnv = (env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      /^SERVICE_\w+$/.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  );

void run();

async function run(): Promise<void> {
  try {
    await main(readSettings(process.argv.slice(2), process.env));
  } catch (error) {
    process.stderr.write(`terminal: ${error instanceof SettingError ? error.message : Bun.inspect(error)}\n`);
    process.exit(1);
  }
}
