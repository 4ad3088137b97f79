import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { readEventsAfter, withoutDeleted } from "../../../actors/activity/event/queries.ts";
import { ValidationError } from "../../../schemas/errors.ts";
import type { EventRecord } from "../../../schemas/events.ts";
import { Id } from "../../../schemas/primitives.ts";
import { isText } from "../../../schemas/text.ts";
import { EVENT_STREAM_TYPE, retryFrame } from "../../../system/server-sent-events.ts";
import { callerOf, signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { Subscriber } from "../../events/feed.ts";
import { errors } from "../../http/envelope.ts";

/** How far back a resume goes: what was missed is sent if it is no more events than this; else the list has it. */
const MISSED_MAX = 1_000;
/**
 * Commits of different actors may end in another order than that of their events' times. Who comes back after long is sent
 * again what came so shortly before, since some of it may be new to them.
 */
const OVERLAP_MS = 5_000;
/** How soon a client whose connection ended comes back. */
const RETRY_MS = 1_000;

/** What an ended stream has left for its client is taken by then, or never. */
const ENDED_SECONDS = 30;

const EventStream = Type.String({
  contentMediaType: "text/event-stream",
  description:
    "server-sent events: `id` is the event's id, `event` its type, `data` the event as JSON. An event `gap` says that some were missed and are to be read from the list.",
});

/** The caller's events as they happen (spec, control plane §6). */
export const eventStreamRoutes = ({ db, credentials, eventFeed }: GatewayContext) => {
  /** Undefined where it is unknown, and more than may be sent where there is more. */
  const missedSince = async (lastId: string, follower: Subscriber) => {
    const remembered = eventFeed.after(lastId, follower);
    // One more than may be sent tells that there are more; the last one itself is left out of the answer.
    if (remembered === undefined)
      return readEventsAfter(db, follower.userId, lastId, OVERLAP_MS, MISSED_MAX + 2);
    return remembered.length > MISSED_MAX ? remembered : withoutDeleted(db, follower.userId, remembered);
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
        const follower = new Subscriber(
          userId,
          realmId,
          async () => {
            await callerOf(credentials, { request, server });
          },
          // One that was let go and does not read must not keep its connection.
          () => server?.timeout(request, ENDED_SECONDS),
        );
        await eventFeed.open();
        follower.write(retryFrame(RETRY_MS));
        follower.hold();
        eventFeed.add(follower);
        try {
          writeMissed(follower, lastId === null ? [] : await missedSince(lastId, follower));
        } catch (error) {
          eventFeed.remove(follower);
          throw error;
        }
        // Silence is no sign that nobody is there: keepalives tell.
        server?.timeout(request, 0);
        return new Response(
          bodyOf(follower, () => eventFeed.remove(follower)),
          {
            headers: { "content-type": EVENT_STREAM_TYPE },
          },
        );
      },
      {
        response: { 200: EventStream, ...errors("RATE_LIMITED") },
        detail: {
          summary: "Your events as they happen",
          description:
            `With the header \`Last-Event-ID\` the stream continues after that event, if at most ${MISSED_MAX} events came since; otherwise the stream sends \`gap\` and continues with new events. ` +
            "After a long absence, some events from shortly before that one are sent again; compare their ids. Deleted events are not sent. " +
            "The stream ends when the credential ends, and when the client reads too slowly: connect again. A user may have ten streams.",
        },
      },
    );
};

function writeMissed(follower: Subscriber, missed: readonly EventRecord[] | undefined): void {
  const isWhole = missed !== undefined && missed.length <= MISSED_MAX;
  if (!isWhole) follower.write("event: gap\ndata: {}\n\n");
  follower.release(isWhole ? missed.filter((event) => follower.matches(event)) : []);
}

const encoder = new TextEncoder();

/** Hands over what waits as it is asked for, so that what a slow client does not take goes on waiting, and counts. */
const bodyOf = (follower: Subscriber, left: () => void) =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const text = await follower.next();
        if (text !== undefined) return controller.enqueue(encoder.encode(text));
        left();
        controller.close();
      },
      cancel: left,
    },
    { highWaterMark: 0 },
  );
