import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { Id, Nullable, Strict, Timestamp } from "../primitives.ts";
import { FirewallApplied } from "./firewall.ts";

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

/** Where a container's own services are (container services §1). People with access to it open them with a credential. */
export const ServiceUrls = Type.Object({
  terminal: Type.String({ description: "https address of its web terminal" }),
  pipe: Type.String({ description: "of its streaming pipe" }),
  notifications: Type.String({ description: "of its notification server" }),
});
export type ServiceUrls = Static<typeof ServiceUrls>;

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
  services: ServiceUrls,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Container = Static<typeof Container>;

/** What is in a container's record without knowing where its server's edge is reached. */
export type StoredContainer = Omit<Container, "services">;

/** A credential for the services of one container. */
export const ContainerAccess = Type.Object({
  access_token: Type.String({
    description:
      "for `Authorization: Bearer`, or once as `?access_token=`, at this container's addresses alone",
  }),
  expires_in: Type.Integer({ description: "seconds" }),
  urls: ServiceUrls,
});
export const ContainerAccessReply = Reply(ContainerAccess);

export const ContainerReply = Reply(Container);
export const ContainersReply = Reply(
  Type.Object({ containers: Type.Array(Container), count: Type.Integer() }),
);
