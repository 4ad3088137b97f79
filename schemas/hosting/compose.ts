import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { Nullable, Strict } from "../primitives.ts";
import { Name, Text } from "../text.ts";
import { ENV_MAX, ENV_NAME } from "./container-settings.ts";

/** Compose files, as the API reads them (docs/decisions/0140-compose-files-in-the-console.md). */

/** Ten times what a project of twenty services takes. Reading it takes some 20 ms of the gateway's only thread. */
export const COMPOSE_LENGTH_MAX = 65_536;
const VALUE_LENGTH_MAX = 32_768;

export const ReadComposeFile = Strict({
  file: Text({ minLength: 1, maxLength: COMPOSE_LENGTH_MAX, description: "the text of a compose file" }),
  variables: Type.Optional(
    Type.Record(Type.String({ pattern: ENV_NAME }), Text({ maxLength: VALUE_LENGTH_MAX }), {
      maxProperties: ENV_MAX,
      additionalProperties: false,
      description:
        "values of the variables that the file uses, such as `$TAG`, and of variables and secrets that it names without a value",
    }),
  ),
  project: Type.Optional(
    Type.Unsafe<string>({ ...Name(100), description: "the project; the file's `name` unless given" }),
  ),
  server: Type.Optional(
    Type.Unsafe<string>({ ...Name(100), description: "the name of the server of services that name none" }),
  ),
});
export type ReadComposeFile = Static<typeof ReadComposeFile>;

export const ComposePlace = Type.Object(
  { path: Type.String(), line: Nullable(Type.Integer()) },
  { description: "where it stands in the file" },
);

const Settings = Type.Object({
  command: Type.Array(Type.String()),
  args: Type.Array(Type.String()),
  labels: Type.Record(Type.String(), Type.String()),
  ports: Type.Array(Type.Object({ name: Type.String(), port: Type.Integer(), protocol: Type.String() })),
  resources: Type.Object({
    cpu_cores: Nullable(Type.Number()),
    memory_bytes: Nullable(Type.Number()),
    disk_bytes: Nullable(Type.Number()),
    bandwidth_mbps: Nullable(Type.Number()),
  }),
  restart_policy: Type.Object({ name: Type.String(), max_retries: Nullable(Type.Number()) }),
  stop_grace_seconds: Type.Number(),
  stop_signal: Nullable(Type.String()),
  health_check: Type.Object({
    command: Type.Array(Type.String()),
    enabled: Type.Boolean(),
    interval_seconds: Nullable(Type.Number()),
    timeout_seconds: Nullable(Type.Number()),
    start_period_seconds: Nullable(Type.Number()),
    retries: Nullable(Type.Number()),
    restart: Type.Boolean(),
  }),
});

const WantedContainer = Type.Object({
  name: Type.String(),
  service: Type.String(),
  server: Type.String({ description: "the name of its server" }),
  image: Nullable(Type.String({ description: "null: the programs of its server" })),
  settings: Settings,
  env: Type.Array(Type.Object({ name: Type.String(), value: Type.String(), secret: Type.Boolean() })),
  volumes: Type.Array(Type.Object({ share: Type.String(), path: Type.String(), read_only: Type.Boolean() })),
  firewall: Nullable(
    Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description: "as for a change of all rules of a container; null: the rules stay as they are",
    }),
  ),
  aliases: Type.Array(
    Type.Object({
      name: Type.String(),
      program: Type.String(),
      port: Nullable(Type.Union([Type.Number(), Type.String()])),
      at: ComposePlace,
    }),
  ),
});

/** What a compose file asks for: the fields of requests that make it so. */
export const WantedProject = Type.Object({
  name: Type.String({ description: "of the project" }),
  containers: Type.Array(WantedContainer, {
    description: "one for each service, each behind those that it depends on",
  }),
  shares: Type.Array(
    Type.Object({
      name: Type.String(),
      server: Type.String(),
      size_bytes: Nullable(Type.Number({ description: "null: it is expected to be there" })),
      at: ComposePlace,
    }),
  ),
});
export type WantedProject = Static<typeof WantedProject>;
export const WantedProjectReply = Reply(WantedProject);
