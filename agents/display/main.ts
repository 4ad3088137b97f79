import { pino } from "pino";
import { listenFailure } from "../../system/listen-failure.ts";
import { SettingError } from "../../system/setting-error.ts";
import { hostExecTarget } from "../exec/host.ts";
import { type ListenSettings, ownOrigin } from "../web/listen-settings.ts";
import { SECURITY_HEADERS } from "../web/security-headers.ts";
import { bySharedToken } from "../web/shared-token.ts";
import { createDisplay } from "./display.ts";
import { readSettings, USAGE } from "./settings.ts";

/** The displays of this machine in the browser, alone: `bun run display --port 8093`. */

const log = pino({ name: "display" });

const byToken = (token: string) =>
  bySharedToken({
    token,
    cookie: "berth_display",
    refuse: (_request, headers) =>
      new Response("This display needs its token: open it once with ?access_token=…\n", {
        status: 401,
        headers: { ...SECURITY_HEADERS, ...headers },
      }),
  });

function main(settings: ListenSettings): void {
  const display = createDisplay({
    target: hostExecTarget,
    authorize: settings.token === null ? () => ({ readonly: false }) : byToken(settings.token),
    origin: (request) => ownOrigin(request, settings),
    user: null,
    isShared: true,
    report: (error) => log.error({ err: error }, "a request failed"),
  });
  const server = listen(settings, display);
  log.info({ url: server.url.href }, "ready");
  const end = async () => {
    display.close();
    await server.stop(true);
    process.exit(0);
  };
  process.once("SIGTERM", () => void end());
  process.once("SIGINT", () => void end());
}

function listen({ port, hostname }: ListenSettings, display: ReturnType<typeof createDisplay>) {
  try {
    return Bun.serve({ port, hostname, fetch: display.fetch, websocket: display.websocket });
  } catch (cause) {
    throw listenFailure("--port", [port], cause);
  }
}

try {
  const settings = readSettings(process.argv.slice(2), process.env);
  if (settings === null) console.log(USAGE);
  else main(settings);
} catch (error) {
  process.stderr.write(`display: ${error instanceof SettingError ? error.message : Bun.inspect(error)}\n`);
  process.exit(1);
}
