import type { Consumer as StreamConsumer } from "nats";
import type { Reader } from "../../../schemas/received.ts";
import { backoffMs } from "../../../system/backoff.ts";
import type { Bus } from "../ports.ts";

/** A consumer of a subject's messages. */
export interface Consumer<T> {
  /** The kind of the messages: a label of the metric and of the log, one of a few. */
  readonly kind: string;
  readonly read: Reader<T>;
  handle(value: T, message: { readonly subject: string; readonly replyTo: string }): void | Promise<void>;
  /** The request whose reply this subject would have received had no subscriber. */
  noResponders?(subject: string): void;
}

/**
 * Consumes the messages of a subject. A message that cannot be read, or whose handler throws, is dropped and counted:
 * an exception in a callback would end the client's read loop. @returns a function that ends the subscription
 */
export function consume<T>(bus: Bus, subject: string, consumer: Consumer<T>): () => void {
  const { kind, read } = consumer;
  const failed = (error: unknown) => bus.dropped(kind, "its handler failed", error);
  return bus.subscribe(subject, (text, replyTo, of) => {
    try {
      if (text === null) {
        consumer.noResponders?.(of);
        return;
      }
      const received = read(text);
      if ("reason" in received) bus.dropped(kind, received.reason);
      else consumer.handle(received.value, { subject: of, replyTo })?.catch(failed);
    } catch (error) {
      failed(error);
    }
  });
}

/** A message whose handler fails is delivered again after this time, which doubles at each further failure. */
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 60_000;

export interface StreamReader<T> extends Pick<Consumer<T>, "kind" | "read"> {
  handle(value: T): Promise<void>;
  /** Messages that are fetched from the server in advance. */
  readonly inFlightMax: number;
}

/**
 * Consumes the messages of a JetStream consumer, one after the other. One that cannot be read is terminated, so that
 * it does not block others; one whose handler fails is delivered again. Ends when the consumer is gone, or by
 * `signal`.
 */
export async function consumeStream<T>(
  bus: Pick<Bus, "dropped">,
  consumer: StreamConsumer,
  { kind, read, handle, inFlightMax }: StreamReader<T>,
  signal: AbortSignal,
): Promise<void> {
  const messages = await consumer.consume({ max_messages: inFlightMax });
  const stop = () => messages.stop();
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  void (async () => {
    for await (const { type } of await messages.status()) {
      if (type === "consumer_deleted" || type === "consumer_not_found" || type === "stream_not_found") stop();
    }
  })();
  try {
    for await (const message of messages) {
      const received = read(message.string());
      if ("reason" in received) {
        bus.dropped(kind, received.reason);
        message.term(received.reason);
        continue;
      }
      try {
        await handle(received.value);
        message.ack();
      } catch (error) {
        bus.dropped(kind, "its handler failed; it is delivered again", error);
        message.nak(backoffMs(message.info.deliveryCount - 1, RETRY_FIRST_MS, RETRY_MAX_MS));
      }
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
