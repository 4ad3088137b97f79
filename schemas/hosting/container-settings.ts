import { type Static, Type } from "@sinclair/typebox";
import { BANDWIDTH_MBPS_MAX, type ServerSpecs } from "../market/server.ts";
import { Nullable, OneOf, Strict } from "../primitives.ts";
import { Line, Text } from "../text.ts";
import { AskedHealthCheck } from "./health-check.ts";

/** What users choose for a container when they create it, and change by PATCH (docs/containers.md). */

/** A container's name: a DNS label, because it is the host name inside. */
export const ContainerName = Type.String({
  pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$",
  description: "1 to 63 characters of a-z, 0-9 and hyphen; the hyphen neither first nor last",
});

const Words = (description: string) => Type.Array(Text({ maxLength: 4_096 }), { maxItems: 64, description });
export const Command = Words(
  "the program and its first arguments, in place of the image's entry point; the image's own arguments are left out then. Empty: the image's own",
);
export const Args = Words(
  "arguments of `command`, or of the image's entry point in place of the image's own. Empty: the image's own",
);

/** Programs read a few dozen; the bound is for lists of containers, which show all of them. */
export const ENV_MAX = 256;
/** All names and values together, in bytes: the record goes to the host as a whole with each change. */
export const ENV_BYTES_MAX = 65_536;
export const ENV_NAME = "^[A-Za-z_][A-Za-z0-9_.-]{0,254}$";

const EnvName = Type.String({
  pattern: ENV_NAME,
  description: "1 to 255 of A-Z, a-z, 0-9, `_`, `.` and `-`; a letter or `_` first",
});
const EnvValue = Text({ maxLength: 32_768, description: "any text, also of several lines" });
const IsSecret = Type.Boolean({
  description: "true: the value is stored encrypted, and no reply, event or log has it",
});
/** Without a value, a secret keeps the one that it has. */
const envValue = { value: Type.Optional(EnvValue), secret: Type.Optional(IsSecret) };

/** The environment as a client writes it: `{"NAME": "value"}`, or a list. */
export const Env = Type.Union(
  [
    Type.Array(Strict({ name: EnvName, ...envValue }), { maxItems: ENV_MAX }),
    Type.Record(EnvName, Type.Union([EnvValue, Strict(envValue)]), {
      propertyNames: EnvName,
      additionalProperties: false,
      maxProperties: ENV_MAX,
    }),
  ],
  {
    description:
      'variables: `{"NAME": "value"}`, or with secrets `[{"name": "NAME", "value": "…", "secret": true}]`. In a change, a secret without `value` keeps the value that it has',
    examples: [{ MODE: "production", PASSWORD: { value: "hunter2", secret: true } }],
  },
);
export type Env = Static<typeof Env>;

/** The place of a secret, for its encryption: copied to another container or name it cannot be decrypted. */
export const placeOfSecret = (containerId: string, name: string) => `container env ${containerId} ${name}`;

/** A variable in a record. */
export const EnvVariable = Type.Object({
  name: Type.String(),
  value: Type.Optional(Type.String({ description: "absent for a secret" })),
  secret: Type.Optional(Type.Literal(true)),
});
export type EnvVariable = Static<typeof EnvVariable>;

export const PORTS_MAX = 32;
export const PORT_PROTOCOLS = ["http", "https", "ssh", "tcp", "udp"] as const;
export const PortName = Type.String({
  pattern: "^[a-z]([a-z0-9-]{0,30}[a-z0-9])?$",
  description: "1 to 32 of a-z, 0-9 and hyphen; a letter first",
});
export const PortProtocol = OneOf(PORT_PROTOCOLS, "an alias can lead to `http`, `https` and `ssh`");
export const ContainerPort = Type.Object({
  name: PortName,
  port: Type.Integer({ minimum: 1, maximum: 65_535, description: "on which the container listens" }),
  protocol: PortProtocol,
});
export type ContainerPort = Static<typeof ContainerPort>;
export const AskedPort = Strict({ ...ContainerPort.properties, protocol: Type.Optional(PortProtocol) });
export const Ports = Type.Array(AskedPort, {
  maxItems: PORTS_MAX,
  description:
    "names for ports, which aliases can use in place of a number; `protocol` is `http` unless told. They open nothing: access is a matter of the firewall and the aliases",
});

const MEBIBYTE = 1024 * 1024;
/** Below it the container's first process and its terminal have no room. */
export const MEMORY_BYTES_MIN = 16 * MEBIBYTE;
export const DISK_BYTES_MIN = 64 * MEBIBYTE;
/** A petabyte: more than any server has, and exact as a number. */
const BYTES_MAX = 2 ** 50;
const cpuCores = Type.Number({
  minimum: 0.05,
  maximum: 4_096,
  description: "processor cores; may be a fraction",
});
const bytesFrom = (minimum: number) => Type.Integer({ minimum, maximum: BYTES_MAX, description: "bytes" });

const bandwidth = Type.Integer({
  minimum: 1,
  maximum: BANDWIDTH_MBPS_MAX,
  description: "megabits per second, each way",
});

