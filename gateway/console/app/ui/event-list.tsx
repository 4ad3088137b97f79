import { Link, type LinkProps } from "@tanstack/react-router";
import type { Schemas } from "../lib/api.ts";
import { When } from "./status.tsx";

type Event = Schemas["EventRecord"];

/** Events in a few words each, the newest first, with a way to what they tell of. */
export const EventList = ({ events }: { events: readonly Event[] }) => (
  <ol className="events">
    {events.map((event) => {
      const to = linkOf(event);
      const said = describeEvent(event);
      return (
        <li key={event.id}>
          {to === undefined ? <span>{said}</span> : <Link to={to as LinkProps["to"]}>{said}</Link>}
          <code>{event.event_type}</code>
          <When at={event.created_at} />
        </li>
      );
    })}
  </ol>
);

/** `firewall.rule_added` as "Firewall: rule added", and the name of the thing where the event has it. */
export function describeEvent({ event_type, data }: Event): string {
  const [resource = "", action = ""] = event_type.split(".").map((part) => part.replaceAll("_", " "));
  const name = [data.name, data.server_name, data.alias, data.title].find((one) => typeof one === "string");
  const what = resource.replace(/^./, (letter) => letter.toUpperCase());
  return name === undefined ? `${what} ${action}` : `${what} ${String(name)} ${action}`;
}

function linkOf({ resource_type, resource_id, container_id, event_type }: Event): string | undefined {
  if (event_type === "container.deleted") return undefined;
  if (resource_type === "container" && resource_id !== null) return `/containers/${resource_id}`;
  if (resource_type === "firewall" && container_id !== null) return `/containers/${container_id}/firewall`;
  if (resource_type === "proxy_alias") return "/names";
  if (resource_type === "server") return "/servers";
  return resource_type === "user" || resource_type === "activity_log" ? "/wallet" : undefined;
}
