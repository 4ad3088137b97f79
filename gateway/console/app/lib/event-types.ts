import type { components } from "../../../../client/api.ts";

type EventType = components["schemas"]["EventType"];

/**
 * What each type of event of the API means, with `{name}` for a value of its data: one that is missing here, or that the API does not
 * have, does not compile.
 */
export const EVENT_WORDS: Record<EventType, string> = {
  "container.created": "Container {name} was created",
  "container.starting": "Container {name} is starting",
  "container.running": "Container {name} is running",
  "container.stopping": "Container {name} is stopping",
  "container.stopped": "Container {name} has stopped",
  "container.restarting": "Container {name} is restarting",
  "container.restarted": "Container {name} has restarted",
  "container.recovered": "Container {name} has recovered from an error",
  "container.error": "Container {name} has failed",
  "container.deleted": "Container {name} was deleted",
  "container.terminal_opened": "A terminal of container {name} was opened",
  "storage_share.created": "Storage share {name} was created",
  "storage_share.updated": "Storage share {name} was changed",
  "storage_share.mounted": "Storage share {name} was mounted",
  "storage_share.unmounted": "Storage share {name} was unmounted",
  "storage_share.deleted": "Storage share {name} was deleted",
  "notification.created": "A notification arrived: {title}",
  "notification.read": "A notification was read",
  "notification.read_all": "All notifications were read",
  "notification.deleted": "A notification was deleted",
  "project.created": "Project {name} was created",
  "project.updated": "Project {name} was changed",
  "project.deleted": "Project {name} was deleted",
  "server.added": "Server {name} was added",
  "server.updated": "Server {name} was changed",
  "server.removed": "Server {name} was removed",
  "server.reserved": "{offer} was reserved",
  "server.delivered": "Server {name} was delivered",
  "server.rented": "Server {name} was rented",
  "server.extended": "The rental of server {name} was extended",
  "server.expired": "The rental of server {name} has ended",
  "server.released": "Server {name} was released",
  "server.price_changed": "The price of server {name} has changed",
  "firewall.attached": "The firewall was switched on",
  "firewall.rule_added": "A firewall rule was added",
  "firewall.rule_enabled": "A firewall rule was switched on",
  "firewall.rule_disabled": "A firewall rule was switched off",
  "firewall.rule_removed": "A firewall rule was removed",
  "firewall.reset": "The firewall was reset",
  "firewall.applied": "The host applied the firewall's rules",
  "firewall.apply_failed": "The host could not apply the firewall's rules",
  "proxy_alias.created": "Name {alias} was created",
  "proxy_alias.updated": "Name {alias} was changed",
  "proxy_alias.enabled": "Name {alias} was switched on",
  "proxy_alias.disabled": "Name {alias} was switched off",
  "proxy_alias.expired": "Name {alias} has expired",
  "proxy_alias.deleted": "Name {alias} was deleted",
  "proxy_permissions.granted": "{username} may enter container {name}",
  "proxy_permissions.revoked": "{username} may no longer enter container {name}",
  "auth_token.created": "API token {name} was created",
  "auth_token.revoked": "API token {name} was revoked",
  "auth_token.expired": "API token {name} has expired",
  "pool.created": "Pool {pool} was created",
  "pool.updated": "Pool {pool} was changed",
  "pool.deleted": "Pool {pool} was deleted",
  "pool.member_invited": "Somebody was invited to pool {pool}",
  "pool.member_joined": "Somebody joined pool {pool}",
  "pool.member_declined": "An invitation to pool {pool} was declined",
  "pool.member_role_changed": "The role of a member of pool {pool} has changed",
  "pool.member_removed": "A member left pool {pool}",
  "user.signed_up": "The account was created",
  "user.logged_in": "Signed in",
  "user.logged_out": "Signed out",
  "user.login_failed": "A sign-in failed: wrong password",
  "user.session_revoked": "A session was ended",
  "user.balance_credited": "{amount} was added to the balance",
  "user.credit_transferred": "{gross} was transferred to AI credit",
  "activity_log.payment_settled": "A payment of {amount} was settled",
  "activity_log.invoice_issued": "Invoice {invoice_number} was issued",
  "activity_log.image_imported": "Image {alias} was imported",
  "activity_log.image_purchased": "Image {alias} was bought",
};

/** What an event is about, for a person. */
const RESOURCE_WORDS: Record<components["schemas"]["EventRecord"]["resource_type"], string> = {
  container: "Container",
  storage_share: "Storage share",
  notification: "Notification",
  project: "Project",
  server: "Server",
  firewall: "Firewall",
  proxy_alias: "Name",
  proxy_permissions: "Access to containers",
  auth_token: "API token",
  pool: "Pool",
  user: "Account",
  activity_log: "Payments and images",
};

/** What begins a sentence in place of a value. */
const SOMETHING: Readonly<Record<string, string>> = {
  username: "Somebody",
  offer: "A server",
  amount: "Money",
  gross: "Money",
};

/** "A container was created": a type of events in the words of the list, without a thing of its own; also a resource alone. */
export function typeWords(type: string): string {
  const words = EVENT_WORDS[type as EventType];
  if (words === undefined) return RESOURCE_WORDS[type as keyof typeof RESOURCE_WORDS] ?? type;
  return words
    .replace(/^\{(\w+)\}/, (_, name) => SOMETHING[name] ?? "Something")
    .replace(/(:| of) \{\w+\}/, "")
    .replace(/(storage share|API token|\w+) \{\w+\}/i, (_, noun: string) => anyOf(noun))
    .replace(/^a/, "A");
}

const anyOf = (noun: string): string =>
  `${/^[ai]/i.test(noun) ? "an" : "a"} ${noun === "API token" ? noun : noun.toLowerCase()}`;

export const EVENT_TYPES = Object.keys(EVENT_WORDS) as EventType[];
