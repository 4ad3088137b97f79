import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { CursorPagination, cursorQuery, LIST_PAGE } from "../paging.ts";
import { Id, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";

/** What was done with an account's credentials (docs/decisions/0054-account-security.md). */
const AUDIT_ACTS = [
  "signed_up",
  "signed_in",
  "sign_in_failed",
  "signed_out",
  "session_ended",
  "refresh_token_reused",
  "password_changed",
  "email_changed",
  "token_created",
  "token_ended",
  "impersonated",
  "recovery_started",
  "recovered",
] as const;
export const AuditAct = OneOf(AUDIT_ACTS);
export type AuditAct = Static<typeof AuditAct>;

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
  ...cursorQuery(LIST_PAGE),
  act: Type.Optional(AuditAct),
});

export const AuditReply = Reply(
  Type.Object({ entries: Type.Array(AuditEntry), count: Type.Integer(), pagination: CursorPagination }),
);
