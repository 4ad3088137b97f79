import type { components } from "../../../../client/api.ts";

type Event = components["schemas"]["EventRecord"];

/** The page that shows what an event is about. */
export function pageOf(event: {
  event_type: Event["event_type"];
  resource_type: Event["resource_type"];
  resource_id: string | null;
  user_id?: string | null;
  container_id?: string | null;
  data?: Event["data"];
}): string | undefined {
  const { resource_type, container_id, event_type, data } = event;
  if (event_type in PAGE_OF_TYPE) return PAGE_OF_TYPE[event_type];
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
  "user.logged_out": "/account/sessions",
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
  user: "/account",
  activity_log: "/wallet",
};
