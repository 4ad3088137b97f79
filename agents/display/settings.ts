import { parseArgs } from "node:util";
import { SettingError } from "../../system/setting-error.ts";
import { type ListenSettings, readListenSettings } from "../web/listen-settings.ts";

export const USAGE = `bun run display [options]
  --port N           where to listen; 8093 unless told
  --hostname ADDR    127.0.0.1 unless told; any other needs BERTH_DISPLAY_TOKEN
  --allow-host HOST  a name and port under which a proxy serves this; repeatable
  --help             this`;

/**
 * Reads the command line and `BERTH_DISPLAY_TOKEN`. Null: the usage is asked for.
 *
 * @throws SettingError
 */
export function readSettings(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ListenSettings | null {
  const values = parse(argv);
  if (values.help) return null;
  return readListenSettings(values, env, { variable: "BERTH_DISPLAY_TOKEN", defaultPort: 8093 });
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        port: { type: "string" },
        hostname: { type: "string" },
        "allow-host": { type: "string", multiple: true },
        help: { type: "boolean" },
      },
    }).values;
  } catch (cause) {
    const [first = "bad options"] = (cause as Error).message.split("\n");
    throw new SettingError(`${first}\n${USAGE}`, { cause });
  }
}
