import { Elysia } from "elysia";
import { readPool } from "../../../actors/accounts/pool/queries.ts";
import { readProject } from "../../../actors/accounts/project/queries.ts";
import { readQuotaUse } from "../../../actors/accounts/quota/queries.ts";
import { readContainer } from "../../../actors/hosting/container/queries.ts";
import { readRentedServer } from "../../../actors/market/server/queries.ts";
import {
  QUOTA_NAMES,
  QUOTAS,
  QuotaQuery,
  type QuotaScope,
  QuotasReply,
  type QuotaUse,
} from "../../../schemas/accounts/quota.ts";
import { DomainError, type ErrorCode } from "../../../schemas/errors.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";

/** The caller's quotas, with limits and use (docs/limits.md). */
export const quotaRoutes = ({ db, credentials, quotas }: GatewayContext) => {
  /** Only owners and members may read a scope's use; for everyone else the scope does not exist. */
  const reads: Record<Exclude<QuotaScope, "user">, (userId: string, id: string) => Promise<unknown>> = {
    project: (userId, id) => readProject(db, userId, id),
    pool: (userId, id) => readPool(db, userId, id),
    server: (userId, id) => readRentedServer(db, userId, id),
    container: (userId, id) => readContainer(db, userId, id),
  };
  const assertReachable = async (scope: keyof typeof reads, userId: string, id: string | undefined) => {
    if (id === undefined || (await reads[scope](userId, id)) !== undefined) return;
    throw new DomainError(NOT_FOUND[scope], `${scope} not found`);
  };

  return new Elysia({ prefix: "/api/v1/quotas", detail: { tags: ["Accounts"] } })
    .use(signedIn(credentials, "resources.read_account"))
    .get(
      "/",
      async ({ caller: { userId }, query }) => {
        const scopeIds: Record<QuotaScope, string | undefined> = {
          user: userId,
          project: query.project_id,
          pool: query.pool_id,
          server: query.server_id,
          container: query.container_id,
        };
        await Promise.all(
          (["project", "pool", "server", "container"] as const).map((scope) =>
            assertReachable(scope, userId, scopeIds[scope]),
          ),
        );
        const asked = QUOTA_NAMES.flatMap((quota) => {
          const scopeId = scopeIds[QUOTAS[quota].scope];
          return scopeId === undefined ? [] : [{ quota, scopeId }];
        });
        const used = await readQuotaUse(db, asked);
        const found = QUOTA_NAMES.map((quota): QuotaUse => {
          const { scope, description } = QUOTAS[quota];
          const limit = quotas[quota];
          return {
            quota,
            description,
            scope,
            scope_id: scopeIds[scope] ?? null,
            limit,
            used: used.get(quota) ?? null,
          };
        });
        return ok("Quotas", { quotas: found, count: found.length });
      },
      {
        query: QuotaQuery,
        response: {
          200: QuotasReply,
          ...errors("PROJECT_NOT_FOUND", "POOL_NOT_FOUND", "SERVER_NOT_FOUND", "CONTAINER_NOT_FOUND"),
        },
        detail: {
          summary: "List quotas with their limits and use",
          description:
            "Every quota is listed. `used` is known for the quotas of your account, and for those of the project, pool, server and container " +
            "that the query names. A request that would go past a limit gets 403 QUOTA_EXCEEDED, with the quota in `data`.",
        },
      },
    );
};

const NOT_FOUND = {
  project: "PROJECT_NOT_FOUND",
  pool: "POOL_NOT_FOUND",
  server: "SERVER_NOT_FOUND",
  container: "CONTAINER_NOT_FOUND",
} as const satisfies Record<string, ErrorCode>;
