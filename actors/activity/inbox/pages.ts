import type { EventRecord, EventType } from "../../../schemas/events.ts";

/** Where what a type tells of is not on the page of its resource. */
const PAGES: Partial<Record<EventType, string>> = {
  "activity_log.payment_settled": "/wallet",
  // A cancelled reservation has become no server.
  "server.released": "/marketplace",
  "auth_token.created": "/account/tokens",
  "user.session_revoked": "/account/sessions",
  "user.logged_in": "/account/sessions",
};

const FOLDERS: Partial<Record<EventRecord["resource_type"], string>> = {
  container: "/containers",
  server: "/servers",
};

/** The page in the console of what a mailed notice is about; empty: it has none but the inbox. */
export function pageOf({
  event_type,
  resource_type,
  resource_id,
}: Pick<EventRecord, "event_type" | "resource_type" | "resource_id">): { page?: string } {
  const page = PAGES[event_type];
  if (page !== undefined) return { page };
  const folder = FOLDERS[resource_type];
  return folder === undefined || resource_id === null ? {} : { page: `${folder}/${resource_id}` };
}