/** What a container may take of its host; null: the host's standard. */
export const Resources = Type.Object({
  cpu_cores: Nullable(cpuCores),
  memory_bytes: Nullable(bytesFrom(MEMORY_BYTES_MIN)),
  disk_bytes: Nullable(bytesFrom(DISK_BYTES_MIN)),
  /** Absent in records from before bandwidth could be limited; null: no limit but that of its server. */
  bandwidth_mbps: Type.Optional(Nullable(bandwidth)),
});
export type Resources = Static<typeof Resources>;
/** What a server has, as its specification says; null: that says nothing. */
export const ServerResources = Type.Object({
  cpu_cores: Nullable(Type.Number({ minimum: 0 })),
  memory_bytes: Nullable(Type.Number({ minimum: 0 })),
  disk_bytes: Nullable(Type.Number({ minimum: 0 })),
  /** Absent in records from before bandwidth could be limited. */
  bandwidth_mbps: Type.Optional(Nullable(Type.Number({ minimum: 0 }))),
});
export type ServerResources = Static<typeof ServerResources>;

const GIB = 1024 ** 3;
/** Disks are sold by powers of ten. */
const GB = 1000 ** 3;

export function resourcesOf({ cpu_cores, ram_gb, disks, bandwidth_mbps }: ServerSpecs): ServerResources {
  const diskGb = (disks ?? []).reduce((sum, { size_gb }) => sum + size_gb, 0);
  return {
    cpu_cores: cpu_cores ?? null,
    memory_bytes: ram_gb === undefined ? null : Math.round(ram_gb * GIB),
    disk_bytes: diskGb === 0 ? null : diskGb * GB,
    bandwidth_mbps: bandwidth_mbps ?? null,
  };
}

export const RESOURCE_NAMES = ["cpu_cores", "memory_bytes", "disk_bytes", "bandwidth_mbps"] as const;
export const AskedResources = Strict(
  {
    cpu_cores: Type.Optional(Resources.properties.cpu_cores),
    memory_bytes: Type.Optional(Resources.properties.memory_bytes),
    disk_bytes: Type.Optional(Resources.properties.disk_bytes),
    bandwidth_mbps: Resources.properties.bandwidth_mbps,
  },
  {
    description:
      "the most that the container may take; at most what its server has. What is left out, or null, is the host's standard, or what its server has where that is less; of bandwidth, what its server has",
  },
);

export const RESTART_RETRIES_MAX = 1_000;
export const RestartPolicyName = OneOf(
  ["no", "on-failure", "always", "unless-stopped"],
  "what follows when the container ends by itself. `on-failure`: it starts again unless it ended with status 0. A container that you stopped stays stopped under each of them, so `unless-stopped` is the same as `always`",
);
export const RestartPolicy = Type.Object({
  name: RestartPolicyName,
  max_retries: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: RESTART_RETRIES_MAX,
      description: "of `on-failure`: how often it starts again in a row; null: without end",
    }),
  ),
});
export type RestartPolicy = Static<typeof RestartPolicy>;
export const AskedRestartPolicy = Strict({
  name: RestartPolicyName,
  max_retries: Type.Optional(RestartPolicy.properties.max_retries),
});

export const STOP_GRACE_SECONDS = 5;
export const StopGraceSeconds = Type.Integer({
  minimum: 0,
  maximum: 600,
  description: `how long it may take to end when it is stopped, before it is killed; ${STOP_GRACE_SECONDS} unless told`,
});

/** Linux's, by which programs are asked to end; those of real time beside them. */
const STOP_SIGNALS =
  "HUP|INT|QUIT|ILL|TRAP|ABRT|BUS|FPE|KILL|USR1|SEGV|USR2|PIPE|ALRM|TERM|STKFLT|CHLD|CONT|STOP|TSTP|TTIN|TTOU|URG|XCPU|XFSZ|VTALRM|PROF|WINCH|IO|PWR|SYS";
export const StopSignal = Nullable(
  Type.String({
    pattern: `^SIG(${STOP_SIGNALS}|RTMIN(\\+([1-9]|1[0-5]))?|RTMAX(-([1-9]|1[0-4]))?)$`,
    description:
      "the signal that asks its program to end; null: that of its image, or SIGTERM where that names none",
    examples: ["SIGQUIT"],
  }),
);

export const LABELS_MAX = 64;
export const LABEL_KEY = "^[A-Za-z0-9]([A-Za-z0-9._/-]{0,61}[A-Za-z0-9])?$";
const LabelKey = Type.String({
  pattern: LABEL_KEY,
  description: "1 to 63 of A-Z, a-z, 0-9, `.`, `_`, `/` and `-`; a letter or digit first and last",
});
export const Labels = Type.Record(LabelKey, Line(255), {
  propertyNames: LabelKey,
  additionalProperties: false,
  maxProperties: LABELS_MAX,
  description: `up to ${LABELS_MAX} labels of your own, by which containers can be listed`,
  examples: [{ app: "shop", stage: "test" }],
});
export type Labels = Static<typeof Labels>;

/** The fields that a body may have, when a container is created and when it is changed. */
export const settingsFields = {
  command: Type.Optional(Command),
  args: Type.Optional(Args),
  env: Type.Optional(Env),
  ports: Type.Optional(Ports),
  resources: Type.Optional(AskedResources),
  restart_policy: Type.Optional(AskedRestartPolicy),
  stop_grace_seconds: Type.Optional(StopGraceSeconds),
  stop_signal: Type.Optional(StopSignal),
  health_check: Type.Optional(AskedHealthCheck),
  labels: Type.Optional(Labels),
};
