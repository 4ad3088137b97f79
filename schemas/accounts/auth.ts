import { type Static, Type } from "@sinclair/typebox";
import type { Permission } from "../permissions.ts";
import { Id } from "../primitives.ts";

/** Who may call: what an access token claims, and what a verified request knows of its caller (spec, control plane §5). */

export const TOKEN_ISSUER = "berth";
export const TOKEN_AUDIENCE = "berth-api";
/** Of a token that opens one container, and nothing else. */
export const CONTAINER_AUDIENCE = "berth-container";
export const TOKEN_ALGORITHM = "EdDSA";
/** RFC 9068: keeps an access token apart from any other token that the same key may ever sign. */
export const ACCESS_TOKEN_TYPE = "at+jwt";
export const CONTAINER_TOKEN_TYPE = "container+jwt";
/** Clocks of two machines may differ by this much. */
export const CLOCK_TOLERANCE_SECONDS = 5;
/** Short, since a token that leaked is good until it expires or its session ends. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

export const Role = Type.Union([Type.Literal("user"), Type.Literal("admin")]);
export type Role = Static<typeof Role>;

/** Claims of an access token besides `iss`, `aud`, `iat` and `exp`. Without `cred` it is a first-party account login. */
export const AccessClaims = Type.Object({
  sub: Id,
  /** The session with which it ends: the user's own, or that of the administrator who impersonates. */
  sid: Id,
  role: Role,
  username: Type.String(),
  cred: Type.Optional(Type.Union([Type.Literal("impersonation"), Type.Literal("realm")])),
  /** Who acts as the subject (RFC 8693 §4.1). */
  act: Type.Optional(Type.Object({ sub: Id })),
  /** The realm that it is bound to. */
  realm_id: Type.Optional(Id),
});
export type AccessClaims = Static<typeof AccessClaims>;

/** Claims of a token for one container besides `iss`, `aud`, `iat` and `exp`. */
export const ContainerClaims = Type.Object({
  sub: Id,
  /** The session in which it was made, or the API token by which: with that it ends. */
  sid: Id,
  /** Whose session that is, where it is not the subject's: the administrator who impersonates. */
  act: Type.Optional(Type.Object({ sub: Id })),
  container_id: Id,
  /** When everything that was opened with it is closed, in seconds since the epoch: no cookie of an edge outlasts it. */
  session_exp: Type.Integer(),
});
export type ContainerClaims = Static<typeof ContainerClaims>;

/** Long enough to open a terminal. */
export const CONTAINER_TOKEN_SECONDS = 5 * 60;
/** How long a sign-in may use a container before it asks for another token. */
export const EDGE_SESSION_SECONDS = 12 * 60 * 60;
/** The same of a borrowed credential: an API token, a realm's, an administrator's who acts as the user. */
export const BRIEF_EDGE_SESSION_SECONDS = 15 * 60;
/** How long a host remembers that a session ended: the last token made in it, and whatever was opened with that, is over by then. */
export const ENDED_SESSION_SECONDS = EDGE_SESSION_SECONDS + ACCESS_TOKEN_SECONDS + CLOCK_TOLERANCE_SECONDS;

/** How a caller proved who they are (design §3 "Credentials"). */
export type Credential = "account" | "api_token" | "basic" | "impersonation" | "realm";

/** The one who makes a request. */
export interface Caller {
  readonly userId: string;
  readonly username: string;
  readonly role: Role;
  /** The session of an access token; the id of an API token. */
  readonly sessionId: string;
  readonly credential: Credential;
  /** The administrator who acts as the user: the session is that administrator's. */
  readonly impersonatorId?: string;
  /** When the credential ends by itself; an account login, which is refreshed, goes on. */
  readonly endsAtMs?: number;
  /** What the credential may do; an account login, which has none, may do all that its user may. */
  readonly permissions?: readonly Permission[];
  /** The project that the credential is bound to: it reaches nothing else (docs/decisions/0024-credentials-and-permissions.md). */
  readonly realmId?: string;
}
