import { type Static, Type } from "@sinclair/typebox";
import { Id } from "./primitives.ts";

/** Who may call: what an access token claims, and what a verified request knows of its caller (spec, control plane §5). */

export const TOKEN_ISSUER = "berth";
export const TOKEN_AUDIENCE = "berth-api";
/** Short, since a token that leaked is good until it expires or its session ends. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

export const Role = Type.Union([Type.Literal("user"), Type.Literal("admin")]);
export type Role = Static<typeof Role>;

/** Claims of a first-party access token besides `iss`, `aud`, `iat` and `exp`. */
export const AccessClaims = Type.Object({
  sub: Id,
  sid: Id,
  role: Role,
  username: Type.String(),
});
export type AccessClaims = Static<typeof AccessClaims>;

/** The one who makes a request. `credential` grows with the kinds of credentials. */
export interface Caller {
  readonly userId: string;
  readonly username: string;
  readonly role: Role;
  readonly sessionId: string;
  readonly credential: "account";
}
