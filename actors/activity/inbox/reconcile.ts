import { createHash } from "node:crypto";
import { AckPolicy, type Consumer, DeliverPolicy, nanos } from "nats";
import type { Logger } from "pino";
import { DomainError } from "../../../schemas/errors.ts";
import { CommittedEvents, EVENTS_LENGTH_MAX, type EventRecord } from "../../../schemas/events.ts";
import { jsonOf } from "../../../schemas/received.ts";
import { EVENT_STREAM } from "../../../schemas/subjects.ts";
import { consumeStream } from "../../runtime/transport/consume.ts";
import type { NatsBus } from "../../runtime/transport/nats-bus.ts";
import type { ActorsFor } from "../../senders.ts";
import { curate } from "./curation.ts";

/** The one reader of the stream that makes notices; hosts share it. */
const CONSUMER = "inbox";
/** A message that was taken and not finished by then goes to another host. */
const ACK_WAIT_MS = 30_000;
/** Messages that a host has in hand. */
const IN_FLIGHT_MAX = 16;
/** Messages that hosts have in hand or wait to try again, together: past it no further ones come. */
const WAITING_MAX = 4_096;
/** A message whose notices cannot be given is tried again with growing pauses; so often takes about a week, as long as the stream keeps it. */
const DELIVERIES_MAX = 10_000;
/** The stream is looked for again after this. */
const RETRY_MS = 1_000;
/** Longer texts of a host's error are cut. */
const TEXT_MAX = 1_000;

const readEvents = jsonOf(CommittedEvents, EVENTS_LENGTH_MAX);

export interface FollowOptions {
  readonly bus: Pick<NatsBus, "connection" | "jetstream" | "dropped">;
  readonly actors: ActorsFor<"reconciler">;
  readonly log: Logger;
}

/**
 * Makes notices of events, from JetStream: each event at least once, and each notice once, since its id and the key of its
 * operation follow from the event's id. The answer stops it.
 */
export function followEvents({ bus, actors, log }: FollowOptions): () => void {
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
    // It ends when the consumer was lost with its stream, and is then made again.
    await consumeStream(bus, consumer, reader, stopping.signal);
  }

  async function postNotice(event: EventRecord): Promise<void> {
    const curated = curate(event);
    if (curated === undefined || event.user_id === null) return;
    const { user_id: userId } = event;
    const { id, event_type, resource_type, resource_id, realm_id } = event;
    const posted = actors.inbox(userId).post(
      {
        id: noticeIdOf(id),
        title: curated.title.slice(0, TEXT_MAX),
        body: curated.body.slice(0, TEXT_MAX),
        level: curated.level,
        public: false,
        event: { id, event_type, resource_type, resource_id, realm_id },
      },
      // Kept forever, as a client's own keys are: the stream may be filled again after any time.
      { key: `event:${id}`, hasClientKey: true },
    );
    await posted.catch((error) => {
      // A refusal is the same however often it is tried.
      if (!(error instanceof DomainError) || error.status === 503) throw error;
      log.warn({ err: error, event: id }, "a notice was refused");
    });
  }

  const run = () => {
    consumeEvents()
      .catch((error) => {
        if (!stopping.signal.aborted)
          log.debug({ err: error }, "the stream of events is not there; looking again");
      })
      .finally(() => {
        if (!stopping.signal.aborted) timer = setTimeout(run, RETRY_MS);
      });
  };
  let timer: Timer | undefined;
  run();
  return () => {
    clearTimeout(timer);
    stopping.abort();
  };
}

/** The same notice whenever the event comes again. */
export const noticeIdOf = (eventId: string): string =>
  createHash("sha256").update(`notice ${eventId}`).digest("hex").slice(0, 24);

async function ensureConsumer({ connection, jetstream }: FollowOptions["bus"]): Promise<Consumer> {
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
