import { type Static, Type } from "@sinclair/typebox";
import { Origin } from "../origin.ts";
import { Id, Nullable, Timestamp } from "../primitives.ts";
import { AppliedResources, ContainerExit, ContainerImage } from "./container.ts";
import { ContainerName, Resources, RestartPolicy, ServerResources } from "./container-settings.ts";
import { FirewallRule } from "./firewall.ts";
import { ContainerHealth, HealthCheck } from "./health-check.ts";
import { REFERENCE_LENGTH_MAX } from "./image-reference.ts";
import { MOUNTED_BY_MAX, SNAPSHOTS_MAX } from "./storage-share.ts";
import { Volume } from "./volume.ts";

/**
 * Messages between the control plane and a host's agent, as JSON values of two KV buckets. The control plane writes
 * `desired_<server>`; the agent converges on it and writes `status_<server>` under the same keys. Revisions only grow: an agent
 * never goes back to a lower one.
 */

export const DesiredContainer = Type.Object({
  revision: Type.Integer(),
  /** The host that this is for: an agent ignores state for another host. */
  server_name: Type.String(),
  id: Id,
  project_id: Id,
  name: ContainerName,
  state: Type.Union([Type.Literal("running"), Type.Literal("stopped"), Type.Literal("deleted")]),
  /** Raised by each restart that the user requests: a change of it restarts a running container. */
  generation: Type.Integer(),
  /** In place of the image's entry point. */
  entrypoint: Type.Optional(Type.Array(Type.String())),
  /** In place of the image's own arguments; without an image, all that the container's init runs. */
  command: Type.Array(Type.String()),
  /** With the values of secrets: no other host can read this bucket. */
  env: Type.Optional(Type.Array(Type.Object({ name: Type.String(), value: Type.String() }))),
  /** Secrets that the control plane cannot decrypt: the container is not started without them. */
  unreadable_env: Type.Optional(Type.Array(Type.String())),
  resources: Type.Optional(Resources),
  /** What its server has, which bounds them. If absent, as in older records, the host's own bounds do. */
  server_resources: Type.Optional(ServerResources),
  /** The part of the host that its tenant rents: all containers there have no more than `server_resources` together. Absent: it is on a whole server. */
  part_id: Type.Optional(Id),
  restart_policy: Type.Optional(RestartPolicy),
  stop_grace_seconds: Type.Optional(Type.Integer({ minimum: 0 })),
  /** In place of the image's. */
  stop_signal: Type.Optional(Type.String()),
  health_check: Type.Optional(HealthCheck),
  /** The reference of the image that it is created from; absent: the host's default image. It never changes. */
  image: Type.Optional(Type.String({ maxLength: REFERENCE_LENGTH_MAX })),
  /** Raised by each request for the newest image of the reference: the host then resolves it again. Absent: 0. */
  image_generation: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Storage shares that are mounted at its next start, each at least of the revision of `DesiredShare`. If absent, as in older records, none. */
  volumes: Type.Optional(
    Type.Array(Type.Composite([Volume, Type.Object({ share_revision: Type.Integer() })])),
  ),
  /** Users who may enter its terminal, pipe, notifications and files. If absent, as in older records, nobody may. */
  grants: Type.Optional(Type.Array(Id)),
  /** Users who may enter these services alone. An older agent, which does not know them, lets them in nowhere. */
  limited_grants: Type.Optional(
    Type.Array(Type.Object({ user_id: Id, services: Type.Array(Type.String()) })),
  ),
  /** The request that led to this revision. */
  origin: Type.Optional(Origin),
});
export type DesiredContainer = Static<typeof DesiredContainer>;

/** The longest report of a host under one key, in characters; the bucket accepts no more bytes either. Error messages of programs are its longest part. */
export const REPORT_LENGTH_MAX = 8 * 1024;

/** The longest error of a report that a record stores, in characters; the rest is cut. Users see its first line. */
export const REPORT_ERROR_LENGTH_MAX = 1_000;

export const ContainerStatus = Type.Object({
  revision: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "the revision of the desired state that this report is about",
  }),
  state: Type.Union([
    Type.Literal("creating"),
    Type.Literal("running"),
    Type.Literal("stopped"),
    Type.Literal("error"),
    Type.Literal("deleted"),
  ]),
  driver: Type.Union([Type.Literal("oci"), Type.Literal("process")]),
  address: Nullable(
    Type.String({
      pattern: "^[0-9]{1,3}(\\.[0-9]{1,3}){3}$",
      description: "IPv4 address of the container as its host sees it",
    }),
  ),
  error: Nullable(Type.String()),
  image: Type.Optional(ContainerImage),
  /** How its last run ended; null: none has. */
  exit: Type.Optional(Nullable(ContainerExit)),
  /** Null: it does not run, or has no health check. */
  health: Type.Optional(Nullable(ContainerHealth)),
  /** Since it was last started by request. */
  restarts: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  /** The revision of the desired state that it was started with. */
  started_revision: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  resources: Type.Optional(AppliedResources),
  reported_at: Timestamp,
});
export type ContainerStatus = Static<typeof ContainerStatus>;

