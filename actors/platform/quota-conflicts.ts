import { type QuotaName, quotaExceeded } from "../../schemas/accounts/quota.ts";
import type { Conflict } from "../runtime/definition.ts";

/**
 * The refusals of quotas that the database enforces, for an actor's `conflicts`. A trigger on the actor's table counts what all actors of a
 * user, project or server inserted, and violates `quota_<name>`.
 */
export const quotaConflicts = (...quotas: readonly QuotaName[]): Record<string, Conflict> =>
  Object.fromEntries(
    quotas.map((quota) => [
      `quota_${quota}`,
      (detail: string) => {
        const { limit, used } = JSON.parse(detail) as { limit: number; used: number };
        return quotaExceeded(quota, limit, used);
      },
    ]),
  );
