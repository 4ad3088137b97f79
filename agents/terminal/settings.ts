import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type MetricsAddress, readMetricsAddress } from "../../system/metrics-server.ts";
import { SettingError } from "../../system/setting-error.ts";
import { type ListenSettings, readListenSettings } from "../web/listen-settings.ts";

export interface Settings extends ListenSettings {
  readonly urlArg: boolean;
  readonly reachOwn: boolean;
  readonly displayUrl: string | null;
  readonly knownHosts: string;
  /** The data folder, with which sessions outlive this process; null: they end with it. */
  readonly data: string | null;
  readonly startupCommand: readonly string[] | null;
  /** Where `/health` and `/metrics` are served, if at all. */
  readonly metrics: MetricsAddress | undefined;
}

export const USAGE = `bun run terminal [options] [-- command of a session]
  --port N           where to listen; 8091 unless told
  --hostname ADDR    127.0.0.1 unless told; any other needs BERTH_TERMINAL_TOKEN
  --allow-host HOST  a name and port under which a proxy serves this; repeatable
  --url-arg          let addresses add arguments to the shell
  --reach-own        let SSH sessions connect to this machine
  --display-url URL  where a display is shown; {display} stands for its number
  --known-hosts FILE keys of SSH hosts, trusted when first seen
  --data FOLDER      keep sessions while this is away, for the next one with the same folder

BERTH_METRICS_PORT is a port for /metrics, /health/live and /health/ready (none), and BERTH_METRICS_LISTEN its address (127.0.0.1)`;

/**
 * Reads the command line, `BERTH_TERMINAL_TOKEN`, and `BERTH_METRICS_PORT` with `BERTH_METRICS_LISTEN`.
 *
 * @throws SettingError
 */
export function readSettings(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Settings {
  const { values, command } = parse(argv);
  return {
    ...readListenSettings(values, env, { variable: "BERTH_TERMINAL_TOKEN", defaultPort: 8091 }),
    urlArg: values["url-arg"] === true,
    reachOwn: values["reach-own"] === true,
    displayUrl: values["display-url"] ?? null,
    knownHosts: values["known-hosts"] ?? join(homedir(), ".berth", "terminal-known-hosts"),
    data: values.data ?? null,
    startupCommand: command.length > 0 ? command : null,
    metrics: readMetricsAddress(env),
  };
}

function parse(argv: readonly string[]) {
  try {
    const { values, tokens } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      tokens: true,
      options: {
        port: { type: "string" },
        hostname: { type: "string" },
        "allow-host": { type: "string", multiple: true },
        "display-url": { type: "string" },
        "known-hosts": { type: "string" },
        data: { type: "string" },
        "url-arg": { type: "boolean" },
        "reach-own": { type: "boolean" },
      },
    });
    const end = tokens.find(({ kind }) => kind === "option-terminator")?.index ?? argv.length;
    const stray = tokens.find(({ kind, index }) => kind === "positional" && index < end);
    if (stray !== undefined) throw new Error(`${argv[stray.index]} is no option`);
    return { values, command: argv.slice(end + 1) };
  } catch (cause) {
    const [first = "bad options"] = (cause as Error).message.split("\n");
    throw new SettingError(`${first}\n${USAGE}`, { cause });
  }
}
