import {
  type JetStreamClient,
  type JetStreamManager,
  NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
} from "nats";
import { EVENT_STREAM, EVENT_SUBJECT, EVENT_SUBJECTS } from "../../../schemas/subjects.ts";
import type { OutboxHandler } from "../../runtime/outbox/publisher.ts";
import { inMessages } from "../../runtime/transport/tick-batcher.ts";

/** The stream is for live readers; the log itself is in PostgreSQL. */
const STREAM_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;
/** When it is full, the oldest events leave the stream, but not the log. JetStream reserves this space. */
const STREAM_BYTES_MAX = 1024 * 1024 * 1024;
/** More than the outbox ever puts into one message. */
const MESSAGE_BYTES_MAX = 2 * 1024 * 1024;
/** Berth uses one, for notifications; the others are for the operator. */
const CONSUMERS_MAX = 16;

export interface PublishEventsOptions {
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
  /** The NATS servers that keep the stream. */
  readonly replicas: number;
  /** Called before a lost stream is created again: records for all hosts that nothing is delivered. */
  onStreamMissing(): Promise<void>;
  /** This host has created the stream again: notifies all hosts. */
  onStreamRecreated(): void;
  /** Another host has created the stream again: it lacks what this host delivered. */
  onStreamReset(): void;
}

/**
 * Publishes committed events as JSON arrays, each event with its `partition` and `seq`. Readers drop repeated events
 * by their `id`. A stream that was lost is created again and filled from the outbox.
 */
export function publishEvents(options: PublishEventsOptions): OutboxHandler {
  const { jetstream, manager, onStreamReset } = options;
  let stream: Promise<void> | undefined;
  let lastSeq = 0;

  return async (rows) => {
    stream ??= ensureStream(manager, options);
    try {
      await stream;
      const events = rows.map(({ partition, seq, body }) => JSON.stringify({ partition, seq, ...body }));
      for (const text of inMessages(events)) {
        // The message id follows from the content, so that JetStream recognizes a retry as a duplicate.
        const msgID = new Bun.CryptoHasher("sha256").update(text).digest("hex");
        const { seq, duplicate } = await jetstream.publish(EVENT_SUBJECT, text, { msgID });
        // Sequence numbers of a stream only grow: a lower one means that another host has created the stream again.
        if (!duplicate && seq <= lastSeq) onStreamReset();
        if (!duplicate) lastSeq = seq;
      }
    } catch (error) {
      // The next attempt looks for the stream again.
      stream = undefined;
      throw error;
    }
  };
}

/** JetStream's code for a stream that does not exist. */
const NO_STREAM = 10_059;

async function ensureStream(
  manager: JetStreamManager,
  {
    replicas,
    onStreamMissing,
    onStreamRecreated,
  }: Pick<PublishEventsOptions, "replicas" | "onStreamMissing" | "onStreamRecreated">,
): Promise<void> {
  try {
    const { config } = await manager.streams.info(EVENT_STREAM);
    if (config.num_replicas !== replicas)
      await manager.streams.update(EVENT_STREAM, { ...config, num_replicas: replicas });
  } catch (error) {
    if (!(error instanceof NatsError) || error.api_error?.err_code !== NO_STREAM) throw error;
    await onStreamMissing();
    await manager.streams.add({
      name: EVENT_STREAM,
      subjects: [EVENT_SUBJECTS],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      max_age: nanos(STREAM_DAYS * DAY_MS),
      max_bytes: STREAM_BYTES_MAX,
      max_msg_size: MESSAGE_BYTES_MAX,
      max_consumers: CONSUMERS_MAX,
      num_replicas: replicas,
    });
    onStreamRecreated();
    // Earlier events must be published again before the present ones.
    throw new Error("the stream of events was created again; it is filled from the outbox");
  }
}
