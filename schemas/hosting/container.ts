import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { CursorPagination, cursorQuery, LIST_PAGE, SEARCH_LENGTH_MAX, TotalCount } from "../paging.ts";
import { Id, Nullable, OneOf, Strict, SubserverName, Timestamp } from "../primitives.ts";
import { NAMED_OLDEST_FIRST, sorting } from "../sorting.ts";
import { Text } from "../text.ts";
import {
  ContainerName,
  ContainerPort,
  EnvVariable,
  RESOURCE_NAMES,
  Resources,
  RestartPolicy,
  settingsFields,
} from "./container-settings.ts";
import { FirewallApplied } from "./firewall.ts";
import { ContainerHealth, HealthCheck } from "./health-check.ts";
import { REFERENCE_LENGTH_MAX } from "./image-reference.ts";
import { PROGRAMS_MAX, ProgramName } from "./program.ts";
import { Volume, VolumeRequests } from "./volume.ts";

/** Containers (design §3 "Projects and containers"). */

/** Labels of one filter: more than that names a single container. */
export const LABEL_FILTERS_MAX = 8;

export const ContainerState = Type.Union([
  Type.Literal("creating"),
  Type.Literal("running"),
  Type.Literal("stopped"),
  Type.Literal("error"),
  Type.Literal("deleted"),
]);
export type ContainerState = Static<typeof ContainerState>;

export const CreateContainer = Strict({
  project_id: Id,
  server_id: Id,
  name: ContainerName,
  image_id: Type.Optional(Id),
  image: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: REFERENCE_LENGTH_MAX,
      description:
        "in place of `image_id`, any image by its reference, with Docker's meaning: `[registry/]name[:tag][@sha256:…]`. The container keeps what the tag meant when it was created, until a newer image is asked for",
      examples: ["debian:13", "ghcr.io/example/app:1.2"],
    }),
  ),
  ...settingsFields,
  volumes: Type.Optional(VolumeRequests),
});
export type CreateContainer = Static<typeof CreateContainer>;

/** What is left out stays as it is; what is given takes the place of the whole field. */
export const UpdateContainer = Strict(
  { name: Type.Optional(ContainerName), ...settingsFields },
  { minProperties: 1 },
);
export type UpdateContainer = Static<typeof UpdateContainer>;

/** Settings that a container which runs takes over at its next start only. */
export const SETTINGS_AT_START = ["name", "command", "args", "env"] as const;

/** What a restart may have to apply. Volumes have a request of their own, and are mounted at a start. */
export const RESTART_REASONS = [...SETTINGS_AT_START, "volumes"] as const;
export type RestartReason = (typeof RESTART_REASONS)[number];

export const ContainersQuery = Strict({
  project_id: Type.Optional(Id),
  label: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: LABEL_FILTERS_MAX })], {
      description:
        "`key` or `key:value`: containers with this label; may be repeated, and then each must be there",
      examples: ["app:shop"],
    }),
  ),
  search: Type.Optional(
    Text({ minLength: 1, maxLength: 63, description: "a part of the name, in any case of letters" }),
  ),
  ...cursorQuery(LIST_PAGE, NAMED_OLDEST_FIRST),
});

/** The image that a container was created from, as its host reports it. */
export const ContainerImage = Type.Object({
  reference: Type.String({ description: "the whole reference: registry, name, tag, digest" }),
  digest: Nullable(
    Type.String({
      description: "what the container runs: the same until `POST …/{id}/pull` finds a newer one",
    }),
  ),
  state: OneOf(["waiting", "pulling", "ready", "error"], "`waiting`: its host has not begun to pull it"),
  pulled_bytes: Type.Integer({ minimum: 0, description: "how far the host is with pulling it" }),
  total_bytes: Type.Integer({
    minimum: 0,
    description:
      "what there is to pull; once it is ready, what it takes on the host's disk. 0: not known yet",
  }),
  exposed_ports: Type.Array(Type.String(), {
    maxItems: 64,
    description: "`80/tcp`: what the image says that it listens on",
  }),
  labels: Type.Record(Type.String(), Type.String(), {
    description: "the image's labels, of the first 2048 characters",
  }),
  programs: Type.Optional(
    Type.Array(ProgramName, {
      maxItems: PROGRAMS_MAX,
      description:
        "programs that the image declares by labels `berth.program.<name>`: an alias can lead to them. Absent until its host has pulled the image",
      examples: [["code", "display"]],
    }),
  ),
});
export type ContainerImage = Static<typeof ContainerImage>;

/** How a container's last run ended. */
export const ContainerExit = Type.Object({
  status: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: 255,
      description: "its exit status; null where a signal ended it, or where it is not known",
    }),
  ),
  signal: Nullable(
    Type.String({ pattern: "^SIG[A-Z0-9+-]{1,12}$", description: "what ended it", examples: ["SIGKILL"] }),
  ),
  reason: Type.String({
    description: "in words",
    examples: ["its command was ended by SIGKILL: out of memory"],
  }),
  at: Timestamp,
  out_of_memory: Type.Boolean({
    description: "true: the kernel ended a process of it, because it used more memory than it may",
  }),
});
export type ContainerExit = Static<typeof ContainerExit>;

/** What its host holds a container to. */
export const AppliedResources = Type.Object({
  cpu_cores: Nullable(Type.Number({ minimum: 0 })),
  memory_bytes: Nullable(Type.Integer({ minimum: 0 })),
  disk_bytes: Nullable(Type.Integer({ minimum: 0 })),
  bandwidth_mbps: Type.Optional(
    Nullable(Type.Number({ minimum: 0, description: "megabits per second, each way; null: no limit" })),
  ),
  unenforced: Type.Array(OneOf(RESOURCE_NAMES), {
    maxItems: RESOURCE_NAMES.length,
    description: "what this host cannot limit, or could not limit while the container runs",
  }),
});
export type AppliedResources = Static<typeof AppliedResources>;

