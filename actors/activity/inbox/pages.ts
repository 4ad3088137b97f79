import type { EventRecord, EventType } from "../../../schemas/events.ts";

/** Where what a type tells of is not on the page of its resource. */
const PAGES: Partial<Record<EventType, string>> = {
  // A cancelled reservation has become no server.
  "server.released": "/marketplace",
  "activity_log.invoice_issued": "/wallet/invoices",
  // Who is invited, or has left, does not see the pool itself.
  "pool.member_invited": "/pools",
  "pool.member_declined": "/pools",
  "pool.member_removed": "/pools",
  "pool.deleted": "/pools",
  "user.balance_credited": "/wallet",
  "user.session_revoked": "/account/sessions",
  "user.logged_in": "/account/sessions",
};

/** The page that lists the resources of a kind. */
const LISTS: Partial<Record<EventRecord["resource_type"], string>> = {
  activity_log: "/wallet",
  auth_token: "/account/tokens",
  proxy_alias: "/names",
};

/** Below these each resource has a page of its own. */
const FOLDERS: Partial<Record<EventRecord["resource_type"], string>> = {
  container: "/containers",
  pool: "/pools",
  server: "/servers",
};

/** The page in the console of what a notice is about; undefined: it has none but the inbox. */
export function pageOf({
  event_type,
  resource_type,
  resource_id,
}: Pick<EventRecord, "event_type" | "resource_type" | "resource_id">): string | undefined {
  const page = PAGES[event_type] ?? LISTS[resource_type];
  if (page !== undefined) return page;
  const folder = FOLDERS[resource_type];
  return folder === undefined || resource_id === null ? undefined : `${folder}/${resource_id}`;
}
