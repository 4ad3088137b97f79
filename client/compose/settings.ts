import type { CreateContainer } from "../index.ts";
import type { ComposeDocument, Fields, Path } from "./document.ts";
import { isFields } from "./document.ts";
import { assertKeys, listOf, numberOf, secondsOf, sizeOf, textOf, truthOf, wordsOf } from "./values.ts";

type Setting<Key extends keyof CreateContainer> = Required<CreateContainer>[Key];
type Port = Setting<"ports">[number];

export interface WantedVolume {
  readonly share: string;
  readonly path: string;
  readonly read_only: boolean;
  /** Where it stands in the file. */
  readonly at: Path;
}

const PORT_KEYS = ["name", "target", "published", "protocol", "app_protocol"];
const PROTOCOLS = ["http", "https", "ssh", "tcp", "udp"] as const;
const PORT_MAX = 65_535;

/** Names for ports. A port of the host in front of the container's is not opened: an alias or a forwarded port takes its place. */
export function portsOf(file: ComposeDocument, value: unknown, path: Path): Port[] {
  return listOf(file, value, path).map((one, index) => {
    const where = [...path, index];
    const fields = isFields(one) ? assertKeys(file, one, where, PORT_KEYS) : shortPort(file, one, where);
    const port = numberOf(file, fields.target, where);
    if (!Number.isInteger(port) || port < 1 || port > PORT_MAX)
      throw file.fault(where, `${port} is not a port`);
    const given = fields.app_protocol ?? (fields.protocol === "udp" ? "udp" : "http");
    const protocol = PROTOCOLS.find((known) => known === given);
    if (protocol === undefined)
      throw file.fault(where, `${String(given)} is none of ${PROTOCOLS.join(", ")}`);
    const name = fields.name === undefined ? `port-${port}` : textOf(file, fields.name, where);
    return { name, port, protocol };
  });
}

function shortPort(file: ComposeDocument, value: unknown, path: Path): Fields {
  const text = textOf(file, value, path);
  const [, target, protocol] = /^(?:[\d.]+:)?(?:\d*:)?(\d+)(?:\/(tcp|udp))?$/.exec(text) ?? [];
  if (target === undefined)
    throw file.fault(path, `"${text}" is not a port such as 80 or 8080:80; ranges are not supported`);
  return { target, ...(protocol === undefined ? {} : { protocol }) };
}

/** Storage shares by their names; folders of a machine are not mounted. */
export function volumesOf(file: ComposeDocument, value: unknown, path: Path): WantedVolume[] {
  return listOf(file, value, path).map((one, index) => {
    const at = [...path, index];
    if (isFields(one)) {
      const { type, source, target, read_only } = assertKeys(file, one, at, [
        "type",
        "source",
        "target",
        "read_only",
      ]);
      if (type !== undefined && type !== "volume")
        throw file.fault([...at, "type"], "only volumes are mounted");
      return {
        share: textOf(file, source, at),
        path: textOf(file, target, at),
        read_only: read_only === undefined ? false : truthOf(file, read_only, [...at, "read_only"]),
        at,
      };
    }
    const text = textOf(file, one, at);
    const [, share = "", target = "", mode] = /^([^:./~][^:/]*):(\/[^:]*)(?::(ro|rw))?$/.exec(text) ?? [];
    if (share === "")
      throw file.fault(
        at,
        `"${text}" is not a volume such as data:/srv or data:/srv:ro; folders of a machine are not mounted`,
      );
    return { share, path: target, read_only: mode === "ro", at };
  });
}

/** `deploy.resources.limits`, or the short `cpus` and `mem_limit`. */
export function resourcesOf(file: ComposeDocument, given: Fields, path: Path, diskBytes: number | null) {
  const deploy = assertKeys(file, given.deploy, [...path, "deploy"], ["resources"], {
    replicas: "a service is one container: give each a service of its own",
  });
  const where: Path = [...path, "deploy", "resources"];
  const resources = assertKeys(file, deploy.resources, where, ["limits"], {
    reservations: "only limits are kept",
  });
  const limits = assertKeys(file, resources.limits, [...where, "limits"], ["cpus", "memory"]);
  const cpus = limits.cpus ?? given.cpus;
  const memory = limits.memory ?? given.mem_limit;
  return {
    cpu_cores: cpus === undefined ? null : numberOf(file, cpus, [...where, "limits", "cpus"]),
    memory_bytes: memory === undefined ? null : sizeOf(file, memory, [...where, "limits", "memory"]),
    disk_bytes: diskBytes,
    bandwidth_mbps: null,
  };
}

const POLICIES = ["no", "on-failure", "always", "unless-stopped"] as const;

export function restartPolicyOf(file: ComposeDocument, value: unknown, path: Path) {
  // YAML 1.1 reads `no` as false.
  const text = value === undefined ? "always" : value === false ? "no" : textOf(file, value, path);
  const [given, retries] = text.split(":");
  const name = POLICIES.find((one) => one === given);
  if (name === undefined) throw file.fault(path, `"${text}" is none of ${POLICIES.join(", ")}`);
  return { name, max_retries: retries === undefined ? null : numberOf(file, retries, path) };
}

const HEALTH_KEYS = ["test", "interval", "timeout", "retries", "start_period", "disable"];

export function healthCheckOf(file: ComposeDocument, value: unknown, path: Path) {
  const given = assertKeys(file, value, path, HEALTH_KEYS);
  const seconds = (key: string) =>
    given[key] === undefined ? null : secondsOf(file, given[key], [...path, key]);
  const test = testOf(file, given.test, [...path, "test"]);
  return {
    command: test ?? [],
    enabled: given.disable !== true && test !== null,
    interval_seconds: seconds("interval"),
    timeout_seconds: seconds("timeout"),
    start_period_seconds: seconds("start_period"),
    retries: given.retries === undefined ? null : numberOf(file, given.retries, [...path, "retries"]),
    restart: false,
  };
}

/** `["CMD", …]`, `["CMD-SHELL", line]`, a line for a shell, or `["NONE"]`, which is null. */
function testOf(file: ComposeDocument, value: unknown, path: Path): string[] | null {
  if (value === undefined) return [];
  if (typeof value === "string") return ["sh", "-c", value];
  const [kind, ...words] = wordsOf(file, value, path);
  if (kind === "NONE") return null;
  if (kind === "CMD") return words;
  if (kind === "CMD-SHELL") return ["sh", "-c", words.join(" ")];
  throw file.fault(path, "begins with CMD, CMD-SHELL or NONE");
}
