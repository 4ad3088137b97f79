import { boolean, integer, json, nullable, safeInteger, text, timestamp } from "../../runtime/columns.ts";
import { children, childTable, related, rootTable } from "../../runtime/table.ts";
import type { Passkey } from "./factors/rules.ts";
import type { Account, Session } from "./rules.ts";

export const sessionTable = childTable<Session, { readonly endedAt: Date | null }>("sessions", {
  parent: "user_id",
  fields: {
    id: text("id"),
    familyHash: text("family_hash"),
    refreshHash: text("refresh_hash"),
    generation: integer("generation"),
    createdAt: timestamp("created_at"),
    refreshedAt: timestamp("refreshed_at"),
    expiresAt: timestamp("expires_at"),
    address: nullable(text("address")),
    userAgent: nullable(text("user_agent")),
  },
  extra: { endedAt: nullable(timestamp("ended_at")) },
});

export const passkeyTable = childTable<Passkey>("passkeys", {
  parent: "user_id",
  fields: {
    id: text("id"),
    name: text("name"),
    credentialId: text("credential_id"),
    publicKey: text("public_key"),
    counter: safeInteger("counter"),
    transports: json("transports"),
    synced: boolean("synced"),
    createdAt: timestamp("created_at"),
    lastUsedAt: nullable(timestamp("last_used_at")),
  },
});

export const accountTable = rootTable<Account>("accounts", {
  key: "id",
  changedAt: "updated_at",
  fields: {
    username: text("username"),
    email: text("email"),
    passwordHash: text("password_hash"),
    role: text("role"),
    createdAt: timestamp("created_at"),
    recovery: nullable(json("recovery")),
    mailRecovery: nullable(json("mail_recovery")),
    emailVerifiedAt: nullable(timestamp("email_verified_at")),
    emailVerification: nullable(json("email_verification")),
    mailNotices: json("mail_notices"),
    billingDetails: nullable(json("billing_details")),
    knownPlaces: json("known_places"),
    suspension: nullable(json("suspension")),
    deletion: nullable(json("deletion")),
    totp: nullable(json("totp")),
    recoveryCodes: json("recovery_codes"),
    passkeys: related(children(passkeyTable, { orderBy: ["created_at", "id"] })),
    sessionsEpoch: integer("sessions_epoch"),
    sessions: related(children(sessionTable, { where: { ended_at: null }, orderBy: ["refreshed_at", "id"] })),
  },
});
