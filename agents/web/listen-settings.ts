import { SettingError } from "../../system/setting-error.ts";

const LOOPBACK = ["127.0.0.1", "::1", "localhost"];
const TOKEN_CHARS_MIN = 16;
const PORT_MAX = 65_535;

export interface ListenSettings {
  readonly port: number;
  readonly hostname: string;
  /** Required of every client; null only if the service listens where no other machine can connect. */
  readonly token: string | null;
  /** Host names under which a proxy publishes this service, besides those of the loopback interface. */
  readonly hosts: readonly string[];
}

/**
 * Reads where a stand-alone service listens, and the token that protects it.
 *
 * @param values the options `--port`, `--hostname` and `--allow-host`
 * @param variable the environment variable of the token
 * @throws SettingError
 */
export function readListenSettings(
  values: {
    readonly port?: string | undefined;
    readonly hostname?: string | undefined;
    readonly "allow-host"?: readonly string[] | undefined;
  },
  env: Readonly<Record<string, string | undefined>>,
  { variable, defaultPort }: { readonly variable: string; readonly defaultPort: number },
): ListenSettings {
  const { port: text = String(defaultPort), hostname = "127.0.0.1", "allow-host": hosts = [] } = values;
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= PORT_MAX)) throw new SettingError(`--port takes a whole number from 0 to ${PORT_MAX}`);
  const token = env[variable] || null;
  if (token !== null && token.length < TOKEN_CHARS_MIN) {
    throw new SettingError(`${variable} is shorter than ${TOKEN_CHARS_MIN} characters`);
  }
  if (token === null && !LOOPBACK.includes(hostname)) {
    throw new SettingError(`--hostname ${hostname}: others could connect, so set ${variable}`);
  }
  return { port, hostname, token, hosts };
}

/**
 * The origin under which a request reached a stand-alone service; null if its Host is not one of the service's own: a
 * foreign name could point to this address (DNS rebinding).
 */
export function ownOrigin(request: Request, { hosts }: Pick<ListenSettings, "hosts">): string | null {
  const host = request.headers.get("host") ?? "";
  if (hosts.includes(host)) {
    const isSecure = request.headers.get("x-forwarded-proto") === "https";
    return `${isSecure ? "https" : "http"}://${host}`;
  }
  const name = host.replace(/:\d+$/, "");
  const isOurs = /^([\w-]+\.)*localhost$/i.test(name) || isAddress(name);
  return isOurs ? `http://${host}` : null;
}

/** An attacker can point a name here, but cannot do so with an address. */
const isAddress = (name: string) => /^(\d+\.){3}\d+$/.test(name) || /^\[[\da-f:.]+\]$/i.test(name);
