import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { CursorPagination, TotalCount } from "../paging.ts";
import { Id, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";
import { Text } from "../text.ts";
import { FirewallApplied } from "./firewall.ts";
import { REFERENCE_LENGTH_MAX } from "./image-reference.ts";
import { PROGRAMS_MAX, ProgramName } from "./program.ts";

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
  image: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: REFERENCE_LENGTH_MAX,
      description:
        "in place of `image_id`, any image by its reference, with Docker's meaning: `[registry/]name[:tag][@sha256:…]`. The container keeps what the tag meant when it was created",
      examples: ["debian:13", "ghcr.io/example/app:1.2"],
    }),
  ),
  command: Type.Optional(
    Type.Array(Text({ maxLength: 4_096 }), {
      minItems: 1,
      maxItems: 64,
      description: "with `image`: arguments in place of the image's own command",
    }),
  ),
});
export type CreateContainer = Static<typeof CreateContainer>;

/** The image that a container was created from, as its host reports it. */
export const ContainerImage = Type.Object({
  reference: Type.String({ description: "the whole reference: registry, name, tag, digest" }),
  digest: Nullable(Type.String({ description: "what the reference means for this container, for good" })),
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
  image_id: Nullable(Id),
  image: Nullable(ContainerImage),
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
    count: TotalCount,
    pagination: CursorPagination,
  }),
);
