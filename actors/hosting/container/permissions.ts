import { Type } from "@sinclair/typebox";
import { serverAudience } from "../../../schemas/audiences.ts";
import { DomainError } from "../../../schemas/errors.ts";
import {
  type ContainerPermission,
  PERMISSIONS_MAX,
  PermittedServices,
} from "../../../schemas/hosting/container-permission.ts";
import { Id, Nullable, Strict, Timestamp } from "../../../schemas/primitives.ts";
import { recordEvent } from "../../platform/record-event.ts";
import type { Context } from "../../runtime/definition.ts";
import type { ContainerRecord } from "./rules.ts";

/** Users who may enter a container without a role on its server. */

export const GrantInput = Strict({
  by: Id,
  user_id: Id,
  username: Type.String(),
  expires_at: Nullable(Timestamp),
  services: PermittedServices,
});
export const RevokeInput = Strict({ by: Id, user_id: Id });

/** Grants a permission, or changes its end and its services. @throws CONTAINER_PERMISSION_LIMIT */
export function grantPermission(
  container: ContainerRecord,
  { by, user_id, username, expires_at, services }: typeof GrantInput.static,
  now: Date,
): { container: ContainerRecord; permission: ContainerPermission } {
  const others = container.permissions.filter(({ id }) => id !== user_id);
  if (others.length >= PERMISSIONS_MAX)
    throw new DomainError(
      "CONTAINER_PERMISSION_LIMIT",
      `${PERMISSIONS_MAX} users have a permission, the most that there may be: revoke one first`,
    );
  const created_at = now.toISOString();
  const permission = { id: user_id, username, granted_by: by, expires_at, services, created_at };
  return { container: withPermissions(container, [...others, permission]), permission };
}

/** @throws CONTAINER_PERMISSION_NOT_FOUND */
export function revokePermission(
  container: ContainerRecord,
  userId: string,
): { container: ContainerRecord; revoked: ContainerPermission } {
  const revoked = container.permissions.find(({ id }) => id === userId);
  if (revoked === undefined)
    throw new DomainError(
      "CONTAINER_PERMISSION_NOT_FOUND",
      "The user has no permission to enter the container",
    );
  const left = container.permissions.filter((one) => one !== revoked);
  return { container: withPermissions(container, left), revoked };
}

/** Removes the permissions whose time is over; undefined if there are none. */
export function expirePermissions(
  container: ContainerRecord,
  now: Date,
): { container: ContainerRecord; revoked: ContainerPermission[] } | undefined {
  const isOver = ({ expires_at }: ContainerPermission) => expires_at !== null && new Date(expires_at) <= now;
  const revoked = container.permissions.filter(isOver);
  if (revoked.length === 0) return undefined;
  const left = container.permissions.filter((permission) => !isOver(permission));
  return { container: withPermissions(container, left), revoked };
}

/** The host learns of it by a new revision. */
const withPermissions = (
  container: ContainerRecord,
  permissions: ContainerPermission[],
): ContainerRecord => ({
  ...container,
  permissions,
  desiredRevision: container.desiredRevision + 1,
});

/** In the log of the container's owner, and in that of the user whom it concerns. */
export function recordPermissionEvent<State>(
  ctx: Context<State>,
  event_type: "proxy_permissions.granted" | "proxy_permissions.revoked",
  { userId, projectId, serverId, name }: ContainerRecord,
  { id, username, expires_at, services = null }: ContainerPermission,
  by: string | undefined,
): void {
  const event = { event_type, resource_id: ctx.actorId, container_id: ctx.actorId, by };
  const data = { name, user_id: id, username, expires_at, services };
  recordEvent(ctx, {
    ...event,
    user_id: userId,
    project_id: projectId,
    data,
    audience: serverAudience(serverId),
  });
  if (id !== userId) recordEvent(ctx, { ...event, user_id: id, data });
}
