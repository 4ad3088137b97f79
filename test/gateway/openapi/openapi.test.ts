import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { validate } from "@readme/openapi-parser";
import { inlined } from "../../harness/inlined-document.ts";
import { startMadeUpApp } from "../http/sample-app.ts";

let app: Awaited<ReturnType<typeof startMadeUpApp>>;
beforeAll(async () => {
  app = await startMadeUpApp();
});
afterAll(() => app.stop());

const page = () => fetch(`http://127.0.0.1:${app.port}/openapi`);
const describedAs = async (path: string, method: string) =>
  (await app.request("/openapi/json")).body.paths[path]?.[method];

describe("document", () => {
  test("is valid OpenAPI 3.1", async () => {
    const { body } = await app.request("/openapi/json");
    expect(body.openapi).toBe("3.1.0");
    expect(body.info.version).toBe("1.2.3");
    expect(await validate(structuredClone(body))).toMatchObject({ valid: true });
  });

  test("says who may call, what is taken and what comes back, from the schemas that validate", async () => {
    const build = await describedAs("/api/v1/boats", "post");
    expect(build).toMatchObject({ summary: "Builds a boat", tags: ["Boats"] });
    expect(build.security).toEqual([
      { bearer: [] },
      { api_token: ["resources.write"] },
      { basic: ["resources.write"] },
    ]);
    expect((await describedAs("/api/v1/harbour/close", "post")).security).toEqual([{ bearer: [] }]);
    const { body: document } = await app.request("/openapi/json");
    const operation = inlined(document).paths["/api/v1/boats"].post;
    const schema = operation.requestBody.content["application/json"].schema;
    expect(schema.properties.masts).toEqual({ type: "integer", minimum: 1, maximum: 5 });
    expect(schema.properties.rig).toEqual({ type: "string", enum: ["sloop", "ketch"] });
    expect(schema.additionalProperties).toBe(false);
    expect(build.parameters.map((one: { name: string }) => one.name)).toEqual(["Idempotency-Key"]);
    expect(operation.responses["201"].content["application/json"].schema.properties.data.required).toContain(
      "key",
    );
    const list = await describedAs("/api/v1/boats", "get");
    expect(list.parameters.map((one: { name: string }) => one.name)).toEqual(["limit", "search", "rigs"]);
    expect((await describedAs("/wrecks/taken", "get")).security).toEqual([]);
    expect((await describedAs("/api/v1/boats/launch", "post")).requestBody).toBeUndefined();
  });

  test("lists the codes that a route may refuse with, its own and those of every route", async () => {
    const { responses } = await describedAs("/api/v1/boats", "post");
    expect(Object.keys(responses)).toEqual([
      "201",
      "400",
      "401",
      "403",
      "409",
      "413",
      "415",
      "429",
      "500",
      "503",
    ]);
    expect(responses["400"].description).toBe("Bad Request: VALIDATION_ERROR, INSUFFICIENT_BALANCE");
    expect(responses["409"].description).toBe("Conflict: NAME_TAKEN");
    const { components } = (await app.request("/openapi/json")).body;
    expect(responses["503"].$ref).toBe("#/components/responses/ServiceUnavailableError");
    expect(Object.keys(components.responses.ServiceUnavailableError.headers)).toEqual([
      "X-Request-Id",
      "RateLimit-Policy",
      "RateLimit",
      "Retry-After",
    ]);
    expect(Object.keys((await describedAs("/api/v1/harbour/close", "post")).responses)).toContain("403");
  });

  test("takes an idempotency key on every change, and on no read", async () => {
    const names = async (path: string, method: string) =>
      (await describedAs(path, method)).parameters.map((one: { name: string }) => one.name);
    expect(await names("/api/v1/boats/{id}", "delete")).toEqual(["id", "Idempotency-Key"]);
    expect(await names("/api/v1/boats/{id}", "get")).toEqual(["id"]);
  });

  test("says that a process may not be ready", async () => {
    const { responses } = await describedAs("/health/ready", "get");
    expect(responses["503"].description).toContain("UNAVAILABLE");
  });

  test("holds nothing of the library that the schemas are written with", async () => {
    const { text } = await app.request("/openapi/json");
    expect(text).not.toMatch(/TypeBox|"Kind"|"~kind"|"~standard"/);
  });
});

describe("page", () => {
  test("shows every operation without its script, and has nothing from elsewhere", async () => {
    const response = await page();
    const html = await response.text();
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toStartWith(
      "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'",
    );
    expect(html.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/openapi/page.js">']);
    // The one address in it is where commands are sent, until the script knows better.
    expect(html.replaceAll("https://berth.example", "")).not.toMatch(/ style=| on\w+=|https?:\/\//);
    const { body } = await app.request("/openapi/json");
    const operations = Object.values<object>(body.paths).flatMap((path) => Object.values(path));
    expect(html.match(/<details id=/g)).toHaveLength(operations.length);
    for (const { operationId } of operations) expect(html).toContain(`id="${operationId}"`);
  });

  test("has its style sheet", async () => {
    const response = await fetch(`http://127.0.0.1:${app.port}/openapi/page.css`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/css; charset=utf-8");
  });
});
