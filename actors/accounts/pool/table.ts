import { boolean, json, safeInteger, text, timestamp } from "../../runtime/columns.ts";
import { children, childTable, related, rootTable } from "../../runtime/table.ts";
import type { InvitationStatus, Member, PendingInvitation, Pool } from "./rules.ts";

export const poolMemberTable = childTable<Member>("pool_members", {
  parent: "pool_id",
  fields: { userId: text("user_id"), role: text("role"), joinedAt: timestamp("joined_at") },
});

interface Decided {
  readonly status: InvitationStatus;
  readonly updatedAt: Date;
}

export const poolInvitationTable = childTable<PendingInvitation, Decided>("pool_invitations", {
  parent: "pool_id",
  fields: {
    id: text("id"),
    userId: text("user_id"),
    role: text("role"),
    invitedBy: text("invited_by"),
    createdAt: timestamp("created_at"),
  },
  extra: { status: text("status"), updatedAt: timestamp("updated_at") },
});

export const poolTable = rootTable<Pool>("pools", {
  key: "id",
  changedAt: "updated_at",
  fields: {
    ownerId: text("owner_id"),
    name: text("name"),
    description: text("description"),
    settings: json("settings"),
    isDefault: boolean("is_default"),
    accessRevision: safeInteger("access_revision"),
    members: related(children(poolMemberTable, { orderBy: ["joined_at", "user_id"] })),
    invitations: related(
      children(poolInvitationTable, { where: { status: "pending" }, orderBy: ["created_at", "id"] }),
    ),
    createdAt: timestamp("created_at"),
  },
});
