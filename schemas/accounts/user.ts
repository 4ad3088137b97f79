import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { Rental } from "../market/rental.ts";
import { CursorPagination, offsetQuery } from "../paging.ts";
import { Decimal, Id, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";
import { sorting } from "../sorting.ts";
import { Name, Text } from "../text.ts";
import { User } from "./account.ts";
import { Role } from "./auth.ts";
import { Proven } from "./second-factor.ts";

/** Users as administrators see them (docs/decisions/0058-operators.md). */

export const UserStatus = OneOf(["active", "suspended", "deleted"]);
export type UserStatus = Static<typeof UserStatus>;

export const ManagedUser = Type.Composite([
  User,
  Type.Object({
    status: UserStatus,
    last_signed_in_at: Nullable(Timestamp),
  }),
]);
export type ManagedUser = Static<typeof ManagedUser>;

export const Suspension = Type.Object({
  reason: Type.String(),
  by_id: Nullable(Id),
  since: Timestamp,
});

const UsedContainer = Type.Object({
  id: Id,
  name: Type.String(),
  project_id: Id,
  server_id: Id,
  server_name: Type.String(),
  state: Type.String(),
});

/** The most rentals and containers that a user's record shows. */
export const SHOWN_MAX = 100;

export const UserRecord = Type.Composite([
  ManagedUser,
  Type.Object({
    email_verified: Type.Boolean({ description: "whether somebody proved to read mail at the address" }),
    second_factor: Type.Boolean({ description: "whether the sign-in takes a second factor" }),
    suspension: Nullable(Suspension),
    deleted_at: Nullable(Timestamp),
    sessions: Type.Integer({ description: "the number of active sessions" }),
    api_tokens: Type.Integer({ description: "the number of valid API tokens" }),
    general_balance: Decimal,
    rentals: Type.Array(Rental, { description: `the newest ${SHOWN_MAX}, also those that ended` }),
    containers: Type.Array(UsedContainer, {
      description: `the newest ${SHOWN_MAX} that the user made, without deleted ones; containers of pools that others made are not here`,
    }),
  }),
]);
export type UserRecord = Static<typeof UserRecord>;

export const USERS_PAGE = { standard: 50, max: 500 };
export const USERS_SORT = sorting("-created_at", { created_at: "time", username: "text", email: "text" });
export const UsersQuery = Strict({
  ...offsetQuery(USERS_PAGE, USERS_SORT),
  search: Type.Optional(
    Text({
      minLength: 1,
      maxLength: 254,
      description: "an id, or a part of a user name or e-mail address, in any case of letters",
    }),
  ),
  status: Type.Optional(UserStatus),
});

/** Why an administrator closes or opens an account. */
export const ChangeSuspension = Strict({ reason: Name(500) });

/** Who gets or loses the power of an administrator, and why. */
export const ChangeUser = Strict({
  role: Role,
  reason: Name(500),
  ...Proven.properties,
});

export const UsersReply = Reply(
  Type.Object({ users: Type.Array(ManagedUser), total: Type.Integer(), pagination: CursorPagination }),
);
export const UserRecordReply = Reply(UserRecord);
