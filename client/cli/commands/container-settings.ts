import { Option } from "@commander-js/extra-typings";
import { bytesIn, secondsIn } from "../../compose/units.ts";
import type { CreateContainer, UpdateContainer } from "../../index.ts";
import { UsageError } from "../failures.ts";
import type { Io } from "../io.ts";
import { count } from "../read.ts";

/** What a container is created with, and what may be changed later: the same options for both. */

export interface SettingOptions {
  readonly env?: string[];
  readonly secret?: string[];
  readonly port?: string[];
  readonly label?: string[];
  readonly cpu?: string;
  readonly memory?: string;
  readonly disk?: string;
  readonly bandwidth?: string;
  readonly restart?: string;
  readonly stopSignal?: string;
  readonly stopGrace?: string;
  readonly healthCommand?: string;
  readonly healthInterval?: string;
  readonly healthTimeout?: string;
  readonly healthStartPeriod?: string;
  readonly healthRetries?: string;
  readonly healthRestart?: true;
  /** False: `--no-health`. */
  readonly health?: boolean;
}

const OPTIONS = [
  ["-e, --env <name=value...>", "variables of its programs"],
  ["--secret <name...>", "variables whose values are taken from yours here, and are never shown again"],
  ["-p, --port <name:port...>", "names of ports, such as web:80 or api:8443/https, for aliases"],
  ["-l, --label <name=value...>", "labels of your own"],
  ["--cpu <cores>", "processor cores at most, such as 0.5"],
  ["--memory <size>", "memory at most, such as 256M or 2G"],
  ["--disk <size>", "disk at most, such as 10G"],
  ["--bandwidth <mbps>", "megabits per second at most, each way, such as 100"],
  ["--restart <policy>", "no, on-failure, on-failure:5, always or unless-stopped"],
  ["--stop-signal <signal>", "by which its program is asked to end, such as QUIT"],
  ["--stop-grace <time>", "how long it may take to end, such as 10s or 1m"],
  ["--health-command <line>", "a shell line whose status 0 says that its program works"],
  ["--health-interval <time>", "the pause before each check, such as 30s"],
  ["--health-timeout <time>", "a check that takes longer has failed"],
  ["--health-start-period <time>", "how long after a start failed checks do not count"],
  ["--health-retries <count>", "so many failures in a row make it unhealthy"],
  ["--health-restart", "restart it when it becomes unhealthy"],
  ["--no-health", "no check, also not that of the image"],
] as const;

/** Adds the options of `SettingOptions`. */
export function withSettings<Adding extends { addOption(option: Option): unknown }>(command: Adding): Adding {
  for (const [flags, description] of OPTIONS) command.addOption(new Option(flags, description));
  return command;
}

type Settings = Pick<
  CreateContainer & UpdateContainer,
  | "env"
  | "ports"
  | "labels"
  | "resources"
  | "restart_policy"
  | "stop_signal"
  | "stop_grace_seconds"
  | "health_check"
>;

/** The fields of the API. @throws UsageError */
export function settingsOf(env: Io["env"], options: SettingOptions): Settings {
  const resources = {
    ...(options.cpu === undefined ? {} : { cpu_cores: cores(options.cpu) }),
    ...(options.memory === undefined ? {} : { memory_bytes: bytesOf(options.memory) }),
    ...(options.disk === undefined ? {} : { disk_bytes: bytesOf(options.disk) }),
    ...(options.bandwidth === undefined ? {} : { bandwidth_mbps: count(options.bandwidth, 1) }),
  };
  const variables = [
    ...(options.env ?? []).map(pair).map(([name, value]) => ({ name, value })),
    ...(options.secret ?? []).map((name) => ({ name, value: secretOf(env, name), secret: true })),
  ];
  const health = healthOf(options);
  return {
    ...(variables.length === 0 ? {} : { env: variables }),
    ...(options.port === undefined ? {} : { ports: options.port.map(portOf) }),
    ...(options.label === undefined ? {} : { labels: Object.fromEntries(options.label.map(pair)) }),
    ...(Object.keys(resources).length === 0 ? {} : { resources }),
    ...(options.restart === undefined ? {} : { restart_policy: policyOf(options.restart) }),
    ...(options.stopSignal === undefined ? {} : { stop_signal: signalOf(options.stopSignal) }),
    ...(options.stopGrace === undefined ? {} : { stop_grace_seconds: secondsOf(options.stopGrace) }),
    ...(Object.keys(health).length === 0 ? {} : { health_check: health }),
  };
}

const signalOf = (text: string): string => text.toUpperCase().replace(/^(?!SIG)/, "SIG");

/** What is left out is the image's. */
function healthOf(options: SettingOptions): NonNullable<CreateContainer["health_check"]> {
  const seconds = (name: string, text: string | undefined) =>
    text === undefined ? {} : { [name]: secondsOf(text) };
  return {
    ...(options.healthCommand === undefined ? {} : { command: ["sh", "-c", options.healthCommand] }),
    ...seconds("interval_seconds", options.healthInterval),
    ...seconds("timeout_seconds", options.healthTimeout),
    ...seconds("start_period_seconds", options.healthStartPeriod),
    ...(options.healthRetries === undefined ? {} : { retries: count(options.healthRetries, 1) }),
    ...(options.healthRestart ? { restart: true } : {}),
    ...(options.health === false ? { enabled: false } : {}),
  };
}

/** `1m30s` in whole seconds. @throws UsageError */
function secondsOf(text: string): number {
  const seconds = secondsIn(text);
  if (seconds === undefined) throw new UsageError(`"${text}" is not a time such as 10s or 1m30s`);
  return seconds;
}

function pair(text: string): [name: string, value: string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`"${text}" is not of the form NAME=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Not from the command line, which everybody on the machine can read. */
function secretOf(env: Io["env"], name: string): string {
  const value = env[name];
  if (value === undefined)
    throw new UsageError(`set ${name} in your environment: --secret takes its value from there`);
  return value;
}

const PROTOCOLS = ["http", "https", "ssh", "tcp", "udp"] as const;
const PORT_MAX = 65_535;

function portOf(text: string) {
  const [, name = "", port = "", protocol] = /^([^:/]+):(\d+)(?:\/(\w+))?$/.exec(text) ?? [];
  if (name === "") throw new UsageError(`"${text}" is not a port such as web:80 or api:8443/https`);
  const known = PROTOCOLS.find((one) => one === protocol);
  if (protocol !== undefined && known === undefined)
    throw new UsageError(`"${protocol}" is none of ${PROTOCOLS.join(", ")}`);
  return { name, port: count(port, 1, PORT_MAX), ...(known === undefined ? {} : { protocol: known }) };
}

const POLICIES = ["no", "on-failure", "always", "unless-stopped"] as const;

function policyOf(text: string) {
  const [given = "", retries] = text.split(":");
  const name = POLICIES.find((one) => one === given);
  if (name === undefined) throw new UsageError(`"${text}" is none of ${POLICIES.join(", ")}`);
  return { name, ...(retries === undefined ? {} : { max_retries: count(retries) }) };
}

function cores(text: string): number {
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(text))
    throw new UsageError(`"${text}" is not a number of cores such as 0.5`);
  return Number(text);
}

/** `256M` in bytes. @throws UsageError */
export function bytesOf(text: string): number {
  const bytes = bytesIn(text);
  if (bytes === undefined) throw new UsageError(`"${text}" is not a size such as 256M or 2G`);
  return bytes;
}
