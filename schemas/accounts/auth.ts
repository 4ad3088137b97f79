import { type Static, Type } from "@sinclair/typebox";
import type { Permission } from "../permissions.ts";
import { Id } from "../primitives.ts";

/** Callers: the claims of access tokens, and the verified caller of a request (spec, control plane §5). */

export const TOKEN_ISSUER = "berth";
export const TOKEN_AUDIENCE = "berth-api";
/** The audience of a token that opens one container, and nothing else. */
export const CONTAINER_AUDIENCE = "berth-container";
/** The audience of what a sign-in has to answer before it gives a token. */
export const CHALLENGE_AUDIENCE = "berth-challenge";
export const TOKEN_ALGORITHM = "EdDSA";
/** RFC 9068: keeps an access token apart from any other token that the same key may ever sign. */
export const ACCESS_TOKEN_TYPE = "at+jwt";
export const CONTAINER_TOKEN_TYPE = "container+jwt";
export const CHALLENGE_TOKEN_TYPE = "challenge+jwt";
/** How far the clocks of two machines may differ. */
export const CLOCK_TOLERANCE_SECONDS = 5;
/** Short, because a leaked token is valid until it expires or its session ends. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

export const Role = Type.Union([Type.Literal("user"), Type.Literal("admin")]);
export type Role = Static<typeof Role>;

/** Claims of an access token besides `iss`, `aud`, `iat` and `exp`. Without `cred` it is a first-party account login. */
export const AccessClaims = Type.Object({
  sub: Id,
  /** The session with which the token ends: the user's own, or that of the impersonating administrator. */
  sid: Id,
  role: Role,
  username: Type.String(),
  cred: Type.Optional(Type.Union([Type.Literal("impersonation"), Type.Literal("realm")])),
  /** Who acts as the subject (RFC 8693 §4.1). */
  act: Type.Optional(Type.Object({ sub: Id })),
  /** The realm that the token is bound to. */
  realm_id: Type.Optional(Id),
});
export type AccessClaims = Static<typeof AccessClaims>;

/** It stands in a policy of frames, so nothing in it may end a word or a rule. */
const CONSOLE_ORIGIN = "^https?://[A-Za-z0-9.:\\[\\]-]+$";
/** A host name has at most 253 characters. */
const CONSOLE_ORIGIN_CHARS_MAX = 300;

/** Claims of a token for one container besides `iss`, `aud`, `iat` and `exp`. */
export const ContainerClaims = Type.Object({
  sub: Id,
  /** The session or the API token that requested the token, and with which it ends. */
  sid: Id,
  /** The owner of that session if that is not the subject but an impersonating administrator. */
  act: Type.Optional(Type.Object({ sub: Id })),
  container_id: Id,
  /** When everything opened with it is closed, in seconds since the epoch. No cookie of an edge lasts longer. */
  session_exp: Type.Integer(),
  /** The origin of the console, whose pages alone may show the container's services in a frame. */
  console: Type.Optional(Type.String({ maxLength: CONSOLE_ORIGIN_CHARS_MAX, pattern: CONSOLE_ORIGIN })),
});
export type ContainerClaims = Static<typeof ContainerClaims>;

/** Long enough to open a terminal. */
export const CONTAINER_TOKEN_SECONDS = 5 * 60;
/** How long a sign-in may use a container before it needs another token. */
export const EDGE_SESSION_SECONDS = 12 * 60 * 60;
/** The same for other credentials than a sign-in: an API token, a realm session, an impersonation. */
export const BRIEF_EDGE_SESSION_SECONDS = 15 * 60;
/** How long a host remembers that a session ended. By then its last token, and everything opened with that token, has expired. */
export const ENDED_SESSION_SECONDS = EDGE_SESSION_SECONDS + ACCESS_TOKEN_SECONDS + CLOCK_TOLERANCE_SECONDS;

/** The kind of a caller's credential (design §3 "Credentials"). */
export type Credential = "account" | "api_token" | "basic" | "impersonation" | "realm";

/** The sender of a request, verified. */
export interface Caller {
  readonly userId: string;
  readonly username: string;
  readonly role: Role;
  /** The session of an access token; the id of an API token. */
  readonly sessionId: string;
  readonly credential: Credential;
  /** The administrator who acts as the user, and who owns the session. */
  readonly impersonatorId?: string;
  /** When the credential expires; undefined for an account login, which is refreshed. */
  readonly endsAtMs?: number;
  /** The permissions of the credential. An account login has no such list, and may do everything that its user may. */
  readonly permissions?: readonly Permission[];
  /** The project that the credential is limited to (docs/decisions/0024-credentials-and-permissions.md). */
  readonly realmId?: string;
}
