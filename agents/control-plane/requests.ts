import { createInbox, type Msg, type NatsConnection } from "nats";
import type { Logger } from "pino";
import { type Origin, REQUEST_ID_HEADER, TRACEPARENT_HEADER } from "../../schemas/origin.ts";
import type { DroppedMessages, Reader } from "../../schemas/received.ts";
import { readOrigin } from "../../system/origin.ts";
import { workFor } from "../../system/tracing/for-origin.ts";
import type { Tracing } from "../../system/tracing/tracing.ts";

export interface RequestHandler<T> {
  /** The operation, for the log. */
  readonly kind: string;
  readonly read: Reader<T>;
  /** The text of the reply. */
  reply(value: T): string | Promise<string>;
  readonly log: Logger;
  readonly tracing?: Tracing | undefined;
}

/**
 * Consumes the messages of a subject. One whose handler throws is dropped and counted: an exception would end the
 * client's read loop.
 */
export function listen(
  connection: NatsConnection,
  dropped: DroppedMessages,
  subject: string,
  kind: string,
  take: (message: Msg) => void | Promise<void>,
): () => void {
  const subscription = connection.subscribe(subject, {
    callback: async (error, message) => {
      if (error !== null) return;
      try {
        await take(message);
      } catch (cause) {
        dropped.add(kind, "its handler failed", cause);
      }
    },
  });
  return () => subscription.unsubscribe();
}

/** The request of the gateway that a message is for. */
function originOf({ headers }: Msg): Origin | undefined {
  const request_id = headers?.get(REQUEST_ID_HEADER);
  if (!request_id) return undefined;
  const traceparent = headers?.get(TRACEPARENT_HEADER);
  return readOrigin(traceparent ? { request_id, traceparent } : { request_id });
}

/** Replies to the requests of a subject. A request that cannot be read, or whose handler fails, gets no reply and is counted. */
export function serveRequests<T>(
  connection: NatsConnection,
  dropped: DroppedMessages,
  subject: string,
  { kind, read, reply, log, tracing }: RequestHandler<T>,
): void {
  listen(connection, dropped, subject, kind, async (message) => {
    const received = read(message.string());
    if ("reason" in received) {
      dropped.add(kind, received.reason);
      return;
    }
    const origin = originOf(message);
    await workFor({ log, tracing, origin }, `host ${kind}`, {}, async () =>
      message.respond(await reply(received.value)),
    );
  });
}

/**
 * Sends a request that has several replies.
 *
 * @param take receives each reply; returns true for the last one
 * @throws Error when the last one does not come in time
 */
export async function requestMany(
  connection: NatsConnection,
  dropped: DroppedMessages,
  subject: string,
  text: string,
  timeoutMs: number,
  take: (message: Msg) => boolean,
): Promise<void> {
  const inbox = createInbox();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`${subject} did not complete its replies`)), timeoutMs);
  const end = listen(connection, dropped, inbox, "replies", (message) => {
    try {
      if (take(message)) resolve();
    } catch (error) {
      reject(error);
    }
  });
  try {
    connection.publish(subject, text, { reply: inbox });
    await promise;
  } finally {
    clearTimeout(timer);
    end();
  }
}
