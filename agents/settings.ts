import { isIPv4 } from "node:net";
import { isAbsolute } from "node:path";
import { SERVER_NAME } from "../schemas/subjects.ts";
import { requireDistinctPorts } from "../system/distinct-ports.ts";
import { type MetricsAddress, readMetricsAddress } from "../system/metrics-server.ts";
import { isNatsUrl } from "../system/nats-url.ts";
import { SettingError } from "../system/setting-error.ts";
import { readTrustedProxies, type TrustedProxies } from "../system/trusted-proxies.ts";
import type { DriverKind } from "./containers/choose.ts";
import type { RegistrySettings } from "./containers/images/registries.ts";
import { BYTES_PER_MEGABYTE, DEFAULT_LIMITS, type Limits, type SliceLimits } from "./containers/limits.ts";
import { RUNTIME_NAMES } from "./containers/oci/runtime-program.ts";
import type { RootImageName } from "./containers/root-image.ts";
import { AddressPool, isNetwork } from "./network/addresses.ts";

/** Resolvers ask at most three name servers. */
const DNS_MAX = 3;
/** Each is a rule that packets of all containers pass. */
const DENIED_MAX = 64;

export interface Settings {
  readonly natsUrl: string;
  readonly server: string;
  /** The agent's own folder. */
  readonly data: string;
  readonly driver: DriverKind | undefined;
  /** The name or the path of an OCI runtime; undefined: crun. */
  readonly runtime: string | undefined;
  readonly subnet: string | undefined;
  readonly limits: Limits;
  /** Name servers for containers; none: the host's. */
  readonly dns: readonly string[];
  /** Networks that containers cannot reach, in CIDR form. */
  readonly denied: readonly string[];
  /** The limit of tracked connections of a container; undefined: a share of the host's table. */
  readonly connections: number | undefined;
  /** The registries and mirrors of images. */
  readonly registries: RegistrySettings;
  /** The root file system of new containers without an image; null: the host's own programs. */
  readonly rootImage: RootImageName | null;
  /** The mirror of Debian's packages. */
  readonly debianMirror: string;
  /**
   * Whether containers keep running when the agent stops, as on a host, or end with it, as on a developer's machine.
   */
  readonly atEnd: "leave" | "stop";
  readonly edge: EdgeSettings;
  readonly terminal: TerminalSettings;
  /** How many days the means of what the host and its containers have used are kept. */
  readonly keepMetricsDays: number;
  /** The address of `/health` and `/metrics`, if they are served. */
  readonly metrics: MetricsAddress | undefined;
}

/** The settings of the edge. */
export interface EdgeSettings {
  /** 0: any free port. */
  readonly httpsPort: number;
  readonly httpPort: number;
  /** The port of https for clients, where a front has it instead of the edge. */
  readonly publicHttpsPort: number | undefined;
  readonly hostname: string;
  readonly containerDomain: string;
  /** How many days a name's access log is kept after its last request. */
  readonly keepLogsDays: number;
  /** Certificate chain and key in PEM for `*.<server>.<domain>`; null: a certificate from a local authority. */
  readonly certificate: { readonly cert: string; readonly key: string } | null;
  readonly proxies: TrustedProxies;
}

/** The settings of containers' terminals. */
export interface TerminalSettings {
  /** Whether addresses may add arguments to the shell (`arg`). */
  readonly urlArg: boolean;
  /** The command of sessions whose address names no shell; by default the user's login shell. */
  readonly startupCommand?: readonly string[];
}

