import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { displayNumber } from "./display.ts";

/** A setting that the server cannot start with; the message says which and what to do. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

export interface Settings {
  readonly port: number;
  readonly hostname: string;
  /** Everyone has to show it; null only where nobody else can connect. */
  readonly token: string | null;
  /** Names under which a proxy in front serves this, besides the loopback's. */
  readonly hosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly buses: ReadonlyMap<number, string>;
  readonly folder: string;
}

const LOOPBACK = ["127.0.0.1", "::1", "localhost"];
const TOKEN_CHARS_MIN = 16;

export const USAGE = `bun run notifier [options]

  --port N             where to listen (8092; 0: any free port)
  --hostname ADDRESS   on which address (127.0.0.1); any other needs BERTH_NOTIFIER_TOKEN
  --data FOLDER        where the history is kept (~/.berth/notifier)
  --bus :N=ADDRESS     the session bus of a display, such as :1=unix:path=/run/user/1000/bus; repeatable.
                       That of any other display is looked for
  --allow-host HOST    a name and port under which a proxy serves this; repeatable
  --allow-origin URL   an origin whose pages may use this, such as https://desk.example; repeatable`;

/**
 * Reads the command line and `BERTH_NOTIFIER_TOKEN`.
 *
 * @returns null when only the usage is asked for
 * @throws SettingError
 */
export function readSettings(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Settings | null {
  const values = parse(argv);
  if (values.help === true) return null;
  const port = /^\d+$/.test(values.port ?? "8092") ? Number(values.port ?? 8092) : Number.NaN;
  if (!(port <= 65_535)) throw new SettingError("--port takes a whole number from 0 to 65535");
  const hostname = values.hostname ?? "127.0.0.1";
  const token = env.BERTH_NOTIFIER_TOKEN || null;
  if (token !== null && token.length < TOKEN_CHARS_MIN) {
    throw new SettingError(`BERTH_NOTIFIER_TOKEN is shorter than ${TOKEN_CHARS_MIN} characters`);
  }
  if (token === null && !LOOPBACK.includes(hostname)) {
    throw new SettingError(`--hostname ${hostname}: others could connect, so set BERTH_NOTIFIER_TOKEN`);
  }
  return {
    port,
    hostname,
    token,
    hosts: values["allow-host"] ?? [],
    allowedOrigins: (values["allow-origin"] ?? []).map(readOrigin),
    buses: new Map((values.bus ?? []).map(readBus)),
    folder: values.data ?? join(homedir(), ".berth", "notifier"),
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
