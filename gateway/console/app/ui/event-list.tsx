import { Link, type LinkProps } from "@tanstack/react-router";
import type { Schemas } from "../lib/api.ts";
import { When } from "./status.tsx";

type Event = Schemas["EventRecord"];

/** Events in a few words each, the newest first, with a way to what they tell of. */
export const EventList = ({
  events,
  hasDetails = false,
}: {
  events: readonly Event[];
  /** All that each event says, for who opens it. */
  hasDetails?: boolean;
}) => (
  <ol className="events">
    {events.map((event) => {
      const to = pageOf(event);
      const said = describeEvent(event);
      return (
        <li key={event.id}>
          {to === undefined ? <span>{said}</span> : <Link to={to as LinkProps["to"]}>{said}</Link>}
          <code>{event.event_type}</code>
          <When at={event.created_at} />
          {hasDetails && <EventDetails event={event} />}
        </li>
      );
    })}
  </ol>
);

const EventDetails = ({ event }: { event: Event }) => (
  <details>
    <summary>
      Details<span className="visually-hidden"> of {describeEvent(event)}</span>
    </summary>
    <pre>{JSON.stringify(event, null, 2)}</pre>
  </details>
);

/** `firewall.rule_added` as "Firewall: rule added", and the name of the thing where the event has it. */
export function describeEvent({ event_type, data }: Event): string {
  const [resource = "", action = ""] = event_type.split(".").map((part) => part.replaceAll("_", " "));
  const name = [data.name, data.server_name, data.alias, data.title].find((one) => typeof one === "string");
  const what = resource.replace(/^./, (letter) => letter.toUpperCase());
  return name === undefined ? `${what} ${action}` : `${what} ${String(name)} ${action}`;
}

/** The page that shows what an event, or a notification of one, is about. */
export function pageOf(event: {
  event_type: Event["event_type"] | null;
  resource_type: Event["resource_type"] | null;
  resource_id: string | null;
  container_id?: string | null;
}): string | undefined {
  const { resource_type, resource_id, container_id, event_type } = event;
  if (event_type === "container.deleted") return undefined;
  if (resource_type === "container" && resource_id !== null) return `/containers/${resource_id}`;
  if (resource_type === "firewall" && container_id) return `/containers/${container_id}/firewall`;
  return resource_type === null ? undefined : PAGE_OF[resource_type];
}

const PAGE_OF: Partial<Record<Event["resource_type"], string>> = {
  proxy_alias: "/names",
  server: "/servers",
  pool: "/pools",
  notification: "/inbox",
  auth_token: "/account/tokens",
  user: "/wallet",
  activity_log: "/wallet",
};
