import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { numberedQuery, Pagination, QueryFlag } from "../paging.ts";
import { Id, Nullable, Strict, Timestamp } from "../primitives.ts";
import { sorting } from "../sorting.ts";
import { Text } from "../text.ts";

/** Accounts and their sessions (design §3 "Credentials"). */

/** The alphabet of a pool member's name (spec, control plane §4.4). */
export const Username = Text({
  minLength: 1,
  maxLength: 100,
  pattern: "^[a-zA-Z0-9_-]+$",
  description: "letters a to z, digits, - and _",
});
export const Email = Text({
  minLength: 3,
  maxLength: 254,
  // Without what mail programs read as more than one address, or as another one: quotes, comments, groups, lists.
  pattern: '^[^\\s@<>()\\[\\],;:\\\\"]+@[^\\s@<>()\\[\\],;:\\\\"]+\\.[^\\s@<>()\\[\\],;:\\\\"]+$',
  description: "an e-mail address, such as ann@example.com",
});
/** Argon2id reads the whole password, so its length is bounded. */
export const Password = Text({ minLength: 10, maxLength: 256 });

export const Signup = Strict({ username: Username, email: Email, password: Password });
export type Signup = Static<typeof Signup>;

export const Login = Strict({
  username: Type.Optional(
    Text({ minLength: 1, maxLength: 100, description: "one of `username` and `email`" }),
  ),
  email: Type.Optional(Text({ minLength: 1, maxLength: 254, description: "one of `username` and `email`" })),
  password: Text({ minLength: 1, maxLength: 256 }),
});
export type Login = Static<typeof Login>;

export const RefreshToken = Strict({ refresh_token: Text({ minLength: 1, maxLength: 200 }) });

export const UserRole = Type.Union([Type.Literal("user"), Type.Literal("admin")]);

export const User = Type.Object({
  id: Id,
  username: Type.String(),
  email: Type.String(),
  role: UserRole,
  created_at: Timestamp,
});
export type User = Static<typeof User>;

export const SessionReply = Reply(
  Type.Object({
    user: User,
    access_token: Type.String({ description: "EdDSA JWT, for the header `Authorization: Bearer`" }),
    refresh_token: Type.String({ description: "single use: each refresh returns a new one" }),
    expires_in: Type.Integer({ description: "seconds until the access token expires" }),
  }),
);
export const UserReply = Reply(User);

/** An active session. */
export const SessionInfo = Type.Object({
  id: Id,
  created_at: Timestamp,
  last_used_at: Timestamp,
  expires_at: Timestamp,
  address: Nullable(Type.String({ description: "the client's address at the sign-in" })),
  user_agent: Nullable(Type.String({ description: "the `User-Agent` of the client at the sign-in" })),
  program: Type.String({ description: 'what that names: "Chrome 130 on Linux", or "an unknown program"' }),
  current: Type.Boolean({ description: "whether it is the session of this request" }),
});
export type SessionInfo = Static<typeof SessionInfo>;

export const SESSIONS_LIMIT = { standard: 50, max: 100 };
export const SESSIONS_SORT = sorting("-last_used_at", { last_used_at: "time", created_at: "time" });
export const SessionsQuery = Strict(numberedQuery(SESSIONS_LIMIT, SESSIONS_SORT));
export const SessionsReply = Reply(
  Type.Object({ sessions: Type.Array(SessionInfo), pagination: Pagination }),
);
export const EndSessionsQuery = Strict({
  keep_current: Type.Optional(
    Type.Unsafe<"true" | "false">({
      ...QueryFlag,
      description: "`true`: all sessions except the one of this request; `false` (default): that one too",
    }),
  ),
});
export const SessionsEndedReply = Reply(
  Type.Object({ ended: Type.Integer({ description: "the number of ended sessions" }) }),
);
