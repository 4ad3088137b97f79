import type { Caller } from "../../schemas/accounts/auth.ts";

/**
 * Whether a caller may access a project's resources. A realm is a project; a credential without a realm is not
 * restricted to one.
 */
export const inRealm = (caller: Pick<Caller, "realmId">, projectId: string | null): boolean =>
  caller.realmId === undefined || caller.realmId === projectId;
