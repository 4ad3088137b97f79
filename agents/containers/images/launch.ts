import { constants } from "node:os";
import { ContainerError, type Variable } from "../driver.ts";
import type { ImageConfig } from "./manifest.ts";

/** What an image's config says of how its containers run, with Docker's meaning. */

export interface Launch {
  /** `<user>[:<group>]`, names or numbers; empty: root. */
  readonly user: string;
  readonly folder: string;
  /** Folders that are there, whether or not a layer has them. */
  readonly volumes: readonly string[];
  /** `NAME=value` each. */
  readonly env: readonly string[];
  readonly argv: readonly string[];
}

/** The kernel's bounds: of one argument, and of all, of which the agent's own programs take some. */
const WORD_BYTES_MAX = 128 * 1024 - 1;
const WORDS_BYTES_MAX = 1024 * 1024;

export interface AskedLaunch {
  /** In place of the image's entry point; the image's own arguments are left out then. */
  readonly entrypoint?: readonly string[];
  /** In place of the image's own arguments. */
  readonly command: readonly string[];
  /** Over the image's own. */
  readonly env?: readonly Variable[];
}

/**
 * @throws ContainerError where there is nothing to run
 */
export function launchOf({ config }: ImageConfig, asked: AskedLaunch): Launch {
  const { User, Env, Entrypoint, Cmd, WorkingDir, Volumes } = config ?? {};
  const { entrypoint = [], command, env: variables = [] } = asked;
  const standard = entrypoint.length > 0 ? [] : (Cmd ?? []);
  const argv = [
    ...(entrypoint.length > 0 ? entrypoint : (Entrypoint ?? [])),
    ...(command.length > 0 ? command : standard),
  ];
  if (argv.length === 0 || argv[0] === "")
    throw new ContainerError("its image names no program to run: give the container a command");
  const env = withVariables(
    (Env ?? []).filter((entry) => /^[^=]+=/.test(entry)),
    variables,
  );
  const launch = {
    user: User ?? "",
    folder: WorkingDir || "/",
    volumes: Object.keys(Volumes ?? {}),
    env,
    argv,
  };
  const words = [launch.user, launch.folder, ...launch.volumes, ...env, ...argv].map((word) =>
    Buffer.byteLength(word),
  );
  if (
    words.some((length) => length > WORD_BYTES_MAX) ||
    words.reduce((sum, length) => sum + length, 0) > WORDS_BYTES_MAX
  )
    throw new ContainerError("its image's environment and command are longer than the kernel takes");
  return launch;
}

/** Adds variables to `NAME=value` entries, in place of those of the same name. */
export function withVariables(entries: readonly string[], variables: readonly Variable[]): string[] {
  const names = new Set(variables.map(({ name }) => name));
  const nameOf = (entry: string) => entry.slice(0, entry.indexOf("="));
  return [
    ...entries.filter((entry) => !names.has(nameOf(entry))),
    ...variables.map(({ name, value }) => `${name}=${value}`),
  ];
}

const RTMIN = 34;
const RTMAX = 64;

/** The number of the signal that an image names; null for none. */
export const stopSignalOf = ({ config }: ImageConfig): number | null =>
  signalNumber(config?.StopSignal ?? "");

/** The number of a signal by name, with or without SIG, or by its number; null for what is none. */
export function signalNumber(signal: string): number | null {
  const text = signal.trim().toUpperCase();
  const name = text.startsWith("SIG") ? text : `SIG${text}`;
  const [, base, sign, offset] = /^SIG(RTMIN|RTMAX)(?:([+-])(\d{1,2}))?$/.exec(name) ?? [];
  const number =
    base !== undefined
      ? (base === "RTMIN" ? RTMIN : RTMAX) + Number(`${sign ?? ""}${offset ?? 0}`)
      : /^\d{1,2}$/.test(text)
        ? Number(text)
        : (constants.signals as Readonly<Record<string, number>>)[name];
  return number !== undefined && number >= 1 && number <= RTMAX ? number : null;
}

const PORTS_MAX = 64;

/** `80/tcp`, of what the image says that it listens on. */
export const exposedPortsOf = ({ config }: ImageConfig): string[] =>
  Object.keys(config?.ExposedPorts ?? {})
    .map((port) => (port.includes("/") ? port : `${port}/tcp`))
    .filter((port) => /^[0-9]{1,5}\/(tcp|udp|sctp)$/.test(port))
    .slice(0, PORTS_MAX);

/** A report has room for so much of them. */
const LABELS_CHARS_MAX = 2_048;

/** The image's labels, as many as a report has room for. */
export function labelsOf({ config }: ImageConfig): Record<string, string> {
  let chars = 0;
  return Object.fromEntries(
    Object.entries(config?.Labels ?? {}).filter(([name, value]) => {
      chars += JSON.stringify(name).length + JSON.stringify(value).length;
      return chars <= LABELS_CHARS_MAX;
    }),
  );
}
