import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { ServerSpecs } from "../market/server.ts";
import { ListReply, listQuery, namedListQuery } from "../paging.ts";
import { Id, Strict, Timestamp } from "../primitives.ts";
import { OLDEST_FIRST, sorting } from "../sorting.ts";
import { Name, Text } from "../text.ts";

/** Pools: servers that a team shares (spec, control plane §2 "Pool", §4.4). */

export const MemberRole = Type.Union([Type.Literal("admin"), Type.Literal("user")]);
export const Role = Type.Union([Type.Literal("owner"), Type.Literal("admin"), Type.Literal("user")]);
export type Role = Static<typeof Role>;

const Description = Text({ maxLength: 500 });
/** Only clients interpret `settings`, so they are stored and returned unchanged. The pool's actor limits their size. */
const Settings = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
  description: "free-form; at most 16 KiB as JSON",
});
export const SETTINGS_BYTES_MAX = 16 * 1024;

export const CreatePool = Strict({
  name: Name(100),
  description: Type.Optional(Description),
  settings: Type.Optional(Settings),
});
export type CreatePool = Static<typeof CreatePool>;

/** Missing fields stay unchanged; `settings` are replaced as a whole. */
export const ChangePool = Strict(
  { description: Type.Optional(Description), settings: Type.Optional(Settings) },
  { minProperties: 1 },
);
export type ChangePool = Static<typeof ChangePool>;

export const InviteMember = Strict({
  username: Type.String({
    pattern: "^[a-zA-Z0-9_-]{1,100}$",
    description: "1 to 100 letters, digits, _ and -",
  }),
  role: MemberRole,
});
export const ChangeMember = Strict({ role: MemberRole });

export const PoolSummary = Type.Object({
  id: Id,
  owner_id: Id,
  name: Type.String(),
  description: Type.String(),
  settings: Type.Record(Type.String(), Type.Unknown()),
  is_default: Type.Boolean({ description: "the pool of rentals that name no other; it cannot be deleted" }),
  role: Role,
  member_count: Type.Integer({ description: "including the owner" }),
  server_count: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type PoolSummary = Static<typeof PoolSummary>;

export const PoolMember = Type.Object({
  user_id: Id,
  username: Type.String(),
  role: Role,
  joined_at: Timestamp,
});
export type PoolMember = Static<typeof PoolMember>;

const PoolServer = Type.Object({
  rental_id: Id,
  server_id: Id,
  server_name: Type.String(),
  specs: ServerSpecs,
  host_joined: Type.Boolean({ description: "whether containers can run there: its host has joined" }),
  rental_end: Timestamp,
});

export const Invitation = Type.Object({
  id: Id,
  pool_id: Id,
  pool_name: Type.String(),
  user_id: Id,
  username: Type.String(),
  role: MemberRole,
  invited_by: Type.String({ description: "user name" }),
  status: Type.Union([
    Type.Literal("pending"),
    Type.Literal("accepted"),
    Type.Literal("rejected"),
    Type.Literal("withdrawn"),
  ]),
  created_at: Timestamp,
});
export type Invitation = Static<typeof Invitation>;

export const PoolDetail = Type.Composite([
  PoolSummary,
  Type.Object({
    members: Type.Array(PoolMember, { description: "the owner first" }),
    servers: Type.Array(PoolServer),
    invitations: Type.Array(Invitation, {
      description: "pending ones; empty for members who may not invite",
    }),
  }),
]);
export type PoolDetail = Static<typeof PoolDetail>;

export const PoolReply = Reply(PoolDetail);
/** `default_first`: the default pool first, the others by age. */
export const POOLS_SORT = sorting("default_first", {
  default_first: "text",
  name: "text",
  created_at: "time",
});
export const PoolsQuery = namedListQuery(POOLS_SORT);
export const PoolsReply = ListReply(PoolSummary);
export const MemberReply = Reply(PoolMember);
export const InvitationReply = Reply(Invitation);
export const InvitationsQuery = listQuery(OLDEST_FIRST);
export const InvitationsReply = ListReply(Invitation);
