import type { NatsConnection } from "nats";
import type { DroppedMessages, Reader } from "../../schemas/received.ts";

export interface RequestHandler<T> {
  /** What is asked, for the log. */
  readonly kind: string;
  readonly read: Reader<T>;
  /** The text of the answer. */
  answer(value: T): string | Promise<string>;
}

/**
 * Answers the requests of a subject. One that cannot be read, or whose answer fails, gets none and is counted: an exception
 * in a callback would end the client's reading of its connection.
 */
export function answerRequests<T>(
  connection: NatsConnection,
  dropped: DroppedMessages,
  subject: string,
  { kind, read, answer }: RequestHandler<T>,
): void {
  connection.subscribe(subject, {
    callback: async (error, message) => {
      if (error !== null) return;
      try {
        const received = read(message.string());
        if ("reason" in received) dropped.add(kind, received.reason);
        else message.respond(await answer(received.value));
      } catch (cause) {
        dropped.add(kind, "it could not be answered", cause);
      }
    },
  });
}
