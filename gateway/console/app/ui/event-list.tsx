import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Schemas } from "../lib/api.ts";
import { pageOf } from "../lib/event-pages.ts";
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
  if (type === "server.expired" && data.refunded !== undefined)
    return `${EVENT_WORDS[type]}, and {refunded} returned to the balance`;
  if (type === "user.balance_credited" && typeof data.refund_of === "string")
    return "{amount} was refunded: {refund_of_reason}";
  if (type === "activity_log.payment_settled")
    return `A payment of {amount} ${OUTCOMES[String(data.outcome)] ?? "was settled"}`;
  if (type === "activity_log.invoice_issued" && data.credit_note === true)
    return "Credit note {invoice_number} was issued";
  if (type === "proxy_alias.updated" && typeof data.change === "string") return domainWords(data.change);
  return (type === "storage_share.updated" && shareWords(data)) || EVENT_WORDS[type];
}

/** What became of a payment, where nothing was added to the balance. */
const OUTCOMES: Record<string, string> = {
  failed: "has failed",
  under_review: "is being looked at",
  dismissed: "was looked at, and not credited",
};

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
