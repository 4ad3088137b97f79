import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type MetricsAddress, readMetricsAddress } from "../../system/metrics-server.ts";
import { SettingError } from "../../system/setting-error.ts";
import { type ListenSettings, readListenSettings } from "../web/listen-settings.ts";
import { displayNumber } from "./display.ts";

export interface Settings extends ListenSettings {
  readonly allowedOrigins: readonly string[];
  readonly buses: ReadonlyMap<number, string>;
  readonly folder: string;
  /** Where `/health` and `/metrics` are served on a port of their own, if at all. */
  readonly metrics: MetricsAddress | undefined;
}

export const USAGE = `bun run notifier [options]

  --port N             where to listen (8092; 0: any free port)
  --hostname ADDRESS   on which address (127.0.0.1); any other needs BERTH_NOTIFIER_TOKEN
  --data FOLDER        where the history is kept (~/.berth/notifier)
  --bus :N=ADDRESS     the session bus of a display, such as :1=unix:path=/run/user/1000/bus; repeatable.
                       That of any other display is looked for
  --allow-host HOST    a name and port under which a proxy serves this; repeatable
  --allow-origin URL   an origin whose pages may use this, such as https://desk.example; repeatable

BERTH_METRICS_PORT is a port for /metrics, /health/live and /health/ready (none), and BERTH_METRICS_LISTEN its address (127.0.0.1)`;

/**
 * Reads the command line, `BERTH_NOTIFIER_TOKEN`, and `BERTH_METRICS_PORT` with `BERTH_METRICS_LISTEN`.
 *
 * @returns null for a request for the usage
 * @throws SettingError
 */
export function readSettings(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Settings | null {
  const values = parse(argv);
  if (values.help === true) return null;
  return {
    ...readListenSettings(values, env, { variable: "BERTH_NOTIFIER_TOKEN", defaultPort: 8092 }),
    allowedOrigins: (values["allow-origin"] ?? []).map(readOrigin),
    buses: new Map((values.bus ?? []).map(readBus)),
    folder: values.data ?? join(homedir(), ".berth", "notifier"),
    metrics: readMetricsAddress(env),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        port: { type: "string" },
        hostname: { type: "string" },
        data: { type: "string" },
        bus: { type: "string", multiple: true },
        "allow-host": { type: "string", multiple: true },
        "allow-origin": { type: "string", multiple: true },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (cause) {
    const [first = "bad options"] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
    throw new SettingError(`${first}; --help lists the options`, { cause });
  }
}

function readOrigin(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== text) {
    throw new SettingError(`--allow-origin ${text}: is no origin, such as https://desk.example`);
  }
  return text;
}

function readBus(text: string): [number, string] {
  const [, name = "", address = ""] = /^([^=]*)=(unix:.+)$/.exec(text) ?? [];
  const display = displayNumber(name);
  if (display === null) {
    throw new SettingError(`--bus ${text}: is not like :1=unix:path=/run/user/1000/bus`);
  }
  return [display, address];
}
