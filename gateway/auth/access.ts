import type { Caller, Credential } from "../../schemas/accounts/auth.ts";
import { DomainError } from "../../schemas/errors.ts";
import { IMPERSONATION_PERMISSIONS, type Permission, REALM_PERMISSIONS } from "../../schemas/permissions.ts";

/** Who may use a route. Each route states one of these; a route without one does not start. */
export type Access =
  /** A caller whose credential has the permission. An account login has every permission of its user. */
  | { readonly kind: "permission"; readonly permission: Permission; readonly realm: boolean }
  /** A caller with an account login, and with no other credential (spec, control plane §5.3, §5.4). */
  | { readonly kind: "account login" }
  /** An administrator with an account login. */
  | { readonly kind: "administrator" }
  /** Anyone, without a credential. */
  | { readonly kind: "public"; readonly reason: string };

/** The access of routes that need a credential. */
export type GuardedAccess = Exclude<Access, { kind: "public" }>;

/**
 * The reason why a caller may not use a route, or undefined if the caller may. Whatever is not allowed here is
 * denied.
 */
export function denialOf(access: GuardedAccess, caller: Caller): DomainError | undefined {
  const isAccountLogin = caller.credential === "account";
  switch (access.kind) {
    case "permission":
      return isAccountLogin ? undefined : permissionDenialOf(access, caller);
    case "account login":
      return isAccountLogin
        ? undefined
        : refused("This needs an account login; no other credential is accepted");
    case "administrator":
      if (caller.role !== "admin") return refused("Only administrators may do this");
      return isAccountLogin
        ? undefined
        : refused("This needs an account login; no other credential is accepted");
  }
}

function permissionDenialOf(
  { permission, realm }: Extract<Access, { kind: "permission" }>,
  { permissions, realmId }: Caller,
): DomainError | undefined {
  if (realmId !== undefined && !realm)
    return refused("A credential that is bound to a realm cannot access this");
  if (permissions?.includes(permission)) return undefined;
  return refused(`The credential lacks the permission ${permission}`, { permission });
}

const refused = (message: string, data?: Record<string, unknown>) =>
  new DomainError("INSUFFICIENT_PERMISSIONS", message, data);

/** The kinds of credential that a route accepts, for its documentation. */
export function credentialsFor(access: Access): readonly Credential[] {
  if (access.kind === "public") return [];
  if (access.kind !== "permission") return ["account"];
  const { permission, realm } = access;
  return [
    "account",
    "api_token",
    "basic",
    ...(IMPERSONATION_PERMISSIONS.includes(permission) ? (["impersonation"] as const) : []),
    ...(realm && REALM_PERMISSIONS.includes(permission) ? (["realm"] as const) : []),
  ];
}
