import { type Static, Type } from "@sinclair/typebox";
import { InviteMember } from "../accounts/pool.ts";
import { Reply } from "../envelope.ts";
import { CursorPagination, TotalCount } from "../paging.ts";
import { Id, Nullable, Strict, Timestamp } from "../primitives.ts";

/** Permissions to enter one container, for users without a role on its server (docs/pools.md). */

/** All of them are in the container's record, and in the desired state of its host. */
export const PERMISSIONS_MAX = 50;

export const GrantPermission = Strict({
  username: InviteMember.properties.username,
  expires_at: Type.Optional(
    Nullable(Type.String({ description: "RFC 3339, in the future; null or left out: until it is revoked" })),
  ),
});

export const ContainerPermission = Type.Object({
  id: Type.String({ ...Id, description: "the user's id" }),
  username: Type.String(),
  granted_by: Type.String({ ...Id, description: "the id of the user who granted it" }),
  expires_at: Nullable(Timestamp),
  created_at: Timestamp,
});
export type ContainerPermission = Static<typeof ContainerPermission>;

export const PermissionParams = Strict({ id: Id, user_id: Id });
export const ContainerPermissionReply = Reply(ContainerPermission);
export const ContainerPermissionsReply = Reply(
  Type.Object({
    permissions: Type.Array(ContainerPermission),
    count: TotalCount,
    pagination: CursorPagination,
  }),
);
