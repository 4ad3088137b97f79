import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "./envelope.ts";
import { FirewallApplied } from "./firewall.ts";
import { Id, Nullable, Strict, Timestamp } from "./primitives.ts";

/** Containers (design §3 "Projects and containers"). */

export const ContainerState = Type.Union([
  Type.Literal("creating"),
  Type.Literal("running"),
  Type.Literal("stopped"),
  Type.Literal("error"),
  Type.Literal("deleted"),
]);
export type ContainerState = Static<typeof ContainerState>;

/** A container's name: a DNS label, since it is one in the container's host name. */
export const ContainerName = Type.String({
  pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$",
  description: "1 to 63 of a-z, 0-9 and hyphen, which is neither first nor last",
});

export const CreateContainer = Strict({
  project_id: Id,
  server_id: Id,
  name: ContainerName,
  image_id: Type.Optional(Id),
});
export type CreateContainer = Static<typeof CreateContainer>;

export const Container = Type.Object({
  id: Id,
  user_id: Id,
  project_id: Id,
  server_id: Id,
  server_name: Type.String(),
  image_id: Nullable(Id),
  name: Type.String(),
  state: ContainerState,
  address: Nullable(Type.String({ description: "IPv4 address of the container as its host sees it" })),
  driver: Nullable(
    Type.String({ description: "`namespaces`, or `process` where the host offers no isolation" }),
  ),
  error: Nullable(Type.String()),
  firewall: FirewallApplied,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Container = Static<typeof Container>;

export const ContainerReply = Reply(Container);
export const ContainersReply = Reply(
  Type.Object({ containers: Type.Array(Container), count: Type.Integer() }),
);
