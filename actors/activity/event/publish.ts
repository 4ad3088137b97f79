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

/** The stream is for those who follow; the log itself is in PostgreSQL. */
const STREAM_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Past it the oldest events leave the stream, not the log. JetStream sets so much aside. */
const STREAM_BYTES_MAX = 1024 * 1024 * 1024;
/** Above every message that the outbox makes of a tick. */
const MESSAGE_BYTES_MAX = 2 * 1024 * 1024;
/** Notices have one; the others are an operator's. */
const CONSUMERS_MAX = 16;

export interface PublishEventsOptions {
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
  /** Called before a lost stream is created again: records for all hosts that nothing is delivered. */
  onStreamMissing(): Promise<void>;
  /** This host has created the stream again: notifies all hosts. */
  onStreamRecreated(): void;
  /** Another host has created the stream again: it lacks what this host delivered. */
  onStreamReset(): void;
}

/**
 * Publishes committed events as JSON arrays, each event with its `partition` and `seq`. Readers drop by its `id` what comes
 * twice. A stream that was lost is created again and filled from the outbox.
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
        // Named after what it holds, so that a second try of the same is told apart from anything else.
        const msgID = new Bun.CryptoHasher("sha256").update(text).digest("hex");
        const { seq, duplicate } = await jetstream.publish(EVENT_SUBJECT, text, { msgID });
        // Numbers of a stream only grow: another host has found it gone and created it again.
        if (!duplicate && seq <= lastSeq) onStreamReset();
        if (!duplicate) lastSeq = seq;
      }
    } catch (error) {
      // The next try looks for the stream again.
      stream = undefined;
      throw error;
    }
  };
}

/** JetStream's code for a stream that does not exist. */
const NO_STREAM = 10_059;

async function ensureStream(
  manager: JetStreamManager,
  { onStreamMissing, onStreamRecreated }: Pick<PublishEventsOptions, "onStreamMissing" | "onStreamRecreated">,
): Promise<void> {
  try {
    await manager.streams.info(EVENT_STREAM);
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
    });
    onStreamRecreated();
    // What was to be delivered comes after what was delivered before it.
    throw new Error("the stream of events was created again; it is filled from the outbox");
  }
}