const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Reads the agent's settings: `NATS_URL`, `BERTH_SERVER_NAME`, `BERTH_DATA`, and optionally `BERTH_DRIVER`, `BERTH_RUNTIME`,
 * `BERTH_CONTAINER_SUBNET`, `BERTH_CONTAINER_CPUS`, `BERTH_CONTAINER_MEMORY_MB`, `BERTH_CONTAINER_DISK_MB`, `BERTH_CONTAINER_FILES`, `BERTH_CONTAINER_BANDWIDTH_MBPS`, `BERTH_PROJECT_CPUS`, `BERTH_PROJECT_MEMORY_MB`, `BERTH_PROJECT_PROCESSES`, `BERTH_PROJECT_DISK_MB_PER_SECOND`, `BERTH_CONTAINER_DNS`, `BERTH_CONTAINER_DENY`, `BERTH_CONTAINER_CONNECTIONS`,
 * `BERTH_LOCAL_REGISTRIES`, `BERTH_REGISTRY_MIRRORS`, `BERTH_REGISTRY_CREDENTIALS`, `BERTH_ROOT_IMAGE`, `BERTH_DEBIAN_MIRROR`, `BERTH_AT_END`, `BERTH_CONTAINER_DOMAIN`, `BERTH_EDGE_PORT`, `BERTH_EDGE_HTTP_PORT`, `BERTH_EDGE_PUBLIC_PORT`, `BERTH_EDGE_LISTEN`,
 * `BERTH_EDGE_CERT` with `BERTH_EDGE_KEY`, `BERTH_TERMINAL_URL_ARG`, `BERTH_TERMINAL_COMMAND`, `BERTH_KEEP_METRICS_DAYS`, `BERTH_KEEP_ACCESS_LOGS_DAYS`, and `BERTH_METRICS_PORT` with `BERTH_METRICS_LISTEN`.
 *
 * @throws SettingError
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const driver = env.BERTH_DRIVER || undefined;
  if (driver !== undefined && driver !== "oci" && driver !== "process") {
    throw new SettingError(`BERTH_DRIVER is ${JSON.stringify(driver)}: it can be oci or process`);
  }
  const atEnd = env.BERTH_AT_END || "leave";
  if (atEnd !== "leave" && atEnd !== "stop") {
    throw new SettingError(`BERTH_AT_END is ${JSON.stringify(atEnd)}: it can be leave or stop`);
  }
  const dns = (env.BERTH_CONTAINER_DNS ?? "").split(",").filter((address) => address !== "");
  const wrong = dns.find((address) => !isIPv4(address) || address.startsWith("127."));
  if (wrong !== undefined || dns.length > DNS_MAX) {
    throw new SettingError(
      `BERTH_CONTAINER_DNS: give up to ${DNS_MAX} IPv4 addresses, separated by commas; 127.* is the container itself`,
    );
  }
  const denied = deniedNetworks(env.BERTH_CONTAINER_DENY);
  const odd = denied.find((network) => !isNetwork(network));
  if (odd !== undefined || denied.length > DENIED_MAX) {
    throw new SettingError(
      `BERTH_CONTAINER_DENY: give up to ${DENIED_MAX} IPv4 networks such as 10.0.0.0/8, separated by commas, or none`,
    );
  }
  const rootImage = env.BERTH_ROOT_IMAGE || "host";
  if (rootImage !== "host" && rootImage !== "debian13") {
    throw new SettingError(`BERTH_ROOT_IMAGE is ${JSON.stringify(rootImage)}: it can be host or debian13`);
  }
  const debianMirror = env.BERTH_DEBIAN_MIRROR || "http://deb.debian.org/debian";
  if (!URL.canParse(debianMirror) || !["http:", "https:"].includes(new URL(debianMirror).protocol)) {
    throw new SettingError("BERTH_DEBIAN_MIRROR has another form than http://host/path");
  }
  const server = required(env, "BERTH_SERVER_NAME", "this host's name, such as node-1");
  if (!SERVER_NAME.test(server)) {
    throw new SettingError(
      `BERTH_SERVER_NAME is ${JSON.stringify(server)}: a-z, 0-9 and hyphens are its form`,
    );
  }
  const form =
    "nats://<host>:<port>?creds=<file>, as berth agent join writes it, or nats://agent-<server>:<password>@<host>:<port>";
  const natsUrl = required(env, "NATS_URL", form);
  if (!isNatsUrl(natsUrl)) {
    throw new SettingError(`NATS_URL has another form than ${form}`);
  }
  const edge = readEdgeSettings(env);
  const metrics = readMetricsAddress(env);
  requireDistinctPorts({
    BERTH_EDGE_PORT: edge.httpsPort,
    BERTH_EDGE_HTTP_PORT: edge.httpPort,
    BERTH_METRICS_PORT: metrics?.port,
  });
  return {
    natsUrl,
    server,
    data: required(env, "BERTH_DATA", "the agent's own folder, such as .berth/agent"),
    driver,
    runtime: readRuntime(env),
    subnet: readSubnet(env.BERTH_CONTAINER_SUBNET),
    limits: readLimits(env),
    dns,
    denied,
    connections: env.BERTH_CONTAINER_CONNECTIONS
      ? Math.floor(number(env, "BERTH_CONTAINER_CONNECTIONS", 0, 16, 65_536))
      : undefined,
    registries: readRegistrySettings(env),
    rootImage: rootImage === "host" ? null : rootImage,
    debianMirror,
    atEnd,
    edge,
    terminal: readTerminalSettings(env),
    keepMetricsDays: Math.floor(number(env, "BERTH_KEEP_METRICS_DAYS", 31, 1, 366)),
    metrics,
  };
}

