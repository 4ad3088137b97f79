import { expect, test } from "bun:test";
import {
  type AliasEntry,
  type AliasServer,
  makeAlias,
  NO_ALIASES,
} from "../../../../actors/hosting/alias/rules.ts";
import { newId } from "../../../../actors/platform/ids.ts";

const around = {
  now: new Date("2026-01-31T09:30:00Z"),
  generated: "g".repeat(48),
  reserved: new Set<string>(),
  quotas: { aliases_per_container: 1_000, aliases_per_server: 20_000 },
};
const placement = (containerId: string) => ({
  id: newId(),
  serverName: "node-1",
  subserverId: null,
  subserverName: null,
  userId: "1".repeat(24),
  projectId: "2".repeat(24),
  containerId,
  revision: 1,
});
const make = (server: AliasServer, containerId: string): AliasEntry =>
  makeAlias(server, placement(containerId), { container_id: containerId, program: "http" }, around);

/** A server with so many aliases, which are spread over containers of so many each. */
function serverOf(count: number, perContainer: number): AliasServer {
  const pattern = make(NO_ALIASES, "c0");
  const aliases = new Map<string, AliasEntry>();
  for (let i = 0; i < count; i++) {
    const id = String(i);
    aliases.set(id, { ...pattern, id, alias: `a-${i}`, containerId: `c${Math.floor(i / perContainer)}` });
  }
  return { revision: count, aliases };
}

test("a container has at most 1,000 aliases, whatever its neighbours have", () => {
  expect(make(serverOf(999, 1_000), "c0").alias).toBe(around.generated);
  expect(() => make(serverOf(1_000, 1_000), "c0")).toThrow(
    "the quota aliases_per_container is reached: 1000 of 1000",
  );
  expect(make(serverOf(1_000, 1_000), "c1").alias).toBe(around.generated);
});

test("a server has at most 20,000 aliases", () => {
  expect(make(serverOf(19_999, 1_000), "another").alias).toBe(around.generated);
  expect(() => make(serverOf(20_000, 1_000), "another")).toThrow(
    "the quota aliases_per_server is reached: 20000 of 20000",
  );
});

test("whoever has a name on a server is told so apart from others, and others learn nothing of whom", () => {
  const server = serverOf(10, 10);
  const asked = { container_id: "c0", program: "http", alias: "a-3" };
  expect(() => makeAlias(server, placement("c0"), asked, around)).toThrow(
    "this project has an alias of this name",
  );
  for (const other of [{ userId: "9".repeat(24) }, { projectId: "9".repeat(24) }]) {
    expect(() => makeAlias(server, { ...placement("c0"), ...other }, asked, around)).toThrow(
      "the alias is used by another user or project on this server",
    );
  }
});
