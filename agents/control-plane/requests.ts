import { createInbox, type Msg, type NatsConnection } from "nats";
import type { DroppedMessages, Reader } from "../../schemas/received.ts";

export interface RequestHandler<T> {
  /** What is asked, for the log. */
  readonly kind: string;
  readonly read: Reader<T>;
  /** The text of the answer. */
  answer(value: T): string | Promise<string>;
}

/** Takes every message of a subject. One whose handler throws is dropped and counted: an exception would end the client's reading. */
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

/** Answers the requests of a subject. One that cannot be read, or whose answer fails, gets no answer and is counted. */
export function answerRequests<T>(
  connection: NatsConnection,
  dropped: DroppedMessages,
  subject: string,
  { kind, read, answer }: RequestHandler<T>,
): void {
  listen(connection, dropped, subject, kind, async (message) => {
    const received = read(message.string());
    if ("reason" in received) dropped.add(kind, received.reason);
    else message.respond(await answer(received.value));
  });
}

/**
 * Sends a request that has several answers.
 *
 * @param take takes each answer; true: it was the last one
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
  const timer = setTimeout(() => reject(new Error(`${subject} gives no end of its answers`)), timeoutMs);
  const end = listen(connection, dropped, inbox, "answers", (message) => {
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
