import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { readEventsAfter, withoutDeleted } from "../../../actors/activity/event/queries.ts";
import { readAudiences } from "../../../actors/activity/event/shared/queries.ts";
import { hasOwnCopy } from "../../../schemas/audiences.ts";
import { ValidationError } from "../../../schemas/errors.ts";
import type { EventRecord } from "../../../schemas/events.ts";
import { Id } from "../../../schemas/primitives.ts";
import { isText } from "../../../schemas/text.ts";
import { EVENT_STREAM_TYPE, retryFrame } from "../../../system/server-sent-events.ts";
import { callerOf, signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { Subscriber } from "../../events/subscriber.ts";
import { errors } from "../../http/envelope.ts";

/** A client that resumes is sent at most so many missed events; past it the client gets `gap`, and reads them from the list. */
const MISSED_MAX = 1_000;
/**
 * Commits of different actors may end in another order than that of their events' times. A client that resumes from the log
 * is sent the events of this time before its last one again, since some of them may be new to it.
 */
const OVERLAP_MS = 5_000;
/** How soon a client connects again when its connection ended. */
const RETRY_MS = 1_000;

/** How long a client may take to read the rest of a stream that has ended. */
const ENDED_SECONDS = 30;

const EventStream = Type.String({
  contentMediaType: "text/event-stream",
  description:
    "server-sent events: `id` is the event's id, `event` its type, `data` the event as JSON. An event `gap` says that some were missed and are to be read from the list.",
});

/** The caller's events as they happen (spec, control plane §6). */
export const eventStreamRoutes = ({ db, credentials, eventFeed }: GatewayContext) => {
  /** The missed events: undefined when they are unknown, and one more than `MISSED_MAX` when there are too many. */
  const missedSince = async (lastId: string, subscriber: Subscriber) => {
    const { userId } = subscriber;
    const audiences = new Map(
      (await readAudiences(db, userId)).map(({ audience, since }) => [audience, since]),
    );
    const remembered = eventFeed.feed.after(
      lastId,
      (event) => subscriber.matches(event) && mayRead(userId, audiences, event),
    );
    // One more than `MISSED_MAX` shows that there are too many. The event `lastId` itself is left out of the result.
    if (remembered === undefined)
      return readEventsAfter(db, subscriber.userId, lastId, OVERLAP_MS, MISSED_MAX + 2);
    return remembered.length > MISSED_MAX ? remembered : withoutDeleted(db, subscriber.userId, remembered);
  };

  return new Elysia({ prefix: "/api/v1/events", detail: { tags: ["Events"] } })
    .use(signedIn(credentials, "resources.read_account", { realm: true }))
    .get(
      "/stream",
      async ({ caller, request, server }) => {
        const lastId = request.headers.get("last-event-id");
        if (lastId !== null && !isText(Id, lastId)) {
          throw new ValidationError("headers.last-event-id", "must be the id of an event");
        }
        const { userId, realmId } = caller;
        const subscriber = new Subscriber(
          userId,
          realmId,
          async () => {
            await callerOf(credentials, { request, server });
          },
          // A client that was disconnected and does not read must not keep its connection.
          () => server?.timeout(request, ENDED_SECONDS),
        );
        await eventFeed.open();
        subscriber.write(retryFrame(RETRY_MS));
        subscriber.hold();
        eventFeed.feed.add(subscriber);
        try {
          writeMissed(subscriber, lastId === null ? [] : await missedSince(lastId, subscriber));
        } catch (error) {
          eventFeed.feed.remove(subscriber);
          throw error;
        }
        // No idle timeout: keepalives find connections whose client is gone.
        server?.timeout(request, 0);
        return new Response(
          bodyOf(subscriber, () => eventFeed.feed.remove(subscriber)),
          {
            headers: { "content-type": EVENT_STREAM_TYPE },
          },
        );
      },
      {
        response: { 200: EventStream, ...errors("RATE_LIMITED") },
        detail: {
          summary: "Your events as they happen",
          "x-no-example": "the reply is a stream that does not end",
          description:
            `With the header \`Last-Event-ID\` the stream continues after that event, if at most ${MISSED_MAX} events came since; otherwise the stream sends \`gap\` and continues with new events. ` +
            "After a long absence, some events from shortly before that one are sent again; compare their ids. Deleted events are not sent. " +
            "The stream has all events that the list has, others' too: access is checked for each event as it happens. " +
            "The stream ends when the credential ends, and when the client reads too slowly: connect again. A user may have ten streams.",
        },
      },
    );
};

function mayRead(
  userId: string,
  audiences: ReadonlyMap<string, Date>,
  event: EventRecord & { readonly audience?: string },
): boolean {
  if (event.user_id === userId) return true;
  const since = event.audience === undefined ? undefined : audiences.get(event.audience);
  return since !== undefined && new Date(event.created_at) >= since && !hasOwnCopy(event, userId);
}

function writeMissed(subscriber: Subscriber, missed: readonly EventRecord[] | undefined): void {
  const isWhole = missed !== undefined && missed.length <= MISSED_MAX;
  if (!isWhole) subscriber.write("event: gap\ndata: {}\n\n");
  subscriber.release(isWhole ? missed.filter((event) => subscriber.matches(event)) : []);
}

const encoder = new TextEncoder();

/** Sends text as the client reads, so that what a slow client has not read stays in the subscriber's buffer, which has a limit. */
const bodyOf = (subscriber: Subscriber, onClosed: () => void) =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const text = await subscriber.next();
        if (text !== undefined) return controller.enqueue(encoder.encode(text));
        onClosed();
        controller.close();
      },
      cancel: onClosed,
    },
    { highWaterMark: 0 },
  );
