import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startMadeUpApp } from "./sample-app.ts";

let app: Awaited<ReturnType<typeof startMadeUpApp>>;
beforeAll(async () => {
  app = await startMadeUpApp();
});
afterAll(() => app.stop());

describe("envelope", () => {
  test("a reply carries its status in the envelope and in HTTP", async () => {
    const listed = await app.get("/api/v1/boats");
    expect(listed.status).toBe(200);
    expect(listed.body).toEqual({
      statusCode: 200,
      message: "Boats",
      data: { caller: "a".repeat(24), query: {} },
    });
    const built = await app.post("/api/v1/boats", '{"name":"Argo","masts":1}');
    expect(built.status).toBe(201);
    expect(built.body).toMatchObject({
      statusCode: 201,
      message: "Boat built",
      data: { name: "Argo", masts: 1 },
    });
  });

  test("no reply is stored by a cache or sniffed for another type", async () => {
    for (const path of ["/api/v1/boats", "/nowhere", "/wrecks/fault", "/openapi"]) {
      const response = await fetch(`http://127.0.0.1:${app.port}${path}`);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test("HEAD answers as GET does, without the body", async () => {
    const headers = { authorization: `Bearer ${app.token}` };
    const head = await app.request("/api/v1/boats", { method: "HEAD", headers });
    expect(head.status).toBe(200);
    expect(head.text).toBe("");
    const got = await app.get("/api/v1/boats");
    expect(head.headers.get("content-length")).toBe(String(got.text.length));
    expect((await app.request("/api/v1/boats", { method: "HEAD" })).status).toBe(401);
    expect((await app.request("/nowhere", { method: "HEAD" })).status).toBe(404);
  });

  test("a trailing slash makes no difference", async () => {
    expect((await app.get("/api/v1/boats/")).status).toBe(200);
    expect((await app.post("/api/v1/boats/launch/")).status).toBe(200);
  });
});

describe("errors", () => {
  test("a refusal answers with its code's status, its message and its data", async () => {
    const { status, body } = await app.request("/wrecks/taken");
    expect(status).toBe(409);
    expect(body).toEqual({
      statusCode: 409,
      error: "Conflict",
      message: "That name is taken",
      code: "NAME_TAKEN",
      data: { name: "Argo" },
    });
  });

  test("a 503 says when to come back", async () => {
    for (const [path, code] of [
      ["/wrecks/overloaded", "OVERLOADED"],
      ["/wrecks/away", "UNAVAILABLE"],
    ] as const) {
      const { status, body, headers } = await app.request(path);
      expect([status, body.code, headers.get("retry-after")]).toEqual([503, code, "1"]);
    }
  });

  test("a database that is away while the gateway finds out who asks is a 503 with a body as without", async () => {
    const headers = { authorization: `Bearer ${app.token}`, "content-type": "application/json" };
    app.sessions.areAway = true;
    for (const init of [{}, { method: "POST", body: '{"name":"Argo","masts":1}' }]) {
      const { status, body } = await app.request("/api/v1/boats", { ...init, headers });
      expect([status, body.code]).toEqual([503, "UNAVAILABLE"]);
    }
    app.sessions.areAway = false;
  });

  test("a fault tells the caller nothing and the log everything, under one request id", async () => {
    app.logged.length = 0;
    const { status, body, text } = await app.request("/wrecks/fault", {
      headers: { "x-request-id": "fault-1" },
    });
    expect(status).toBe(500);
    expect(body).toEqual({
      statusCode: 500,
      error: "Internal Server Error",
      message: "Something went wrong on our side",
      code: "INTERNAL_ERROR",
    });
    expect(text).not.toContain("hunter2");
    expect(app.logged).toHaveLength(1);
    expect(app.logged[0]).toMatchObject({
      level: 50,
      request_id: "fault-1",
      method: "GET",
      route: "/wrecks/fault",
    });
    expect(JSON.stringify(app.logged[0])).toContain("sample-app.ts");
  });

  test("a reply that breaks its own schema is a 500, and neither answer nor log holds its values", async () => {
    app.logged.length = 0;
    const { status, body } = await app.request("/wrecks/bad-reply");
    expect(status).toBe(500);
    expect(body.code).toBe("INTERNAL_ERROR");
    expect(JSON.stringify(app.logged)).toContain("the response breaks its schema at /data/masts");
    expect(JSON.stringify(app.logged)).not.toContain("password of somebody");
  });

  test("what cannot be serialised, and what is thrown but is no error, are 500s in the envelope", async () => {
    for (const path of ["/wrecks/unserialisable", "/wrecks/nothing-thrown"]) {
      const { status, body, headers } = await app.request(path);
      expect(status).toBe(500);
      expect(body.code).toBe("INTERNAL_ERROR");
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test("a refusal is not logged as a fault", async () => {
    app.logged.length = 0;
    await app.request("/wrecks/taken");
    await app.request("/nowhere");
    expect(app.logged).toEqual([]);
  });
});

describe("routes", () => {
  test("an unknown path is 404 ROUTE_NOT_FOUND", async () => {
    for (const path of ["/nowhere", "/api/v1/boats/1/2", "/API/v1/boats", "/wrecks"]) {
      const { status, body } = await app.request(path);
      expect([status, body.code]).toEqual([404, "ROUTE_NOT_FOUND"]);
    }
  });

  test("a known path with another method is 405 and says which it takes", async () => {
    const allow = async (method: string, path: string) => {
      const { status, body, headers } = await app.request(path, { method });
      expect([status, body.code]).toEqual([405, "METHOD_NOT_ALLOWED"]);
      return headers.get("allow");
    };
    expect(await allow("PUT", "/api/v1/boats")).toBe("GET, HEAD, POST");
    expect(await allow("PATCH", "/api/v1/boats/1")).toBe("DELETE, GET, HEAD");
    // It is no boat of that id: the path is the route's that has it word for word.
    expect(await allow("OPTIONS", "/api/v1/boats/launch")).toBe("POST");
    expect((await app.get("/api/v1/boats/launch")).headers.get("allow")).toBe("POST");
    expect(await allow("POST", "/health/live")).toBe("GET, HEAD");
  });
});
