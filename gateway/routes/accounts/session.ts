import { Elysia } from "elysia";
import { listSessions } from "../../../actors/accounts/account/queries.ts";
import {
  EndSessionsQuery,
  SESSIONS_LIMIT,
  SESSIONS_SORT,
  SessionsEndedReply,
  SessionsQuery,
  SessionsReply,
} from "../../../schemas/accounts/account.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { firstParty } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { done, errors, ok } from "../../http/envelope.ts";
import { numberedPage, numberedPagination, ownList } from "../../http/paging.ts";

/** The sessions of a user (docs/decisions/0020-access.md). */
export const sessionRoutes = ({ db, actors, credentials, announceEndedSessions }: GatewayContext) =>
  new Elysia({ prefix: "/api/v1/auth/sessions", detail: { tags: ["Accounts"] } })
    .use(firstParty(credentials))
    .get(
      "/",
      async ({ caller, query }) => {
        const page = numberedPage(ownList("sessions", caller), query, SESSIONS_LIMIT, SESSIONS_SORT);
        const { rows: sessions, next, total } = await listSessions(db, caller.userId, page);
        return ok("Sessions", {
          sessions: sessions.map((session) => ({ ...session, current: session.id === caller.sessionId })),
          pagination: numberedPagination(page, next, total),
        });
      },
      {
        query: SessionsQuery,
        response: { 200: SessionsReply },
        detail: { summary: "Your sessions, the last used first" },
      },
    )
    .delete(
      "/",
      async ({ caller, query, operation }) => {
        const keep_session_id = query.keep_current === "true" ? caller.sessionId : null;
        const { value } = await actors.account(caller.userId).end_sessions({ keep_session_id }, operation);
        await announceEndedSessions(caller.userId, value.ended);
        return ok("Sessions ended", { ended: value.ended.length });
      },
      {
        query: EndSessionsQuery,
        response: { 200: SessionsEndedReply },
        detail: {
          summary: "End all your sessions",
          description:
            "Their tokens are refused from now on, and their connections to containers are closed. With `keep_current=true` the session " +
            "of this request continues. API tokens are not sessions: delete them one by one.",
        },
      },
    )
    .delete(
      "/:id",
      async ({ caller, params, operation }) => {
        await actors.account(caller.userId).end_session({ session_id: params.id }, operation);
        await announceEndedSessions(caller.userId, [params.id]);
        return done("Session ended");
      },
      {
        params: IdParams,
        response: { 200: EmptyReply, ...errors("SESSION_NOT_FOUND") },
        detail: { summary: "End one of your sessions, wherever it was begun" },
      },
    );
