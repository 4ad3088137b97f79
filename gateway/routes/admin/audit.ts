import { Elysia } from "elysia";
import { listPrivilegedActs } from "../../../actors/accounts/audit/queries.ts";
import { AdminAuditQuery, AdminAuditReply } from "../../../schemas/accounts/audit.ts";
import { LIST_PAGE } from "../../../schemas/paging.ts";
import { NEWEST_FIRST } from "../../../schemas/sorting.ts";
import { admin } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { ok } from "../../http/envelope.ts";
import { cursorPagination, listPage } from "../../http/paging.ts";
import { timeIn } from "../../http/time.ts";

/** What administrators did (docs/decisions/0058-operators.md). */
export const adminAuditRoutes = ({ db, credentials }: GatewayContext) =>
  new Elysia({ prefix: "/api/v1/admin/audit", detail: { tags: ["Administration"] } })
    .use(admin(credentials))
    .get(
      "/",
      async ({ query }) => {
        const page = listPage("admin/audit", query, LIST_PAGE, NEWEST_FIRST);
        const filter = {
          act: query.act,
          byId: query.by_id,
          userId: query.user_id,
          resourceId: query.resource_id,
          requestId: query.request_id,
          start: query.start_date === undefined ? undefined : timeIn("query.start_date", query.start_date),
          end: query.end_date === undefined ? undefined : timeIn("query.end_date", query.end_date),
        };
        const { rows: entries, next } = await listPrivilegedActs(db, filter, page);
        return ok("Audit log", { entries, count: entries.length, pagination: cursorPagination(page, next) });
      },
      {
        query: AdminAuditQuery,
        response: { 200: AdminAuditReply },
        detail: {
          summary: "What administrators did, newest first",
          description:
            "Every change that only administrators may make: who made it, what it was, whom or what it concerns, and by which request from " +
            "which address. An entry is written in the commit of its act, and nobody can delete it.",
        },
      },
    );
