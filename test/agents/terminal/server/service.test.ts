import { expect, test } from "bun:test";
import { join } from "node:path";
import { document } from "../../../../agents/terminal/openapi.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { startService } from "../service.ts";

test("the service describes itself as JSON and as YAML, the same in both", async () => {
  await using service = startService();
  const json = await fetch(`${service.origin}/api/v1/terminal/openapi.json`);
  expect(json.headers.get("content-type")).toContain("application/json");
  expect(await json.json()).toEqual(structuredClone(document));
  const yaml = await fetch(`${service.origin}/api/v1/terminal/openapi.yaml`);
  expect(yaml.headers.get("content-type")).toContain("yaml");
  expect(Bun.YAML.parse(await yaml.text())).toEqual(structuredClone(document));
});

test("a missing description is SPEC_NOT_FOUND", async () => {
  await using service = startService({ specificationFile: join(temporaryFolder(), "openapi.json") });
  for (const extension of ["json", "yaml"]) {
    const response = await fetch(`${service.origin}/api/v1/terminal/openapi.${extension}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      statusCode: 404,
      error: "Not Found",
      message: "OpenAPI specification file missing",
      code: "SPEC_NOT_FOUND",
    });
  }
});

test("a bad parameter is a 400 with its reason, on a page for browsers and in an envelope for others", async () => {
  await using service = startService();
  const message = "fontSize: must be a whole number from 8 to 72";
  const json = await service.page("fontSize=7");
  expect(json.status).toBe(400);
  expect(await json.json()).toEqual({
    statusCode: 400,
    error: "Bad Request",
    message,
    code: "VALIDATION_ERROR",
  });
  const html = await service.page("fontSize=7", { headers: { accept: "text/html" } });
  expect(html.status).toBe(400);
  expect(await html.text()).toContain(message);
  expect(service.terminal.sessions.all).toHaveLength(0);
});

test("a session without a number gets one from 1 to 65535", async () => {
  await using service = startService();
  const { id } = await service.boot("");
  expect(id).toBeGreaterThanOrEqual(1);
  expect(id).toBeLessThanOrEqual(65_535);
});

test("sessions are listed with where their shells are and what runs in front, as far as that can be told", async () => {
  await using service = startService();
  const folder = temporaryFolder();
  const client = await service.open({ terminal_id: "7", cwd: folder });
  const asOther = lacks("root")
    ? null
    : await service.open({ terminal_id: "8", user: "nobody", cwd: "/tmp" });
  client.type("sleep 1000\n");
  const listed = async () => {
    const response = await fetch(`${service.origin}/api/v1/terminal/sessions`);
    const { sessions } = (await response.json()) as { sessions: Record<string, unknown>[] };
    return Object.fromEntries(sessions.map((one) => [one.id, [one.directory, one.program]]));
  };
  await until(async () => (await listed())[7]?.[1] === "sleep");
  expect((await listed())[7]).toEqual([folder, "sleep"]);
  if (asOther !== null) expect((await listed())[8]?.[0]).toBe("/tmp");
});

test("sessions are listed, renamed for all who look on, and ended", async () => {
  await using service = startService();
  const client = await service.open({ terminal_id: "7", shell: "sh" });
  client.type("printf '\\033]2;from a program\\007'; echo ti''tled\n");
  await client.shows("titled");
  const at = `${service.origin}/api/v1/terminal/sessions`;
  const { sessions } = (await (await fetch(at)).json()) as { sessions: unknown[] };
  expect(sessions).toMatchObject([
    { id: 7, name: null, title: "from a program", description: "sh", clients: 1, cols: 80, rows: 24 },
  ]);
  const renamed = await fetch(`${at}/7`, { method: "PATCH", body: JSON.stringify({ name: "Build" }) });
  expect(await renamed.json()).toMatchObject({ id: 7, name: "Build" });
  await until(() => client.message("name")?.name === "Build");
  const foxes = "🦊".repeat(200);
  const long = await fetch(`${at}/7`, { method: "PATCH", body: JSON.stringify({ name: foxes }) });
  expect(await long.json()).toMatchObject({ name: foxes });
  for (const body of [
    "",
    "{}",
    '{"name":1}',
    JSON.stringify({ name: "x".repeat(201) }),
    JSON.stringify({ name: "🦊".repeat(201) }),
    '{"name":"a\\nb"}',
  ]) {
    expect((await fetch(`${at}/7`, { method: "PATCH", body })).status).toBe(400);
  }
  expect((await fetch(`${at}/7`, { method: "DELETE" })).status).toBe(204);
  await until(() => client.exit);
  expect(client.exit).toMatchObject({ reason: "it was ended from the list of sessions" });
  await until(() => service.terminal.sessions.get(7) === undefined);
  for (const path of ["/7", "/x", "/99999"])
    expect((await fetch(`${at}${path}`, { method: "DELETE" })).status).toBe(404);
});

test("whoever may not enter gets the answer of who decides, and no session", async () => {
  await using service = startService({ authorize: () => new Response("no", { status: 401 }) });
  for (const path of [
    "/",
    "/api/v1/terminal/ws",
    "/api/v1/terminal/sessions",
    "/api/v1/terminal/sessions/7",
  ]) {
    expect((await fetch(`${service.origin}${path}`)).status).toBe(401);
  }
  expect(service.terminal.sessions.all).toHaveLength(0);
});

test("what is nowhere is a 404", async () => {
  await using service = startService();
  for (const path of [
    "/x",
    "/api/v1/terminal",
    "/api/v1/terminal/assets/../../main.ts",
    "/api/v1/terminal/assets/x",
  ]) {
    expect((await fetch(`${service.origin}${path}`)).status).toBe(404);
  }
});
