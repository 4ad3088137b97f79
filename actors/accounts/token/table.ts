import type { Permission } from "../../../schemas/permissions.ts";
import { json, nullable, text, timestamp } from "../../runtime/columns.ts";
import { children, childTable, related, rootTable } from "../../runtime/table.ts";

/** A valid token, as its user's actor holds it. */
export interface HeldToken {
  readonly id: string;
  readonly name: string;
  readonly hash: string;
  readonly permissions: readonly Permission[];
  readonly realmId: string | null;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

/** A user's valid API tokens, oldest first. */
export interface TokenHolder {
  readonly tokens: readonly HeldToken[];
}

export const apiTokenTable = childTable<HeldToken, { readonly endedAt: Date | null }>("api_tokens", {
  parent: "user_id",
  fields: {
    id: text("id"),
    name: text("name"),
    hash: text("hash"),
    permissions: json("permissions"),
    realmId: nullable(text("realm_id")),
    expiresAt: nullable(timestamp("expires_at")),
    createdAt: timestamp("created_at"),
  },
  extra: { endedAt: nullable(timestamp("ended_at")) },
});

export const tokenHolderTable = rootTable<TokenHolder>("token_holders", {
  key: "user_id",
  changedAt: "updated_at",
  fields: {
    tokens: related(children(apiTokenTable, { where: { ended_at: null }, orderBy: ["created_at", "id"] })),
  },
});
