import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { CursorPagination, cursorQuery, LIST_PAGE } from "../paging.ts";
import { Id, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";
import { NEWEST_FIRST } from "../sorting.ts";

/** What was done with an account's credentials (docs/decisions/0054-account-security.md). */
const ACCOUNT_ACTS = [
  "signed_up",
  "signed_in",
  "sign_in_failed",
  "signed_out",
  "session_ended",
  "refresh_token_reused",
  "password_changed",
  "email_changed",
  "second_factor_enabled",
  "second_factor_disabled",
  "recovery_codes_replaced",
  "recovery_code_used",
  "passkey_added",
  "passkey_removed",
  "device_approved",
  "token_created",
  "token_ended",
  "recovered",
] as const;

/** What only administrators do, with a user (docs/decisions/0058-operators.md): the user reads of it too. */
const ACTS_ON_USERS = [
  "impersonated",
  "recovery_started",
  "suspended",
  "restored",
  "account_deleted",
  "role_changed",
  "wallet_credited",
  "charge_refunded",
  "payment_review_resolved",
  "reservation_delivered",
  "reservation_cancelled",
  "rental_terminated",
  "notification_sent",
  "notification_deleted",
] as const;
/** An act that names a user is one of these: any other would break the log of that user. */
export type ActOnUser = (typeof ACTS_ON_USERS)[number];

/** All that can stand in a user's log. */
export const AUDIT_ACTS = [...ACCOUNT_ACTS, ...ACTS_ON_USERS] as const;
export const AuditAct = OneOf(AUDIT_ACTS);
export type AuditAct = Static<typeof AuditAct>;

/** What only administrators do. */
export const PRIVILEGED_ACTS = [
  ...ACTS_ON_USERS,
  "server_added",
  "server_updated",
  "server_removed",
  "stock_imported",
  "offer_added",
  "offer_updated",
  "offer_withdrawn",
  "image_added",
  "image_updated",
  "image_icon_set",
  "image_deleted",
  "event_retention_set",
  "host_added",
  "host_updated",
  "host_token_created",
  "host_removed",
  "certificate_retried",
] as const;
export const PrivilegedAct = OneOf(PRIVILEGED_ACTS);
export type PrivilegedAct = Static<typeof PrivilegedAct>;

/** The administrator who gives a command, and the request that asked for it. */
export const Operator = Strict({
  id: Id,
  request_id: Type.String({ maxLength: 128 }),
  address: Type.String({ maxLength: 64 }),
});
export type Operator = Static<typeof Operator>;

/** A command on a machine of the installation, which asks nobody who they are: `address` is the machine's name. */
export const MachineOperator = Strict({ ...Operator.properties, id: Type.Null() });
export type MachineOperator = Static<typeof MachineOperator>;

export const AuditEntry = Type.Object({
  id: Id,
  act: AuditAct,
  by_id: Nullable(
    Type.Unsafe<string>({ ...Id, description: "who acted; null: somebody who did not prove who they are" }),
  ),
  by: Nullable(Type.String({ description: "the user name of who acted" })),
  data: Type.Record(Type.String(), Type.Unknown()),
  created_at: Timestamp,
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditQuery = Strict({
  ...cursorQuery(LIST_PAGE, NEWEST_FIRST),
  act: Type.Optional(AuditAct),
});

export const AuditReply = Reply(
  Type.Object({ entries: Type.Array(AuditEntry), count: Type.Integer(), pagination: CursorPagination }),
);

/** An act of an administrator: who, what, whom, when, and by which request. */
export const PrivilegedEntry = Type.Object({
  id: Id,
  act: PrivilegedAct,
  by_id: Nullable(
    Type.Unsafe<string>({ ...Id, description: "null: a command on a machine of the installation" }),
  ),
  by: Nullable(Type.String({ description: "the user name of the administrator" })),
  user_id: Nullable(Type.Unsafe<string>({ ...Id, description: "the user whom the act concerns" })),
  user: Nullable(Type.String({ description: "the name of that user" })),
  resource_id: Nullable(
    Type.Unsafe<string>({ ...Id, description: "the server, offer, image or other record that it concerns" }),
  ),
  data: Type.Record(Type.String(), Type.Unknown()),
  request_id: Nullable(Type.String({ description: "`X-Request-Id` of the request, as in the logs" })),
  address: Nullable(Type.String({ description: "the client's address; of a command, the machine's name" })),
  created_at: Timestamp,
});
export type PrivilegedEntry = Static<typeof PrivilegedEntry>;

export const AdminAuditQuery = Strict({
  ...cursorQuery(LIST_PAGE, NEWEST_FIRST),
  act: Type.Optional(PrivilegedAct),
  by_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: "the administrator who acted" })),
  user_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: "the user whom the act concerns" })),
  resource_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: "the record that the act concerns" })),
  request_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  start_date: Type.Optional(Type.String({ description: "RFC 3339; acts at or after it" })),
  end_date: Type.Optional(Type.String({ description: "RFC 3339; acts before it" })),
});
export const AdminAuditReply = Reply(
  Type.Object({ entries: Type.Array(PrivilegedEntry), count: Type.Integer(), pagination: CursorPagination }),
);
