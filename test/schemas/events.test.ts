import { expect, test } from "bun:test";
import { EVENT_TYPES, RESOURCE_TYPES } from "../../schemas/events.ts";

test("there are 71 event types, each once and of the dotted form (spec, control plane §4.12, §6)", () => {
  expect(EVENT_TYPES).toHaveLength(71);
  expect(new Set(EVENT_TYPES).size).toBe(71);
  for (const type of EVENT_TYPES) expect(type).toMatch(/^[a-z_]+\.[a-z_]+$/);
  expect(EVENT_TYPES).toContain("container.running");
});

test("the resource types are those of the specification (control plane §2)", () => {
  expect(RESOURCE_TYPES.toSorted()).toEqual(
    [
      ...["container", "storage_share", "notification", "project", "server", "firewall", "proxy_alias"],
      ...["proxy_permissions", "auth_token", "pool", "user", "activity_log"],
    ].toSorted() as never,
  );
});

test("every event type begins with its resource type", () => {
  for (const type of EVENT_TYPES) expect(RESOURCE_TYPES).toContain(type.slice(0, type.indexOf(".")) as never);
  for (const resource of RESOURCE_TYPES) {
    expect(EVENT_TYPES.some((type) => type.startsWith(`${resource}.`))).toBe(true);
  }
});
