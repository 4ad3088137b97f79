import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { AckPolicy, type Consumer, DeliverPolicy, nanos } from "nats";
import type { Logger } from "pino";
import { DomainError } from "../../../schemas/errors.ts";
import { CommittedEvents, EVENTS_LENGTH_MAX, type EventRecord } from "../../../schemas/events.ts";
import { jsonOf } from "../../../schemas/received.ts";
import { EVENT_STREAM } from "../../../schemas/subjects.ts";
import { consumeStream } from "../../runtime/transport/consume.ts";
import type { NatsBus } from "../../runtime/transport/nats-bus.ts";
import type { ActorsFor } from "../../senders.ts";
import { type Curated, curate } from "./curation.ts";

/** The durable consumer of the stream; actor hosts share it. */
const CONSUMER = "inbox";
/** A message that is not acknowledged within this time goes to another actor host. */
const ACK_WAIT_MS = 30_000;
/** Messages that one actor host handles at a time. */
const IN_FLIGHT_MAX = 16;
/** Messages of all actor hosts that are not acknowledged. At the limit JetStream delivers no further ones. */
const WAITING_MAX = 4_096;
/** A message whose notices cannot be stored is delivered again after growing pauses. So many deliveries take about a week, as long as the stream keeps it. */
const DELIVERIES_MAX = 10_000;
/** The pause before a lost stream is looked for again. */
const RETRY_MS = 1_000;
/** A host's error message is cut to this many characters. */
const TEXT_MAX = 1_000;

const readEvents = jsonOf(CommittedEvents, EVENTS_LENGTH_MAX);

export interface InboxConsumerOptions {
  readonly bus: Pick<NatsBus, "connection" | "jetstream" | "dropped">;
  readonly actors: ActorsFor<"reconciler">;
  readonly log: Logger;
  /** How long after the end of a rental what ran there is removed. */
  readonly graceMs: number;
}

/**
 * Makes notices of events, from JetStream: each event at least once, and each notice once, since its id and the key of its
 * operation follow from the event's id.
 *
 * @returns a function that stops it
 */
export function consumeEventsForInbox({ bus, actors, log, graceMs }: InboxConsumerOptions): () => void {
  const stopping = new AbortController();

  async function consumeEvents(): Promise<void> {
    const consumer = await ensureConsumer(bus);
    const reader = {
      kind: "events",
      read: readEvents,
      inFlightMax: IN_FLIGHT_MAX,
      async handle(events: readonly EventRecord[]) {
        for (const event of events) await postNotice(event);
      },
    };
    // Ends when the consumer was lost with its stream. It is then created again.
    await consumeStream(bus, consumer, reader, stopping.signal);
  }

  async function postNotice(event: EventRecord): Promise<void> {
    const curated = curate(event, { graceMs });
    if (curated === undefined || event.user_id === null) return;
    const { user_id: userId } = event;
    const { id, event_type, realm_id } = event;
    const posted = actors.inbox(userId).post(
      {
        id: noticeIdOf(id),
        title: curated.title.slice(0, TEXT_MAX),
        body: curated.body.slice(0, TEXT_MAX),
        level: curated.level,
        public: false,
        page: null,
        event: { id, event_type, ...subjectOf(event, curated), realm_id },
      },
      // The receipt is kept as for a client's key: the stream may be filled again after any time.
      { key: `event:${id}`, hasClientKey: true },
    );
    await posted.catch((error) => {
      // A refusal would be the same at every attempt.
      if (!(error instanceof DomainError) || error.status === 503) throw error;
      log.warn({ err: error, event: id }, "a notice was refused");
    });
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await consumeEvents().catch((error) => {
        if (!stopping.signal.aborted)
          log.debug({ err: error }, "there is no stream of events; looking again");
      });
      await setTimeout(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  void run();
  return () => stopping.abort();
}

/** What a notice is about: a firewall is seen, and changed, at its container. */
const subjectOf = ({ resource_type, resource_id, container_id }: EventRecord, { resourceId }: Curated) =>
  resource_type === "firewall" && container_id !== null
    ? { resource_type: "container" as const, resource_id: container_id }
    : { resource_type, resource_id: resourceId ?? resource_id };

/** The id of an event's notice: the same for every delivery of the event. */
export const noticeIdOf = (eventId: string): string =>
  createHash("sha256").update(`notice ${eventId}`).digest("hex").slice(0, 24);

async function ensureConsumer({ connection, jetstream }: InboxConsumerOptions["bus"]): Promise<Consumer> {
  const manager = await connection.jetstreamManager({ checkAPI: false });
  await manager.consumers.add(EVENT_STREAM, {
    durable_name: CONSUMER,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT_MS),
    deliver_policy: DeliverPolicy.All,
    max_ack_pending: WAITING_MAX,
    max_deliver: DELIVERIES_MAX,
  });
  return jetstream.consumers.get(EVENT_STREAM, CONSUMER);
}
