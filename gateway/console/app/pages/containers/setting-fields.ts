import type { components } from "../../../../../client/index.ts";
import type { Values } from "../../lib/values.ts";
import { linesOf, pairsOf } from "./lines.ts";
import { readWords, writeWords } from "./words.ts";

type Schemas = components["schemas"];
type Settings = Schemas["UpdateContainer"];
type Container = Schemas["Container"];

const MEBIBYTE = 1024 * 1024;

/** The settings of a container as the fields of a form, all of them text. */
export function fieldsOf(container: Container): Record<string, string> {
  const { name, command, args, env, ports, resources, restart_policy, labels } = container;
  const mebibytes = (bytes: number | null) => (bytes === null ? "" : String(bytes / MEBIBYTE));
  return {
    name,
    command: writeWords(command),
    args: writeWords(args),
    env: linesOf(env.filter(({ secret }) => !secret).map(({ name, value = "" }) => [name, value])),
    secrets: linesOf(env.filter(({ secret }) => secret).map(({ name }) => [name, KEPT])),
    ports: ports
      .map(({ name, port, protocol }) => `${name}=${port}${protocol === "http" ? "" : `/${protocol}`}`)
      .join("\n"),
    memory: mebibytes(resources.memory_bytes),
    disk: mebibytes(resources.disk_bytes),
    cores: resources.cpu_cores === null ? "" : String(resources.cpu_cores),
    bandwidth: resources.bandwidth_mbps ? String(resources.bandwidth_mbps) : "",
    restart: restart_policy.name,
    retries: restart_policy.max_retries === null ? "" : String(restart_policy.max_retries),
    grace: String(container.stop_grace_seconds),
    signal: container.stop_signal ?? "",
    ...healthFields(container.health_check),
    labels: linesOf(Object.entries(labels)),
  };
}

const HEALTH_SECONDS = {
  health_interval: "interval_seconds",
  health_timeout: "timeout_seconds",
  health_start: "start_period_seconds",
  health_retries: "retries",
} as const;

const healthFields = (check: Container["health_check"]) => ({
  health: writeWords(check.command),
  health_off: check.enabled ? "" : "on",
  health_restart: check.restart ? "on" : "",
  ...Object.fromEntries(
    Object.entries(HEALTH_SECONDS).map(([field, name]) => [field, String(check[name] ?? "")]),
  ),
});

/** Stands for the value that a secret has, which nobody can read. */
const KEPT = "•••";

/** The fields of a form to which refusals of settings belong, by the API's names. */
export const FIELD_OF_SETTING: Readonly<Record<string, string>> = {
  "resources.memory_bytes": "memory",
  "resources.disk_bytes": "disk",
  "resources.cpu_cores": "cores",
  "resources.bandwidth_mbps": "bandwidth",
  "restart_policy.max_retries": "retries",
  stop_grace_seconds: "grace",
  stop_signal: "signal",
  "health_check.command": "health",
};

type Reader = (values: Values) => Settings;

/** The fields that a setting is made of, and the setting. */
const SETTINGS: readonly (readonly [readonly string[], Reader])[] = [
  [["name"], ({ name = "" }) => ({ name })],
  [["command"], ({ command = "" }) => ({ command: readWords(command) })],
  [["args"], ({ args = "" }) => ({ args: readWords(args) })],
  [["env", "secrets"], ({ env = "", secrets = "" }) => ({ env: variablesOf(env, secrets) })],
  [["ports"], ({ ports = "" }) => ({ ports: portsOf(ports) })],
  [
    ["memory", "cores", "disk", "bandwidth"],
    ({ memory = "", cores = "", disk = "", bandwidth = "" }) => ({
      resources: {
        memory_bytes: bytesOf(memory),
        disk_bytes: bytesOf(disk),
        cpu_cores: cores === "" ? null : Number(cores),
        bandwidth_mbps: bandwidth === "" ? null : Number(bandwidth),
      },
    }),
  ],
  [
    ["restart", "retries"],
    ({ restart = "", retries = "" }) => ({
      restart_policy: {
        name: restart as Schemas["RestartPolicyName"],
        ...(retries === "" || restart !== "on-failure" ? {} : { max_retries: Number(retries) }),
      },
    }),
  ],
  [["grace"], ({ grace = "" }) => ({ stop_grace_seconds: Number(grace) })],
  [["signal"], ({ signal = "" }) => ({ stop_signal: signal === "" ? null : signal })],
  [
    ["health", "health_off", "health_restart", ...Object.keys(HEALTH_SECONDS)],
    (values) => ({
      health_check: {
        enabled: !values.health_off,
        command: readWords(values.health ?? ""),
        restart: values.health_restart === "on",
        ...Object.fromEntries(
          Object.entries(HEALTH_SECONDS).map(([field, name]) => [
            name,
            values[field] ? Number(values[field]) : null,
          ]),
        ),
      },
    }),
  ],
  [["labels"], ({ labels = "" }) => ({ labels: Object.fromEntries(pairsOf(labels)) })],
];

/** The settings whose fields were changed: nothing else is sent, so that nothing else can change. */
export function changesOf(before: Values, values: Values): Settings {
  const changed = SETTINGS.filter(([fields]) =>
    fields.some((field) => (values[field] ?? "") !== (before[field] ?? "")),
  );
  return Object.assign({}, ...changed.map(([, read]) => read(values)));
}

/** The settings of a new container: those that were filled in. */
export const settingsOf = (values: Values) =>
  changesOf({ restart: "", grace: "" }, values) as Omit<Settings, "name">;

const bytesOf = (mebibytes: string): number | null =>
  mebibytes === "" ? null : Math.round(Number(mebibytes) * MEBIBYTE);

const variablesOf = (env: string, secrets: string) => [
  ...pairsOf(env).map(([name, value]) => ({ name, value })),
  ...pairsOf(secrets).map(([name, value]) =>
    value === KEPT ? { name, secret: true as const } : { name, value, secret: true as const },
  ),
];

const portsOf = (text: string) =>
  pairsOf(text).map(([name, value]) => {
    const [port = "", protocol] = value.split("/");
    return {
      name,
      port: Number(port),
      ...(protocol === undefined ? {} : { protocol: protocol as Schemas["ContainerPort"]["protocol"] }),
    };
  });
