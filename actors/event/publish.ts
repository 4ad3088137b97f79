import { type JetStreamClient, type JetStreamManager, nanos, RetentionPolicy, StorageType } from "nats";
import { EVENT_STREAM, eventSubject } from "../../schemas/subjects.ts";
import type { Deliver } from "../runtime/publisher.ts";

/** The stream is for those who follow; the log itself is in PostgreSQL. */
const STREAM_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Publishes committed events: rows of one partition as a JSON array, each with its `partition` and `seq`, by which readers drop what comes twice.
 */
export function publishEvents(jetstream: JetStreamClient, manager: JetStreamManager): Deliver {
  let stream: Promise<unknown> | undefined;
  return async (rows) => {
    const [first] = rows;
    const last = rows.at(-1);
    if (first === undefined || last === undefined) return;
    stream ??= ensureStream(manager);
    try {
      await stream;
      const events = rows.map(({ partition, seq, body }) => ({ partition, seq, ...body }));
      await jetstream.publish(eventSubject(first.partition), JSON.stringify(events), {
        msgID: `${first.partition}.${first.seq}-${last.seq}`,
      });
    } catch (error) {
      // A stream that was lost is made anew by the next try.
      stream = undefined;
      throw error;
    }
  };
}

async function ensureStream(manager: JetStreamManager): Promise<void> {
  const config = {
    name: EVENT_STREAM,
    subjects: [eventSubject("*")],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    max_age: nanos(STREAM_DAYS * DAY_MS),
  };
  try {
    await manager.streams.info(EVENT_STREAM);
  } catch {
    await manager.streams.add(config);
  }
}
