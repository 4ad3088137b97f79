import type { Schemas } from "./api.ts";

type Event = Pick<
  Schemas["EventRecord"],
  "event_type" | "resource_type" | "resource_id" | "container_id" | "data"
>;
type Key = readonly string[];

/** The roots of query keys: what a page reads stands below one of them, and an event names those that it makes stale. */
const ROOTS: Partial<Record<Event["resource_type"], (event: Event) => Key[]>> = {
  container: ({ resource_id }) => [
    ["containers", "list"],
    ...(resource_id ? [["containers", resource_id]] : []),
  ],
  firewall: ({ container_id, resource_id }) => {
    const id = container_id ?? resource_id;
    return id === null ? [["containers"]] : [["containers", id]];
  },
  proxy_alias: () => [["aliases"]],
  proxy_permissions: ({ container_id }) => [["containers", container_id ?? ""]],
  storage_share: () => [["storage"]],
  server: () => [["rentals"], ["marketplace"], ["wallet"]],
  project: () => [["projects"]],
  // A pool brings its servers with it, and takes them away.
  pool: () => [["pools"], ["rentals"], ["containers", "list"]],
  notification: () => [["inbox"]],
  auth_token: () => [["account"]],
  user: () => [["account"], ["wallet"]],
  activity_log: () => [["wallet"], ["images"]],
};

/** The queries that an event makes stale. The log of events is one of them, and a thing of the inbox may be. */
export function queriesOf(event: Event): Key[] {
  return [...(ROOTS[event.resource_type]?.(event) ?? []), ["events"], ["inbox"]];
}
