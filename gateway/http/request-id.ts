import { Elysia } from "elysia";
import { ValidationError } from "../../schemas/errors.ts";
import { assertStorableUrl } from "./url-text.ts";

/** Request ids of other systems are accepted in this form, which cannot break a header or a log line. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Gives each request an id: the caller's `X-Request-Id` if it is well formed, else a new one. It is on every response
 * that leaves through the app, errors included, and in the context as `requestId` for log lines.
 */
export const requestIds = () =>
  new Elysia({ name: "request-ids" }).decorate("requestId", "").onRequest((ctx) => {
    const sent = ctx.request.headers.get("x-request-id");
    ctx.requestId = sent !== null && REQUEST_ID.test(sent) ? sent : crypto.randomUUID();
    ctx.set.headers["x-request-id"] = ctx.requestId;
    assertOneHost(ctx.request);
    assertStorableUrl(ctx.request.url);
  });

/** Two `Host` fields (RFC 9112 §3.2), which Bun joins by a comma: a proxy before Berth may have read the other one. */
function assertOneHost({ headers }: Request): void {
  if (headers.get("host")?.includes(",")) throw new ValidationError("header.Host", "must be given once");
}