/** The URLs of a container's own services (container services §1). They require a credential of a user with access. */
export const ServiceUrls = Type.Object({
  terminal: Type.String({ description: "https URL of its web terminal" }),
  pipe: Type.String({ description: "https URL of its streaming pipe" }),
  notifications: Type.String({ description: "https URL of its notification server" }),
});
export type ServiceUrls = Static<typeof ServiceUrls>;

export const Container = Type.Object({
  id: Id,
  user_id: Id,
  project_id: Id,
  server_id: Id,
  server_name: Type.String(),
  subserver_name: SubserverName,
  image_id: Nullable(Id),
  image: Nullable(ContainerImage),
  name: Type.String(),
  command: Type.Array(Type.String(), { description: "empty: the image's own entry point" }),
  args: Type.Array(Type.String(), { description: "empty: the image's own, unless there is a `command`" }),
  env: Type.Array(EnvVariable, { description: "values of secrets are never shown" }),
  ports: Type.Array(ContainerPort),
  resources: Type.Object({
    ...Resources.properties,
    applied: Nullable(AppliedResources),
  }),
  restart_policy: RestartPolicy,
  stop_grace_seconds: Type.Integer(),
  stop_signal: Nullable(Type.String({ description: "null: that of its image" })),
  health_check: HealthCheck,
  labels: Type.Record(Type.String(), Type.String()),
  revision: Type.Integer({
    description:
      "counts the changes by PATCH; the `ETag` for `If-Match`. It does not change with the container's state",
  }),
  restart_required: Type.Array(OneOf(RESTART_REASONS), {
    description:
      "what has changed since the container was started, its volumes included: a restart applies it",
  }),
  state: ContainerState,
  address: Nullable(Type.String({ description: "IPv4 address of the container as its host sees it" })),
  driver: Nullable(Type.String({ description: "`oci`, or `process` where the host offers no isolation" })),
  error: Nullable(Type.String()),
  exit: Nullable(ContainerExit),
  health: Nullable(
    Type.Object(ContainerHealth.properties, {
      description: "null: it does not run, has no health check, or its host has not reported",
    }),
  ),
  restarts: Type.Integer({
    description:
      "how often it has ended by itself and started again, since it was last started or restarted by request",
  }),
  volumes: Type.Array(Volume, {
    description:
      "storage shares, mounted at its next start: a running container keeps those of its last start",
  }),
  firewall: FirewallApplied,
  services: ServiceUrls,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Container = Static<typeof Container>;

/** The fields of a container's record that do not depend on its edge's address. */
export type StoredContainer = Omit<Container, "services">;

/** The addresses of the services that a credential is for. */
export const AccessUrls = Type.Partial(ServiceUrls, {
  description: "of the container's own services those that you may enter",
});
export type AccessUrls = Static<typeof AccessUrls>;

/** An alias by which a service is entered. */
const AliasAddress = Type.Object({
  program: Type.String({ description: "the service" }),
  url: Type.String(),
});

/** A credential for the services of one container. */
export const ContainerAccess = Type.Object({
  access_token: Type.String({
    description:
      "for `Authorization: Bearer`, or once as `?access_token=`, at this container's addresses alone",
  }),
  expires_in: Type.Integer({ description: "seconds" }),
  urls: AccessUrls,
  services: Nullable(
    Type.Array(Type.String(), {
      description:
        "the services that you may enter, by a permission for these alone; null: all. Those without an address of their own, such as `files`, have one by an alias",
    }),
  ),
  aliases: Type.Optional(
    Type.Array(AliasAddress, {
      description:
        "with `services` that are not null: the enabled aliases for these, the first hundred, by which you enter those without an address of their own; left out if `services` is null",
    }),
  ),
});
export const ContainerAccessReply = Reply(ContainerAccess);

export const ContainerReply = Reply(Container);
export const ContainersReply = Reply(
  Type.Object({
    containers: Type.Array(Container),
    count: TotalCount,
    pagination: CursorPagination,
  }),
);

/** A container as administrators see it: whose it is and where it runs, and nothing of what is in it. */
export const ManagedContainer = Type.Object({
  id: Id,
  name: Type.String(),
  user_id: Type.Unsafe<string>({ ...Id, description: "who made it" }),
  username: Type.String(),
  project_id: Id,
  server_id: Id,
  server_name: Type.String({ description: "its host" }),
  subserver_name: SubserverName,
  image: Nullable(Type.String({ description: "its reference; null: the programs of its server" })),
  state: ContainerState,
  error: Nullable(Type.String()),
  restarts: Container.properties.restarts,
  created_at: Timestamp,
});
export type ManagedContainer = Static<typeof ManagedContainer>;

export const CONTAINERS_SORT = sorting("-created_at", {
  created_at: "time",
  name: "text",
  username: "text",
  server_name: "text",
});
export const ManagedContainersQuery = Strict({
  ...cursorQuery(LIST_PAGE, CONTAINERS_SORT),
  search: Type.Optional(
    Text({
      minLength: 1,
      maxLength: SEARCH_LENGTH_MAX,
      description:
        "an id, or a part of the container's name, of its image's or of its user's, in any case of letters",
    }),
  ),
  user_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: "who made them" })),
  server_id: Type.Optional(Id),
  host: Type.Optional(Text({ minLength: 1, maxLength: 63, description: "the name of a host" })),
  state: Type.Optional(ContainerState),
});
export const ManagedContainersReply = Reply(
  Type.Object({ containers: Type.Array(ManagedContainer), count: TotalCount, pagination: CursorPagination }),
);
