import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Schemas } from "../lib/api.ts";
import { EVENT_WORDS } from "../lib/event-types.ts";
import { formatMoney } from "../lib/format.ts";
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

/** Amounts of money among the values of events. */
const AMOUNTS = new Set(["amount", "gross", "refunded"]);

/** "Container web is running". A value that the event lacks is left out; what people wrote keeps its own direction. */
function describeEvent({ event_type, data }: Event): ReactNode {
  const parts = (wordsOf(event_type, data) ?? event_type).split(/(:? ?\{\w+\})/);
  return parts.map((part, index) => {
    const [, before = "", name] = /^(:? ?)\{(\w+)\}$/.exec(part) ?? [];
    if (name === undefined) return part;
    const value = name === "name" ? (data.name ?? data.server_name ?? data.offer) : data[name];
    if (typeof value !== "string") return AMOUNTS.has(name) ? `${before}Money` : "";
    return [before, <bdi key={index}>{AMOUNTS.has(name) ? formatMoney(value) : value}</bdi>];
  });
}

/** Some types stand for several changes: their data says which. */
function wordsOf(type: Event["event_type"], data: Event["data"]): string | undefined {
  if (type === "server.updated" && data.host_joined === true) return "Server {name} is ready";
  if (type === "server.released" && data.reservation === "cancelled")
    return `The reservation of {offer} was cancelled${data.refunded === undefined ? "" : ", and {refunded} returned to the balance"}`;
  if (type === "server.updated" && "ends_in_days" in data) return "The rental of server {name} ends soon";
  if (type === "proxy_alias.updated" && typeof data.change === "string") return domainWords(data.change);
  return (type === "storage_share.updated" && shareWords(data)) || EVENT_WORDS[type];
}

/** A domain that leads to a name: "domain added" (docs/events.md). */
const domainWords = (change: string): string =>
  change === "domain failed"
    ? "Domain {domain} could not be verified"
    : `Domain {domain} was ${change.replace("domain ", "")}`;

/** Snapshots, restores and volumes of a storage share (docs/events.md). */
function shareWords(data: Event["data"]): string | undefined {
  const { state } = (data.snapshot ?? {}) as { state?: string };
  if (state !== undefined) return `A snapshot of storage share {name} ${SNAPSHOT_WORDS[state] ?? state}`;
  if ("skipped_snapshot" in data)
    return "A scheduled snapshot of storage share {name} was skipped: all places are taken";
  if ("restoring_snapshot_id" in data) return "Storage share {name} is being restored from a snapshot";
  if ("restored_snapshot_id" in data) return "Storage share {name} was restored from a snapshot";
  if ("volume" in data) return "A storage share was given to container {container_name}";
  if ("removed_volume" in data) return "A storage share was taken from container {container_name}";
  return data.state === "error" ? "Storage share {name} has failed" : undefined;
}

const SNAPSHOT_WORDS: Record<string, string> = {
  creating: "is being taken",
  ready: "was taken",
  error: "could not be taken",
  deleted: "was deleted",
};

/** The page that shows what an event, or a notification of one, is about. */
export function pageOf(event: {
  event_type: Event["event_type"] | null;
  resource_type: Event["resource_type"] | null;
  resource_id: string | null;
  user_id?: string | null;
  container_id?: string | null;
  data?: Event["data"];
}): string | undefined {
  const { resource_type, container_id, event_type, data } = event;
  if (event_type !== null && event_type in PAGE_OF_TYPE) return PAGE_OF_TYPE[event_type];
  if (resource_type === null) return undefined;
  // In nobody's log: the stock.
  if (resource_type === "server" && event.user_id === null) return "/operator/servers";
  if (PARTS_OF_CONTAINERS[resource_type] !== undefined && container_id)
    return `/containers/${container_id}/${PARTS_OF_CONTAINERS[resource_type]}`;
  // A reservation has become a rental.
  const id = event_type === "server.delivered" && data ? String(data.rental_id) : event.resource_id;
  const page = PAGE_OF[resource_type];
  return page !== undefined && id !== null && HAVE_PAGES.has(resource_type) ? `${page}/${id}` : page;
}

/** Resources of which each has a page of its own, below that of the list. */
const HAVE_PAGES = new Set<Event["resource_type"]>([
  "container",
  "server",
  "project",
  "pool",
  "storage_share",
]);

const PARTS_OF_CONTAINERS: Partial<Record<Event["resource_type"], string>> = {
  firewall: "firewall",
  proxy_permissions: "people",
};

/** Where what a type tells of is not on the page of its resource, or is gone. */
const PAGE_OF_TYPE: Partial<Record<Event["event_type"], string | undefined>> = {
  "container.deleted": undefined,
  "storage_share.deleted": "/storage",
  "project.deleted": "/projects",
  "pool.deleted": "/pools",
  // Who is invited, or has left, does not see the pool itself.
  "pool.member_invited": "/pools",
  "pool.member_declined": "/pools",
  "pool.member_removed": "/pools",
  "server.reserved": "/servers",
  "server.released": "/marketplace",
  "user.balance_credited": "/wallet",
  "user.credit_transferred": "/wallet",
  "user.logged_in": "/account/sessions",
  "user.login_failed": "/account/sessions",
  "user.session_revoked": "/account/sessions",
  "activity_log.invoice_issued": "/wallet/invoices",
  "activity_log.image_imported": "/images",
  "activity_log.image_purchased": "/images",
};

const PAGE_OF: Partial<Record<Event["resource_type"], string>> = {
  container: "/containers",
  storage_share: "/storage",
  proxy_alias: "/names",
  server: "/servers",
  pool: "/pools",
  notification: "/inbox",
  auth_token: "/account/tokens",
  project: "/projects",
  activity_log: "/wallet",
};