/** Networks that are nobody's in the world: an operator's own machines are there, and those of providers. */
export const PRIVATE_NETWORKS = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"];

/** The private networks, unless the operator names others; `none` opens all. */
const deniedNetworks = (text: string | undefined): readonly string[] =>
  text === "none" ? [] : text ? text.split(",").filter((network) => network !== "") : PRIVATE_NETWORKS;

/** @throws SettingError for anything but the first address of a network with its prefix */
function readSubnet(text: string | undefined): string | undefined {
  if (!text) return undefined;
  try {
    return new AddressPool(text).subnet;
  } catch (cause) {
    throw new SettingError(`BERTH_CONTAINER_SUBNET: ${(cause as Error).message}`, { cause });
  }
}

/** The OCI runtime that the operator wants: its name or its path. @throws SettingError */
export function readRuntime({ BERTH_RUNTIME: text }: Readonly<Record<string, string | undefined>>) {
  if (!text) return undefined;
  if (isAbsolute(text) || RUNTIME_NAMES.some((name) => name === text)) return text;
  throw new SettingError(
    `BERTH_RUNTIME is ${JSON.stringify(text)}: it can be ${RUNTIME_NAMES.join(", ")}, or the path of one of them`,
  );
}

/** A limit that is set is also the most that a container may ask for; otherwise it may ask for what the host has. */
function readLimits(env: Readonly<Record<string, string | undefined>>): Limits {
  const { cpus, memoryBytes, diskMegabytes, files } = DEFAULT_LIMITS;
  const memoryMegabytes = Math.floor(memoryBytes / BYTES_PER_MEGABYTE);
  const limits = {
    cpus: number(env, "BERTH_CONTAINER_CPUS", cpus, 0.1, 1_024),
    memoryBytes:
      Math.floor(number(env, "BERTH_CONTAINER_MEMORY_MB", memoryMegabytes, 16, 1_000_000_000)) *
      BYTES_PER_MEGABYTE,
    diskMegabytes: Math.ceil(number(env, "BERTH_CONTAINER_DISK_MB", diskMegabytes, 64, 1_000_000_000)),
  };
  return {
    ...limits,
    // A Debian of its own has some ten thousand.
    files: Math.floor(number(env, "BERTH_CONTAINER_FILES", files, 20_000, 1_000_000_000)),
    bandwidthMbps: env.BERTH_CONTAINER_BANDWIDTH_MBPS
      ? Math.floor(number(env, "BERTH_CONTAINER_BANDWIDTH_MBPS", 0, 1, 10_000_000))
      : null,
    slice: readSliceLimits(env),
    most: {
      ...(env.BERTH_CONTAINER_CPUS ? { cpus: limits.cpus } : {}),
      ...(env.BERTH_CONTAINER_MEMORY_MB ? { memoryBytes: limits.memoryBytes } : {}),
      ...(env.BERTH_CONTAINER_DISK_MB ? { diskMegabytes: limits.diskMegabytes } : {}),
    },
  };
}

/** What the containers of a project may take together. */
function readSliceLimits(env: Readonly<Record<string, string | undefined>>): SliceLimits {
  const { memoryBytes, processes } = DEFAULT_LIMITS.slice;
  const megabytes = (name: string, standard: number, min: number) =>
    Math.floor(number(env, name, standard, min, 1_000_000_000)) * BYTES_PER_MEGABYTE;
  return {
    cpus: env.BERTH_PROJECT_CPUS ? number(env, "BERTH_PROJECT_CPUS", 0, 0.1, 1_024) : null,
    memoryBytes: megabytes("BERTH_PROJECT_MEMORY_MB", Math.floor(memoryBytes / BYTES_PER_MEGABYTE), 16),
    processes: Math.floor(number(env, "BERTH_PROJECT_PROCESSES", processes, 16, 4_194_304)),
    diskBytesPerSecond: env.BERTH_PROJECT_DISK_MB_PER_SECOND
      ? megabytes("BERTH_PROJECT_DISK_MB_PER_SECOND", 0, 1)
      : null,
  };
}

