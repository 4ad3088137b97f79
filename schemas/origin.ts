import { type Static, Type } from "@sinclair/typebox";

/** Where a message comes from: it goes with the message through all processes, for their logs and traces. */
export const Origin = Type.Object({
  /** `X-Request-Id` of the HTTP request. */
  request_id: Type.Optional(Type.String({ maxLength: 128 })),
  /** The span that caused it (W3C Trace Context). */
  traceparent: Type.Optional(
    Type.String({ pattern: "^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$" }),
  ),
});
export type Origin = Static<typeof Origin>;

/** Headers of messages of NATS. */
export const REQUEST_ID_HEADER = "Berth-Request-Id";
export const TRACEPARENT_HEADER = "traceparent";
