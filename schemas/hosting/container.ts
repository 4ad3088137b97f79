import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { CursorPagination } from "../paging.ts";
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

/** A container's name: a DNS label, because it is part of the container's host name. */
export const ContainerName = Type.String({
  pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$",
  description: "1 to 63 characters of a-z, 0-9 and hyphen; the hyphen neither first nor last",
});

export const CreateContainer = Strict({
  project_id: Id,
  server_id: Id,
  name: ContainerName,
  image_id: Type.Optional(Id),
});
export type CreateContainer = Static<typeof CreateContainer>;

/** The URLs of a container's own services (container services §1). They ask for a credential of a user with access. */
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

/** The fields of a container's record that do not depend on its edge's address. */
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
  Type.Object({
    containers: Type.Array(Container),
    count: Type.Integer(),
    pagination: CursorPagination,
  }),
);
