import { type Static, Type } from "@sinclair/typebox";
import { InviteMember } from "../accounts/pool.ts";
import { Reply } from "../envelope.ts";
import { CursorPagination, listQuery, TotalCount } from "../paging.ts";
import { Id, Nullable, Strict, Timestamp } from "../primitives.ts";
import { sorting } from "../sorting.ts";
import { ProgramName } from "./program.ts";

/** Permissions to enter one container, for users without a role on its server (docs/pools.md). */

/** More than the agent's own services and a few programs of an image. */
const SERVICES_MAX = 20;

/** The services that a permission is for; null: all of them. */
export const PermittedServices = Nullable(
  Type.Array(ProgramName, {
    minItems: 1,
    maxItems: SERVICES_MAX,
    uniqueItems: true,
    description:
      "`terminal`, `pipe`, `notifications`, `files`, or the name of a program that the container's image declares, such as `code`; null or left out: all",
    examples: [["pipe", "files"]],
  }),
);

/** All of them are in the container's record, and in the desired state of its host. */
export const PERMISSIONS_MAX = 50;

export const GrantPermission = Strict({
  username: InviteMember.properties.username,
  expires_at: Type.Optional(
    Nullable(Type.String({ description: "RFC 3339, in the future; null or left out: until it is revoked" })),
  ),
  services: Type.Optional(PermittedServices),
});

export const ContainerPermission = Type.Object({
  id: Type.String({ ...Id, description: "the user's id" }),
  username: Type.String(),
  granted_by: Type.String({ ...Id, description: "the id of the user who granted it" }),
  expires_at: Nullable(Timestamp),
  services: PermittedServices,
  created_at: Timestamp,
});
export type ContainerPermission = Static<typeof ContainerPermission>;

export const PERMISSIONS_SORT = sorting("created_at", { created_at: "time", username: "text" });
export const PermissionsQuery = listQuery(PERMISSIONS_SORT);
export const PermissionParams = Strict({ id: Id, user_id: Id });
export const ContainerPermissionReply = Reply(ContainerPermission);
export const ContainerPermissionsReply = Reply(
  Type.Object({
    permissions: Type.Array(ContainerPermission),
    count: TotalCount,
    pagination: CursorPagination,
  }),
);
