import { createHash } from "node:crypto";
import { type Invitation, type Role, SETTINGS_BYTES_MAX } from "../../../schemas/accounts/pool.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import type { PoolRole } from "../../../schemas/permissions.ts";
import { sizeText } from "../../../system/size-text.ts";

export interface Member {
  readonly userId: string;
  readonly role: PoolRole;
  readonly joinedAt: Date;
}

/** A pending invitation. */
export interface PendingInvitation {
  readonly id: string;
  readonly userId: string;
  readonly role: PoolRole;
  readonly invitedBy: string;
  readonly createdAt: Date;
}

/** A pool as its actor holds it. */
export interface Pool {
  readonly ownerId: string;
  readonly name: string;
  readonly description: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly isDefault: boolean;
  readonly accessRevision: number;
  /** Without the owner. */
  readonly members: readonly Member[];
  readonly invitations: readonly PendingInvitation[];
  readonly createdAt: Date;
}

/** The id of a user's default pool. It is created with the user and follows from the user's id. */
export const defaultPoolId = (userId: string): string =>
  createHash("sha256").update(`default-pool:${userId}`).digest("hex").slice(0, 24);

export function roleIn(pool: Pool, userId: string): Role | undefined {
  if (pool.ownerId === userId) return "owner";
  return pool.members.find((member) => member.userId === userId)?.role;
}

/** The role that each act on a pool needs (spec §4.4); with `self`, members may do it to their own membership. */
export const POOL_ACTS = {
  update: ["owner"],
  delete: ["owner"],
  invite: ["owner", "admin"],
  change_role: ["owner"],
  remove_member: ["owner", "admin"],
} as const satisfies Record<string, readonly Role[]>;

/** @throws POOL_NOT_FOUND for users who are not members, INSUFFICIENT_PERMISSIONS for a member without the role */
export function assertMay(pool: Pool, userId: string, act: keyof typeof POOL_ACTS): void {
  const role = roleIn(pool, userId);
  if (role === undefined) throw new DomainError("POOL_NOT_FOUND", "Pool not found");
  if (!(POOL_ACTS[act] as readonly Role[]).includes(role)) {
    throw new DomainError("INSUFFICIENT_PERMISSIONS", `this takes the pool's ${POOL_ACTS[act].join(" or ")}`);
  }
}

/** @throws ALREADY_MEMBER, ALREADY_INVITED */
export function assertInvitable(pool: Pool, userId: string): void {
  if (roleIn(pool, userId) !== undefined)
    throw new DomainError("ALREADY_MEMBER", "the user is a member already");
  if (pool.invitations.some((invitation) => invitation.userId === userId))
    throw new DomainError("ALREADY_INVITED", "the user has an invitation already");
}

/** The member with this id. @throws MEMBER_NOT_FOUND, POOL_OWNER for the owner, who cannot be changed or removed */
export function memberOf(pool: Pool, userId: string): Member {
  if (pool.ownerId === userId) throw new DomainError("POOL_OWNER", "the owner of a pool stays its owner");
  const member = pool.members.find((each) => each.userId === userId);
  if (member === undefined) throw new DomainError("MEMBER_NOT_FOUND", "Member not found");
  return member;
}

/** @throws VALIDATION_ERROR */
export function assertSettings(settings: object | undefined): void {
  if (settings !== undefined && Buffer.byteLength(JSON.stringify(settings)) > SETTINGS_BYTES_MAX)
    throw new ValidationError(
      "body.settings",
      `must not be longer than ${sizeText(SETTINGS_BYTES_MAX)} as JSON`,
    );
}

export type InvitationStatus = Invitation["status"];