/** `https://registry.lan:5000`, and for mirrors the registry before it: `docker.io=https://mirror.lan`. */
function readRegistrySettings(env: Readonly<Record<string, string | undefined>>): RegistrySettings {
  const listed = (name: string) => (env[name] ?? "").split(",").filter((one) => one !== "");
  const local = listed("BERTH_LOCAL_REGISTRIES").map((text) => registryUrl("BERTH_LOCAL_REGISTRIES", text));
  const mirrors = listed("BERTH_REGISTRY_MIRRORS").map((text) => {
    const [registry = "", url = ""] = [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)];
    if (!REGISTRY_HOST.test(registry))
      throw new SettingError(
        "BERTH_REGISTRY_MIRRORS: give registry=URL, such as docker.io=https://mirror.lan, separated by commas",
      );
    return { registry, url: registryUrl("BERTH_REGISTRY_MIRRORS", url) };
  });
  return {
    local: new Map(local.map((url) => [url.host, url])),
    mirrors: new Map(
      [...Map.groupBy(mirrors, ({ registry }) => registry)].map(([registry, own]) => [
        registry,
        own.map(({ url }) => url),
      ]),
    ),
    credentialsFile: env.BERTH_REGISTRY_CREDENTIALS || null,
  };
}

const REGISTRY_HOST = /^[a-z0-9][a-z0-9.-]*(:[0-9]{1,5})?$/;

function registryUrl(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.username !== "" || url.search !== "")
    throw new SettingError(`${name}: ${JSON.stringify(text)} has another form than https://host:port`);
  return url;
}

function readEdgeSettings(env: Readonly<Record<string, string | undefined>>): EdgeSettings {
  const containerDomain = env.BERTH_CONTAINER_DOMAIN || "berth.localhost";
  if (containerDomain.length > 200 || !DOMAIN.test(containerDomain)) {
    throw new SettingError(
      `BERTH_CONTAINER_DOMAIN is ${JSON.stringify(containerDomain)}: a-z, 0-9, hyphens and dots are its form`,
    );
  }
  const [cert, key] = [env.BERTH_EDGE_CERT || null, env.BERTH_EDGE_KEY || null];
  if ((cert === null) !== (key === null))
    throw new SettingError("BERTH_EDGE_CERT and BERTH_EDGE_KEY go together");
  return {
    httpsPort: Math.floor(number(env, "BERTH_EDGE_PORT", 8_443, 0, 65_535)),
    httpPort: Math.floor(number(env, "BERTH_EDGE_HTTP_PORT", 8_080, 0, 65_535)),
    publicHttpsPort: env.BERTH_EDGE_PUBLIC_PORT
      ? Math.floor(number(env, "BERTH_EDGE_PUBLIC_PORT", 443, 1, 65_535))
      : undefined,
    hostname: env.BERTH_EDGE_LISTEN || "0.0.0.0",
    containerDomain,
    keepLogsDays: Math.floor(number(env, "BERTH_KEEP_ACCESS_LOGS_DAYS", 30, 1, 366)),
    certificate: cert === null || key === null ? null : { cert, key },
    proxies: readTrustedProxies(env),
  };
}

function readTerminalSettings(env: Readonly<Record<string, string | undefined>>): TerminalSettings {
  const urlArg = env.BERTH_TERMINAL_URL_ARG || "0";
  if (urlArg !== "0" && urlArg !== "1")
    throw new SettingError(`BERTH_TERMINAL_URL_ARG is ${JSON.stringify(urlArg)}: it can be 0 or 1`);
  const command = (env.BERTH_TERMINAL_COMMAND ?? "").split(/\s+/).filter((word) => word !== "");
  return { urlArg: urlArg === "1", ...(command.length > 0 ? { startupCommand: command } : {}) };
}

function number(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  standard: number,
  min: number,
  max: number,
): number {
  const text = env[name] || String(standard);
  const value = /^[0-9]{1,10}(\.[0-9]{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new SettingError(`${name} is ${JSON.stringify(text)}: it can be a number from ${min} to ${max}`);
}

function required(env: Readonly<Record<string, string | undefined>>, name: string, meaning: string): string {
  const value = env[name];
  if (!value) throw new SettingError(`${name} is not set: ${meaning}`);
  return value;
}
