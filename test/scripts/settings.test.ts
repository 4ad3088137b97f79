import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { readSettings } from "../../scripts/settings.ts";

test("nothing set is the default of every setting", () => {
  const unset = readSettings({});
  expect(unset).toEqual({
    port: 3000,
    listen: "127.0.0.1",
    edgeListen: "127.0.0.1",
    metricsPort: 9310,
    edgePort: 8443,
    edgeHttpPort: 8080,
    data: resolve(".berth"),
    seed: "demo",
    adminPassword: undefined,
    demoPassword: undefined,
    databaseUrl: undefined,
    gatewayDatabaseUrl: undefined,
    ownerDatabaseUrl: undefined,
    natsUrl: undefined,
    actorHosts: 1,
    containerDomain: "berth.localhost",
    aiProvider: "sandbox",
  });
  expect(readSettings({ BERTH_PORT: "", BERTH_SEED: "", NATS_URL: "" })).toEqual(unset);
});

test.each([
  ["DATABASE_URL", "mysql://host/berth"],
  ["BERTH_PORT", "0"],
  ["BERTH_PORT", "65536"],
  ["BERTH_PORT", "3000 "],
  ["BERTH_PORT", "0x10"],
  ["BERTH_PORT", "1e3"],
  ["BERTH_LISTEN", "localhost"],
  ["BERTH_EDGE_LISTEN", "0.0.0"],
  ["BERTH_METRICS_PORT", "-1"],
  ["BERTH_EDGE_PORT", "0"],
  ["BERTH_EDGE_HTTP_PORT", "x"],
  ["BERTH_ACTOR_HOSTS", "0"],
  ["BERTH_ACTOR_HOSTS", "9"],
  ["BERTH_SEED", "Demo"],
  ["BERTH_AI_PROVIDER", "Sandbox"],
  ["BERTH_ADMIN_PASSWORD", "short"],
  ["BERTH_DEMO_PASSWORD", "nine char"],
  ["DATABASE_URL", "mysql://u:p@h/d"],
  ["DATABASE_URL", "host"],
  ["DATABASE_URL", "postgres://u:p@h:1,h:x/d"],
  ["NATS_URL", "http://h"],
  ["BERTH_CONTAINER_DOMAIN", "Berth.localhost"],
  ["BERTH_CONTAINER_DOMAIN", "a..b"],
])("%s=%s is refused in one line that names it", (name, value) => {
  let message = "";
  try {
    readSettings({ [name]: value });
  } catch (error) {
    message = error instanceof Error ? error.message : "";
  }
  expect(message).toStartWith(name);
  expect(message).toContain("give ");
  expect(message).not.toContain("\n");
});

test("a refused address or password is not repeated", () => {
  expect(() => readSettings({ DATABASE_URL: "mysql://u:hidden@h/d" })).toThrow(/^(?!.*hidden)/);
  expect(() => readSettings({ BERTH_ADMIN_PASSWORD: "hidden".repeat(43) })).toThrow(/^(?!.*hidden)/);
});

test("the edge listens where the API does, unless it is told otherwise", () => {
  expect(readSettings({ BERTH_LISTEN: "0.0.0.0" })).toMatchObject({
    listen: "0.0.0.0",
    edgeListen: "0.0.0.0",
  });
  expect(readSettings({ BERTH_EDGE_LISTEN: "::" })).toMatchObject({ listen: "127.0.0.1", edgeListen: "::" });
});

test("several servers of one database may each have a port", () => {
  for (const url of ["postgres://u:p@a,b/d", "postgresql://u:p@a:5432,b:5433/d?target_session_attrs=primary"])
    expect(readSettings({ DATABASE_URL: url }).databaseUrl).toBe(url);
});