/** A storage share (docs/storage.md). */
export const DesiredShare = Type.Object({
  revision: Type.Integer(),
  server_name: Type.String(),
  id: Id,
  project_id: Id,
  state: Type.Union([Type.Literal("present"), Type.Literal("deleted")]),
  size_bytes: Type.Integer(),
  /** The part of the host that it is on, whose disk it takes of. Absent: a whole server, or as in older records. */
  part_id: Type.Optional(Id),
  /** The snapshots that there should be: the agent makes those that are missing, and removes the others. */
  snapshots: Type.Array(Id),
  /** The last restore that was asked for. The agent does each one once. */
  restore: Nullable(Type.Object({ id: Id, snapshot_id: Id })),
});
export type DesiredShare = Static<typeof DesiredShare>;

/** The longest error of a snapshot: all of them fit in a report. */
export const SNAPSHOT_ERROR_LENGTH_MAX = 200;
const Bytes = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const ShareStatus = Type.Object({
  revision: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  state: Type.Union([
    Type.Literal("creating"),
    Type.Literal("ready"),
    Type.Literal("error"),
    Type.Literal("deleted"),
  ]),
  size_bytes: Nullable(Bytes),
  used_bytes: Nullable(Bytes),
  /** Whether the host refuses writes past the limit. */
  enforced: Nullable(Type.Boolean()),
  error: Nullable(Type.String()),
  snapshots: Type.Array(
    Type.Object({
      id: Id,
      state: Type.Union([Type.Literal("ready"), Type.Literal("error")]),
      bytes: Nullable(Bytes),
      error: Nullable(Type.String({ maxLength: SNAPSHOT_ERROR_LENGTH_MAX })),
    }),
    { maxItems: SNAPSHOTS_MAX },
  ),
  /** The id of the last restore that was done. */
  restored: Nullable(Id),
  /** The containers that run with it. */
  mounted_by: Type.Array(Id, { maxItems: MOUNTED_BY_MAX }),
  reported_at: Timestamp,
});
export type ShareStatus = Static<typeof ShareStatus>;

export const DesiredFirewall = Type.Object({
  revision: Type.Integer(),
  server_name: Type.String(),
  container_id: Id,
  /** False: the container has no firewall and accepts all packets; the agent removes its rules. */
  attached: Type.Boolean(),
  /** Whether incoming packets that no rule allows are rejected. */
  closed: Type.Boolean(),
  /** Rules in normal form, of both directions and both states; disabled ones are not enforced. */
  rules: Type.Array(FirewallRule),
  /** The request that led to this revision. */
  origin: Type.Optional(Origin),
});
export type DesiredFirewall = Static<typeof DesiredFirewall>;

export const FirewallStatus = Type.Object({
  revision: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "the revision now in force",
  }),
  enforced: Type.Boolean({
    description:
      "false where this host cannot filter packets, or where the rules in force differ from this revision and cannot be restored",
  }),
  /** Why a later revision could not be applied; `revision` stays in force. */
  error: Nullable(Type.String()),
  reported_at: Timestamp,
});
export type FirewallStatus = Static<typeof FirewallStatus>;

/** Terminals that a user has opened in a container; several within a minute are reported together. */
export const TerminalOpened = Type.Object({
  container_id: Id,
  user_id: Id,
  /** The id of the last one. */
  terminal_id: Type.Integer({ minimum: 1, maximum: 65_535 }),
  count: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
  /** When the first of them was opened. */
  opened_at: Timestamp,
});
export type TerminalOpened = Static<typeof TerminalOpened>;

/** A name under which the host's edge serves a container (spec, control plane §2 "Proxy alias"). */
export const DesiredAlias = Type.Object({
  revision: Type.Integer(),
  server_name: Type.String(),
  id: Id,
  project_id: Id,
  container_id: Id,
  /** The label: `<alias>.<server_name>.<container_domain>`. No two aliases of a host have the same one. */
  alias: Type.String(),
  /** A program of its agent or of its image, or `http`, `https`, `ssh`. */
  program: Type.String(),
  /** The port in the container of `http`, `https` and `ssh`; null for a program. */
  port: Nullable(Type.Integer({ minimum: 1, maximum: 65_535 })),
  /** The instance of a program. */
  index: Type.Integer(),
  target_path: Nullable(Type.String()),
  allow_path_override: Type.Boolean(),
  /** After this time the edge replies as for an unknown name, whether or not a later revision has arrived. */
  expires_at: Nullable(Timestamp),
  enabled: Type.Boolean(),
  /** Users' own domains that lead to the alias as its label does. */
  domains: Type.Optional(Type.Array(Type.String())),
});
export type DesiredAlias = Static<typeof DesiredAlias>;

/**
 * Asks a host's agent to reply when it knows an alias at this revision or a later one; null: when the alias is gone.
 */
export const AliasRevisionQuery = Type.Object({ id: Id, revision: Nullable(Type.Integer()) });
export type AliasRevisionQuery = Static<typeof AliasRevisionQuery>;

/** How many ended sessions of a user are listed individually. */
export const ENDED_SESSIONS_MAX = 500;

/**
 * Recently ended sessions and API tokens of a user, under `sessions.<user_id>`. An edge refuses the tokens and cookies that belong to
 * them. An entry is needed for `ENDED_SESSION_SECONDS`.
 */
export const EndedSessions = Type.Object({
  server_name: Type.String(),
  user_id: Id,
  /** Newest first. */
  sessions: Type.Array(Type.Object({ id: Id, ended_at: Timestamp }), { maxItems: ENDED_SESSIONS_MAX }),
  /** Set when more have ended than are listed: every token of the user from before this time is refused. */
  refused_before: Nullable(Timestamp),
});
export type EndedSessions = Static<typeof EndedSessions>;
