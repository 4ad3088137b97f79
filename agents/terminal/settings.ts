import { homedir } from "node:os";
import { join } from "node:path";

/** A setting that the terminal cannot start with; the message says which and what to do. */
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
  readonly urlArg: boolean;
  readonly reachOwn: boolean;
  readonly displayUrl: string | null;
  readonly knownHosts: string;
  /** Its folder, by which sessions outlive this process; null: they end with it. */
  readonly data: string | null;
  readonly startupCommand: readonly string[] | null;
}

const LOOPBACK = ["127.0.0.1", "::1", "localhost"];
const TOKEN_CHARS_MIN = 16;
const VALUED = ["--port", "--hostname", "--allow-host", "--display-url", "--known-hosts", "--data"];

export const USAGE = `bun run terminal [options] [-- command of a session]
  --port N           where to listen; 8091 unless told
  --hostname ADDR    127.0.0.1 unless told; any other needs BERTH_TERMINAL_TOKEN
  --allow-host HOST  a name and port under which a proxy serves this; repeatable
  --url-arg          let addresses add arguments to the shell
  --reach-own        let SSH sessions connect to this machine
  --display-url URL  where a display is shown; {display} stands for its number
  --known-hosts FILE keys of SSH hosts, trusted when first seen
  --data FOLDER      keep sessions while this is away, for the next one with the same folder`;

/**
 * Reads the command line and `BERTH_TERMINAL_TOKEN`.
 *
 * @throws SettingError
 */
export function readSettings(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Settings {
  const end = argv.indexOf("--");
  const options = end < 0 ? argv : argv.slice(0, end);
  const command = end < 0 ? [] : argv.slice(end + 1);
  const given = new Map<string, string[]>();
  for (let at = 0; at < options.length; at++) {
    const name = options[at] ?? "";
    if (["--url-arg", "--reach-own"].includes(name)) given.set(name, []);
    else if (VALUED.includes(name)) {
      const value = options[++at];
      if (value === undefined) throw new SettingError(`${name} needs a value`);
      given.set(name, [...(given.get(name) ?? []), value]);
    } else throw new SettingError(`${name} is no option\n${USAGE}`);
  }
  const one = (name: string) => given.get(name)?.at(-1);
  const port = Number(one("--port") ?? 8091);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new SettingError("--port is no port number");
  const hostname = one("--hostname") ?? "127.0.0.1";
  const token = env.BERTH_TERMINAL_TOKEN || null;
  if (token !== null && token.length < TOKEN_CHARS_MIN) {
    throw new SettingError(`BERTH_TERMINAL_TOKEN is shorter than ${TOKEN_CHARS_MIN} characters`);
  }
  if (token === null && !LOOPBACK.includes(hostname)) {
    throw new SettingError(`--hostname ${hostname}: others could connect, so set BERTH_TERMINAL_TOKEN`);
  }
  return {
    port,
    hostname,
    token,
    hosts: given.get("--allow-host") ?? [],
    urlArg: given.has("--url-arg"),
    reachOwn: given.has("--reach-own"),
    displayUrl: one("--display-url") ?? null,
    knownHosts: one("--known-hosts") ?? join(homedir(), ".berth", "terminal-known-hosts"),
    data: one("--data") ?? null,
    startupCommand: command.length > 0 ? command : null,
  };
}
