import { headers, type MsgHdrs } from "nats";
import { REQUEST_ID_HEADER, TRACEPARENT_HEADER } from "../../schemas/origin.ts";
import { currentOrigin } from "../../system/origin.ts";

/** What a message to a host says of the request that it is for. */
export function originHeaders(): { headers?: MsgHdrs } {
  const { request_id, traceparent } = currentOrigin() ?? {};
  if (request_id === undefined) return {};
  const all = headers();
  all.set(REQUEST_ID_HEADER, request_id);
  if (traceparent !== undefined) all.set(TRACEPARENT_HEADER, traceparent);
  return { headers: all };
}
