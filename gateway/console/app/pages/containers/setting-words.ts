import type { components } from "../../../../../client/index.ts";
import { option, options, quote, sizeWord } from "../../lib/commands.ts";

type Schemas = components["schemas"];
type Settings = Schemas["UpdateContainer"];
type Volume = NonNullable<Schemas["CreateContainer"]["volumes"]>[number];
type Words = { readonly [Name in keyof Settings]?: (value: NonNullable<Settings[Name]>) => string[] };

/** The options of `berth containers create` and `update` for each setting. */
const WORDS: Words = {
  name: (name) => option("name", name),
  env(env) {
    // The form sends a list, and not names with values.
    const variables = Array.isArray(env) ? env : [];
    return [
      ...options(
        "env",
        variables.filter(({ secret }) => !secret).map(({ name, value }) => `${name}=${value}`),
      ),
      // The value is taken from the environment of the command.
      ...options(
        "secret",
        variables.filter(({ secret }) => secret).map(({ name }) => name),
      ),
    ];
  },
  ports: (ports) =>
    options(
      "port",
      ports.map(({ name, port, protocol }) => `${name}:${port}${protocol ? `/${protocol}` : ""}`),
    ),
  labels: (labels) =>
    options(
      "label",
      Object.entries(labels).map(([key, value]) => `${key}=${value}`),
    ),
  resources: ({ cpu_cores, memory_bytes, disk_bytes, bandwidth_mbps }) => [
    ...option("cpu", cpu_cores),
    ...option("memory", sizeWord(memory_bytes)),
    ...option("disk", sizeWord(disk_bytes)),
    ...option("bandwidth", bandwidth_mbps),
  ],
  restart_policy: ({ name, max_retries }) =>
    option("restart", `${name}${max_retries ? `:${max_retries}` : ""}`),
  stop_signal: (signal) => option("stop-signal", signal),
  stop_grace_seconds: (seconds) => option("stop-grace", secondsWord(seconds)),
  health_check: (check) => [
    ...option("health-command", shellLine(check.command ?? [])),
    ...option("health-interval", secondsWord(check.interval_seconds)),
    ...option("health-timeout", secondsWord(check.timeout_seconds)),
    ...option("health-start-period", secondsWord(check.start_period_seconds)),
    ...option("health-retries", check.retries),
    ...(check.restart ? ["--health-restart"] : []),
    ...(check.enabled === false ? ["--no-health"] : []),
  ],
};

const secondsWord = (seconds: number | null | undefined): string => (seconds == null ? "" : `${seconds}s`);

/** The command line takes a line for a shell, the API a program with its arguments. */
function shellLine(command: readonly string[]): string {
  const [shell, flag, line] = command;
  return shell === "sh" && flag === "-c" && command.length === 3
    ? (line ?? "")
    : command.map(quote).join(" ");
}

/** The options for these settings; null where one of them has none, such as a limit that is taken away. */
export function settingWords(settings: Settings): string[] | null {
  const words = Object.entries(settings).map(([name, value]) =>
    value === null
      ? []
      : ((WORDS[name as keyof Settings] as ((value: unknown) => string[]) | undefined)?.(value) ?? []),
  );
  return words.every((some) => some.length > 0) ? words.flat() : null;
}

/** The options for volumes. */
export const volumeWords = (volumes: readonly Volume[]): string[] =>
  options(
    "volume",
    volumes.map(({ share_id, path, read_only }) => `${share_id}:${path}${read_only ? ":ro" : ""}`),
  );
