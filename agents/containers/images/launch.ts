import { constants } from "node:os";
import { ContainerError } from "../driver.ts";
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

/**
 * @param command in place of the image's own
 * @throws ContainerError where there is nothing to run
 */
export function launchOf({ config }: ImageConfig, command: readonly string[]): Launch {
  const { User, Env, Entrypoint, Cmd, WorkingDir, Volumes } = config ?? {};
  const argv = [...(Entrypoint ?? []), ...(command.length > 0 ? command : (Cmd ?? []))];
  if (argv.length === 0 || argv[0] === "")
    throw new ContainerError("its image names no program to run: give the container a command");
  const env = (Env ?? []).filter((entry) => /^[^=]+=/.test(entry));
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

const RTMIN = 34;
const RTMAX = 64;

/** The number of a signal by name, with or without SIG, or by its number; null for what is none. */
export function stopSignalOf({ config }: ImageConfig): number | null {
  const text = (config?.StopSignal ?? "").trim().toUpperCase();
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
