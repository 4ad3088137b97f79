import type { Caller } from "../../schemas/accounts/auth.ts";

/** Whether what hangs on this project is within reach: a realm is a project, and a credential without one reaches all. */
export const inRealm = (caller: Pick<Caller, "realmId">, projectId: string | null): boolean =>
  caller.realmId === undefined || caller.realmId === projectId;
