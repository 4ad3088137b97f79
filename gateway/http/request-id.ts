import { Elysia } from "elysia";
import { ValidationError } from "../../schemas/errors.ts";
import { currentOrigin, readOrigin, runFor } from "../../system/origin.ts";
import { assertStorableUrl } from "./url-text.ts";

/** Request ids of other systems are accepted in this form, which cannot break a header or a log line. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Gives each request an id: the caller's `X-Request-Id` if it is well formed, else a new one. It is on every response
 * that leaves through the app, errors included, in every log line of the request, and in its messages to actors and hosts.
 * So is the caller's `traceparent`.
 */
export const requestIds = () =>
  new Elysia({ name: "request-ids" })
    .wrap(
      (handle) =>
        (request: Request, ...rest: unknown[]) =>
          runFor(originOf(request), () => handle(request, ...rest)),
    )
    .decorate("requestId", "")
    .onRequest((ctx) => {
      ctx.requestId = currentOrigin()?.request_id ?? crypto.randomUUID();
      ctx.set.headers["x-request-id"] = ctx.requestId;
      assertOneHost(ctx.request);
      assertStorableUrl(ctx.request.url);
    });

function originOf({ headers }: Request) {
  const sent = headers.get("x-request-id");
  const request_id = sent !== null && REQUEST_ID.test(sent) ? sent : crypto.randomUUID();
  const traceparent = headers.get("traceparent");
  return (traceparent !== null && readOrigin({ request_id, traceparent })) || { request_id };
}

/** Two `Host` fields (RFC 9112 §3.2), which Bun joins by a comma: a proxy before Berth may have read the other one. */
function assertOneHost({ headers }: Request): void {
  if (headers.get("host")?.includes(",")) throw new ValidationError("header.Host", "must be given once");
}
