import { type Given, PARAMETERS } from "./table.ts";
import { BadValue, isLocked } from "./values.ts";

/** Far more than a person sets; it bounds the memory that one address can use. */
const REPEATS_MAX = 100;

/** Parameters about this machine: its users, folders, programs and variables. */
const NOT_OVER_SSH = [
  ...["user", "shell", "arg", "cwd", "cwd_auto_create", "startup_script", "desktop", "desktop_env"],
  "env_inject",
] as const satisfies readonly (keyof Given)[];

const DEFAULT_SSH_PORT = 22;
const DEFAULT_SOCKS5_PORT = 1080;

/** An invalid request. The message names the parameter and what is wrong with it. */
export class ParameterError extends Error {
  override readonly name = "ParameterError";

  constructor(
    readonly parameter: string,
    reason: string,
  ) {
    super(`${parameter}: ${reason}`);
  }
}

/** The appearance of the page, which can differ between viewers of one session. */
export interface Appearance {
  readonly title: string | null;
  readonly fontSize: number;
  readonly backgroundColor: string;
  readonly toolbar: boolean;
  readonly panel: Panel | null;
}

export interface Panel {
  readonly url: string;
  readonly visible: boolean;
  readonly position: "left" | "right";
  readonly width: string;
  readonly height: string;
  readonly resizable: boolean;
}

/** The target of an SSH session. */
export interface SshTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string | null;
  readonly key: string | null;
  readonly proxy: Socks5Proxy | null;
  /** Given parameters without effect over SSH. */
  readonly ignored: readonly string[];
}

export interface Socks5Proxy {
  readonly host: string;
  readonly port: number;
  readonly user: string | null;
  readonly password: string | null;
}

/** What a new session runs. Ignored for an existing session. */
export interface Launch {
  readonly user: string | null;
  readonly cwd: string | null;
  readonly createCwd: boolean;
  readonly shell: string | null;
  readonly args: readonly string[];
  readonly command: string | null;
  readonly startupScript: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly injectServiceEnv: boolean;
  readonly display: number | null;
  /** `any`: whichever desktop is installed. */
  readonly desktop: "xfce" | "mate" | "any" | null;
  readonly welcome: boolean;
  readonly debug: boolean;
  readonly pid: number | null;
  readonly ssh: SshTarget | null;
}

/** A parsed request `GET /` (container services §4.1). */
export interface TerminalRequest {
  readonly terminalId: number | null;
  readonly reset: boolean;
  readonly readonly: boolean;
  readonly redirect: { readonly display: number; readonly delaySeconds: number } | null;
  readonly appearance: Appearance;
  readonly launch: Launch;
}

/**
 * Parses the query of `GET /`. Unknown names are ignored.
 *
 * @param options.urlArg whether the server lets the address add arguments to the shell
 * @param options.origin the service's own, to which a panel's address may be relative
 * @throws ParameterError for a value that breaks its rule, and for parameters that do not go together
 */
export function parseRequest(
  query: URLSearchParams,
  options: { urlArg: boolean; origin: string },
): TerminalRequest {
  const given = readAll(query);
  if (given.arg !== undefined && !options.urlArg) {
    throw new ParameterError("arg", "this server takes no arguments from the address (option url-arg)");
  }
  if (given.pid !== undefined && given.ssh_host !== undefined) {
    throw new ParameterError("pid", "a process of this machine cannot be attached to over SSH");
  }
  const terminalId = given.terminal_id ?? null;
  return {
    terminalId,
    reset: (given.reset ?? false) || given.pid !== undefined,
    readonly: given.readonly ?? false,
    redirect: redirectOf(given),
    appearance: appearanceOf(given, options.origin),
    launch: launchOf(given),
  };
}

function readAll(query: URLSearchParams): Given {
  const given: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(PARAMETERS)) {
    const texts = query.getAll(name);
    if (texts.length === 0) continue;
    const isRepeatable = "repeatable" in parameter;
    if (!isRepeatable && texts.length > 1) throw new ParameterError(name, "is given more than once");
    if (texts.length > REPEATS_MAX) throw new ParameterError(name, `is given more than ${REPEATS_MAX} times`);
    const read = texts.map((text) => readOne(name, parameter.read, text));
    given[name] = isRepeatable ? read : read[0];
  }
  return given as Given;
}

function readOne(name: string, read: (text: string) => unknown, text: string): unknown {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof BadValue) throw new ParameterError(name, error.message);
    throw error;
  }
}

function redirectOf(given: Given): TerminalRequest["redirect"] {
  if (given.redirect === undefined) return null;
  for (const name of ["terminal_id", "display"] as const) {
    if (given[name] === undefined) throw new ParameterError(name, "is needed with redirect=display");
  }
  return { display: given.display ?? 0, delaySeconds: given.redirect_delay ?? 0 };
}

function appearanceOf(given: Given, origin: string): Appearance {
  return {
    title: given.title || null,
    fontSize: given.fontSize ?? 13,
    backgroundColor: given.backgroundColor ?? "#2b2b2b",
    toolbar: !(given["hide-toolbar"] ?? false),
    panel:
      given.panel === undefined
        ? null
        : {
            url: new URL(given.panel, origin).href,
            visible: given["panel-visible"] ?? true,
            position: given["panel-position"] ?? "right",
            width: given["panel-width"] ?? "400px",
            height: given["panel-height"] ?? "300px",
            resizable: given["panel-resizable"] ?? true,
          },
  };
}

function launchOf(given: Given): Launch {
  const display = given.display ?? null;
  const env = {
    ...Object.fromEntries((given.env ?? []).map(({ name, value }) => [name, value])),
    ...(display === null ? {} : { DISPLAY: `:${display}` }),
  };
  const desktop = given.desktop_env ?? (given.desktop ? "any" : null);
  if (desktop !== null && given.ssh_host === undefined && !env.DISPLAY) {
    throw new ParameterError(
      given.desktop_env === undefined ? "desktop" : "desktop_env",
      "needs a display: add display=N",
    );
  }
  return {
    user: given.user ?? null,
    cwd: given.cwd ?? null,
    createCwd: given.cwd_auto_create ?? false,
    shell: given.shell ?? null,
    args: given.arg ?? [],
    command: given.cmd ?? null,
    startupScript: given.startup_script ?? null,
    env,
    injectServiceEnv: given.env_inject ?? true,
    display,
    desktop,
    welcome: given.welcome ?? false,
    debug: given.debug ?? false,
    pid: given.pid ?? null,
    ssh: sshOf(given),
  };
}

function sshOf(given: Given): SshTarget | null {
  if (given.ssh_host === undefined) return null;
  if (given.ssh_user === undefined) throw new ParameterError("ssh_user", "is needed with ssh_host");
  // Checked before connecting: a host would only reply that it does not accept the key.
  if (given.ssh_key !== undefined && !given.ssh_password && isLocked(given.ssh_key))
    throw new ParameterError("ssh_key", "has a passphrase: give it as ssh_password");
  return {
    host: given.ssh_host,
    port: given.ssh_port ?? DEFAULT_SSH_PORT,
    user: given.ssh_user,
    password: given.ssh_password || null,
    key: given.ssh_key ?? null,
    ignored: NOT_OVER_SSH.filter((name) => given[name] !== undefined),
    proxy:
      given.socks5_host === undefined
        ? null
        : {
            host: given.socks5_host,
            port: given.socks5_port ?? DEFAULT_SOCKS5_PORT,
            user: given.socks5_user || null,
            password: given.socks5_pass || null,
          },
  };
}
