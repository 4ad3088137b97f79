import { Elysia } from "elysia";
import type { Caller } from "../../../schemas/accounts/auth.ts";
import { ValidationError } from "../../../schemas/errors.ts";
import {
  type ContainerLog,
  ContainerLogReply,
  type HostLogsReply,
  type HostLogsRequest,
  LOG_PAGE,
  LogsQuery,
  logCursor,
  positionOf,
} from "../../../schemas/hosting/container-log.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { EVENT_STREAM_TYPE } from "../../../system/server-sent-events.ts";
import { callerOf, signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";
import { wholeNumber } from "../../http/query.ts";
import { timeIn } from "../../http/time.ts";
import { reachableContainer } from "./container.ts";

/** How often a stream checks that its user may still read the container; that its credential is valid it checks each second. */
const REACH_CHECK_MS = 2_000;
/** How long a client may take to read the rest of a stream that has ended. */
const ENDED_SECONDS = 30;

/** The position to read on from; null for none. @throws VALIDATION_ERROR for one of another container's log */
function afterOf(containerId: string, cursor: string | undefined, lastEventId: string | null): string | null {
  const asked = lastEventId ?? cursor;
  if (asked === undefined) return null;
  const position = positionOf(containerId, asked);
  if (position !== undefined) return position;
  if (lastEventId === null)
    throw new ValidationError("query.cursor", "must be the `cursor` of a reply about this container's log");
  throw new ValidationError("headers.last-event-id", "must be the id of an event of this log");
}

/** What the host is asked for first. @throws VALIDATION_ERROR */
function requestOf(container_id: string, query: LogsQuery, lastEventId: string | null): HostLogsRequest {
  const { tail, since, cursor, stream = null } = query;
  if (cursor !== undefined && (tail !== undefined || since !== undefined))
    throw new ValidationError("query.cursor", "must not be combined with tail or since");
  const after = afterOf(container_id, cursor, lastEventId);
  const isBounded = tail !== undefined || (since === undefined && after === null);
  return {
    container_id,
    after,
    tail: isBounded ? Math.min(wholeNumber("tail", tail, LOG_PAGE.standard, 0), LOG_PAGE.max) : null,
    since_ms: since === undefined || after !== null ? null : timeIn("query.since", since).getTime(),
    stream,
    limit: Math.min(
      wholeNumber("limit", query.limit, tail === undefined ? LOG_PAGE.standard : LOG_PAGE.max, 1),
      LOG_PAGE.max,
    ),
    wait_ms: 0,
  };
}

const logOf = (id: string, { lines, position, has_more, dropped }: HostLogsReply): ContainerLog => ({
  lines: lines.map(({ position: _, ...line }) => line),
  cursor: logCursor(id, position),
  has_more,
  dropped,
});

/** What a container has written, from its host. */
export const containerLogRoutes = (context: GatewayContext) => {
  const { credentials, readLog, logStreams } = context;

  /** Rejects when the caller's credential, or the access to the container, has ended. */
  const authorization = (caller: Caller, id: string, connection: Parameters<typeof callerOf>[1]) => {
    let nextCheckMs = performance.now() + REACH_CHECK_MS;
    return async () => {
      await callerOf(credentials, connection);
      if (performance.now() < nextCheckMs) return;
      nextCheckMs = performance.now() + REACH_CHECK_MS;
      await reachableContainer(context, caller, "read", id);
    };
  };

  return new Elysia({ prefix: "/api/v1/containers", detail: { tags: ["Containers"] } })
    .use(signedIn(credentials, "resources.read", { realm: true }))
    .get(
      "/:id/logs",
      async ({ caller, params, query, request, server }) => {
        const { id, server_name } = await reachableContainer(context, caller, "read", params.id);
        const follows = query.follow === "true";
        const asked = requestOf(id, query, follows ? request.headers.get("last-event-id") : null);
        const page = await readLog(server_name, asked);
        if (!follows) return Response.json(ok("Log", logOf(id, page)));
        const body = logStreams.open(
          {
            userId: caller.userId,
            idOf: (position) => logCursor(id, position),
            read: (after, wait_ms) =>
              readLog(server_name, { ...asked, after, tail: null, since_ms: null, wait_ms }),
            isStillAuthorized: authorization(caller, id, { request, server }),
            // A client that was disconnected and does not read must not keep its connection.
            onEnd: () => server?.timeout(request, ENDED_SECONDS),
          },
          page,
        );
        // No idle timeout: keepalives find connections whose client is gone.
        server?.timeout(request, 0);
        return new Response(body, { headers: { "content-type": EVENT_STREAM_TYPE } });
      },
      {
        params: IdParams,
        query: LogsQuery,
        response: { 200: ContainerLogReply, ...errors("CONTAINER_NOT_FOUND", "HOST_SILENT") },
        detail: {
          summary: "What a container has written to stdout and stderr",
          description:
            "The container's host keeps the newest 8 MiB at least, also of former runs. Without `cursor` the reply has the newest lines; `cursor` of a reply leads to those after it. " +
            "With `follow=true` the reply is a stream of Server-Sent Events, whose `data` is JSON: `line` has a line, and `dropped` says that lines are lost before the next one, because the log was full before they were read. " +
            "After a broken connection the stream goes on behind the event of the header `Last-Event-ID`. It ends when the credential or the access to the container ends. A user may follow ten logs.",
        },
      },
    );
};
