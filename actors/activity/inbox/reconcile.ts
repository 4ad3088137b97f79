import { createHash } from "node:crypto";
import { AckPolicy, type Consumer, DeliverPolicy, type JsMsg, nanos } from "nats";
import type { Logger } from "pino";
import { DomainError } from "../../../schemas/errors.ts";
import type { EventRecord } from "../../../schemas/events.ts";
import { EVENT_STREAM } from "../../../schemas/subjects.ts";
import type { Definitions } from "../../registry.ts";
import type { ActorsOf } from "../../runtime/client.ts";
import type { NatsBus } from "../../runtime/transport/nats-bus.ts";
import { curate } from "./curation.ts";

/** The one reader of the stream that makes notices; hosts share it. */
const CONSUMER = "inbox";
/** A message that was taken and not finished by then goes to another host. */
const ACK_WAIT_MS = 30_000;
/** Messages that a host has in hand. */
const IN_HAND_MAX = 16;
/** One that could not be finished is tried again after this, and the stream is looked for again after this. */
const RETRY_MS = 1_000;
/** Longer texts of a host's error are cut. */
const TEXT_MAX = 1_000;

export interface FollowOptions {
  readonly bus: Pick<NatsBus, "connection" | "jetstream">;
  readonly actors: ActorsOf<Definitions>;
  readonly log: Logger;
}

/**
 * Makes notices of events, from JetStream: each event at least once, and each notice once, since its id and the key of its
 * operation follow from the event's id. The answer stops it.
 */
export function followEvents({ bus, actors, log }: FollowOptions): () => void {
  let stopped = false;
  let close: (() => void) | undefined;

  async function follow(): Promise<void> {
    const consumer = await ensureConsumer(bus);
    const messages = await consumer.consume({ max_messages: IN_HAND_MAX });
    close = () => messages.stop();
    if (stopped) return close();
    void (async () => {
      // A consumer that was lost with its stream says so, and is made anew.
      for await (const { type } of await messages.status()) {
        if (type === "consumer_deleted" || type === "consumer_not_found" || type === "stream_not_found") {
          messages.stop();
        }
      }
    })();
    for await (const message of messages) await take(message);
  }

  async function take(message: JsMsg): Promise<void> {
    try {
      for (const event of message.json<EventRecord[]>()) await tell(event);
      message.ack();
    } catch (error) {
      log.warn({ err: error }, "a notice could not be given; it is tried again");
      message.nak(RETRY_MS);
    }
  }

  async function tell(event: EventRecord): Promise<void> {
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
      // Kept for ever, as a client's own keys are: the stream may be filled again after any time.
      { key: `event:${id}`, keyed: true },
    );
    await posted.catch((error) => {
      // A refusal is the same however often it is tried.
      if (!(error instanceof DomainError) || error.status === 503) throw error;
      log.warn({ err: error, event: id }, "a notice was refused");
    });
  }

  const run = () => {
    follow()
      .catch((error) => {
        if (!stopped) log.debug({ err: error }, "the stream of events is not there; looking again");
      })
      .finally(() => {
        if (!stopped) timer = setTimeout(run, RETRY_MS);
      });
  };
  let timer: Timer | undefined;
  run();
  return () => {
    stopped = true;
    clearTimeout(timer);
    close?.();
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
    max_ack_pending: IN_HAND_MAX * 16,
  });
  return jetstream.consumers.get(EVENT_STREAM, CONSUMER);
}
