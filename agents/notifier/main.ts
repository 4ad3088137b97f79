import { pino } from "pino";
import { networkOf } from "../../system/client-network.ts";
import { listenFailure } from "../../system/listen-failure.ts";
import { serveMetrics } from "../../system/metrics-server.ts";
import { SettingError } from "../../system/setting-error.ts";
import { ownOrigin } from "../web/listen-settings.ts";
import { byToken } from "./credential.ts";
import { hostSpawner } from "./desktop/spawner.ts";
import { HistoryUnavailable } from "./history/history.ts";
import { createNotifier } from "./notifier.ts";
import { readSettings, type Settings, USAGE } from "./settings.ts";

/** Runs a standalone notification server for this machine: `bun run notifier --port 8092`. */

const log = pino({ name: "notifier" });
/** A silent client counts as gone after this. Longer than the keepalive of streams and the time limit of a delivery. */
const IDLE_SECONDS = 45;

function main(settings: Settings): void {
  const notifier = createNotifier({
    folder: settings.folder,
    spawner: hostSpawner,
    buses: settings.buses,
    authorize: settings.token === null ? () => ({ readonly: false }) : byToken(settings.token),
    curlArguments: settings.token === null ? "" : '-H "Authorization: Bearer $BERTH_NOTIFIER_TOKEN"',
    origin: (request) => ownOrigin(request, settings),
    allowedOrigins: settings.allowedOrigins,
    report: (error) => log.error({ err: error }, "a request failed"),
  });
  const { metrics } = settings;
  if (metrics !== undefined) serveMetrics(metrics, notifier.registry, async () => notifier.missing());
  const server = listen(settings, (request, client) => notifier.fetch(request, { client }));
  log.info({ url: server.url.href }, "ready");

  const end = async () => {
    await notifier.close();
    await server.stop(true);
    process.exit(0);
  };
  process.once("SIGTERM", () => void end());
  process.once("SIGINT", () => void end());
}

function listen(
  { port, hostname }: Settings,
  fetch: (request: Request, client: string) => Promise<Response>,
) {
  try {
    return Bun.serve({
      port,
      hostname,
      idleTimeout: IDLE_SECONDS,
      fetch: (request, server) => fetch(request, networkOf(server.requestIP(request)?.address ?? "unknown")),
    });
  } catch (cause) {
    throw listenFailure("--port", [port], cause);
  }
}

try {
  const settings = readSettings(process.argv.slice(2), process.env);
  if (settings === null) console.log(USAGE);
  else main(settings);
} catch (error) {
  const isTold = error instanceof SettingError || error instanceof HistoryUnavailable;
  process.stderr.write(`notifier: ${isTold ? error.message : Bun.inspect(error)}\n`);
  process.exit(1);
}
