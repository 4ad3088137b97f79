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

/** What a route that takes no credential never asks. */
export type GuardedAccess = Exclude<Access, { kind: "public" }>;

/** Why the caller may not use the route, or undefined where the caller may. What is not allowed here is refused. */
export function refusalOf(access: GuardedAccess, caller: Caller): DomainError | undefined {
  const isAccountLogin = caller.credential === "account";
  switch (access.kind) {
    case "permission":
      return isAccountLogin ? undefined : refusalOfPermission(access, caller);
    case "account login":
      return isAccountLogin ? undefined : refused("This takes an account login, and no other credential");
    case "administrator":
      if (caller.role !== "admin") return refused("This is for administrators");
      return isAccountLogin ? undefined : refused("This takes an account login, and no other credential");
  }
}

function refusalOfPermission(
  { permission, realm }: Extract<Access, { kind: "permission" }>,
  { permissions, realmId }: Caller,
): DomainError | undefined {
  if (realmId !== undefined && !realm)
    return refused("A credential that is bound to a realm does not reach this");
  if (permissions?.includes(permission)) return undefined;
  return refused(`The credential lacks the permission ${permission}`, { permission });
}

const refused = (message: string, data?: Record<string, unknown>) =>
  new DomainError("INSUFFICIENT_PERMISSIONS", message, data);

/** The kinds of credential that a route takes, for its documentation. */
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
