import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { REQUEST_BYTES_MAX } from "../../../../agents/notifier/limits.ts";
import { startService } from "../service.ts";

let service: ReturnType<typeof startService>;
beforeAll(() => {
  service = startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const good = { display: ":1", title: "t", body: "b" };

async function refusal(path: string, init: Parameters<typeof service.call>[1] = {}) {
  const response = await service.call(path, init);
  return [response.status, await response.json()] as const;
}

const invalid = (details: string) => [400, { success: false, error: "VALIDATION_ERROR", details }] as const;

test.each<[object, string]>([
  [{ ...good, display: "x" }, "body.display: must be a display, N or :N, N from 0 to 59535"],
  [{ ...good, display: "::1" }, "body.display: must be a display, N or :N, N from 0 to 59535"],
  [{ ...good, display: "01" }, "body.display: must be a display, N or :N, N from 0 to 59535"],
  [{ ...good, display: "59536" }, "body.display: must be a display, N or :N, N from 0 to 59535"],
  [{ ...good, display: "host:1" }, "body.display: must be a display, N or :N, N from 0 to 59535"],
  [{ title: "t", body: "b" }, "body.display: required"],
  [{ display: "1", body: "b" }, "body.title: required"],
  [{ ...good, title: "" }, "body.title: must be text of 1 to 256 characters"],
  [{ ...good, title: "x".repeat(257) }, "body.title: must be text of 1 to 256 characters"],
  [{ ...good, title: "a\0b" }, "body.title: must not contain NUL or half a surrogate pair"],
  [{ ...good, body: "\ud800" }, "body.body: must not contain NUL or half a surrogate pair"],
  [{ ...good, body: "x".repeat(4_097) }, "body.body: must be text of at most 4096 characters"],
  [{ ...good, body: 1 }, "body.body: must be text of at most 4096 characters"],
  [{ ...good, urgency: "high" }, "body.urgency: must be low, normal or critical"],
  [{ ...good, timeout: -1 }, "body.timeout: must be milliseconds, an integer from 0 to 86400000"],
  [{ ...good, timeout: "5" }, "body.timeout: must be milliseconds, an integer from 0 to 86400000"],
  [{ ...good, timeout: 1.5 }, "body.timeout: must be milliseconds, an integer from 0 to 86400000"],
  [{ ...good, icon: "" }, "body.icon: must be a path, a name or a data URL"],
  [{ ...good, actions: {} }, "body.actions: must be a list of at most 8 actions"],
  [
    { ...good, actions: Array(9).fill({ name: "a", label: "b" }) },
    "body.actions: must be a list of at most 8 actions",
  ],
  [
    { ...good, actions: [{ name: "a=b", label: "x" }] },
    "body.actions.0.name: must be 1 to 64 letters, digits and _.-",
  ],
  [{ ...good, actions: [{ name: "a" }] }, "body.actions.0.label: required"],
  [{ ...good, colour: "red" }, "body.colour: unknown field"],
  [{ ...good, ["__proto__"]: 1 }, "body.__proto__: unknown field"],
  [[], "body: must be an object"],
])("notify with %j is refused", async (json, details) => {
  expect(await refusal("notify", { json })).toEqual(invalid(details));
});

test.each<[object, string]>([
  [{ display: "1", id: "x" }, "body.id: must be 24 hexadecimal characters"],
  [{ display: "1" }, "body.id: required, or all: true"],
  [{ display: "1", all: false }, "body.all: must be true, in place of an id"],
  [{ display: "1", id: "a".repeat(24), all: true }, "body.all: has no place beside an id"],
  [{ display: "y", id: "a".repeat(24) }, "body.display: must be a display, N or :N, N from 0 to 59535"],
])("dismiss with %j is refused", async (json, details) => {
  expect(await refusal("dismiss", { json })).toEqual(invalid(details));
  expect(await refusal("dismiss", { json, method: "DELETE" })).toEqual(invalid(details));
});

test.each([
  ["1?limit=0", "query.limit: must be an integer, 1 or more"],
  ["1?limit=-1", "query.limit: must be an integer, 1 or more"],
  ["1?limit=1.5", "query.limit: must be an integer, 1 or more"],
  ["1?limit=", "query.limit: must be an integer, 1 or more"],
  ["1?limit=1&limit=2", "query.limit: must be given once"],
  ["1?dismissed=yes", "query.dismissed: must be true or false"],
  [
    "1?since=yesterday",
    "query.since: must be an ISO 8601 date and time with its zone, or milliseconds since 1970",
  ],
  [
    "1?since=2026-02-30T00:00:00Z",
    "query.since: must be an ISO 8601 date and time with its zone, or milliseconds since 1970",
  ],
  [
    "1?since=2026-01-01",
    "query.since: must be an ISO 8601 date and time with its zone, or milliseconds since 1970",
  ],
  ["1?cursor=0", "query.cursor: must be the next_cursor of a response"],
  ["1?page=2", "query.page: unknown parameter"],
  ["x1", "path.display: must be a display, N or :N, N from 0 to 59535"],
  ["stream", "query.display: required"],
  ["stream?display=a", "query.display: must be a display, N or :N, N from 0 to 59535"],
])("%s is refused", async (path, details) => {
  expect(await refusal(path)).toEqual(invalid(details));
});

test("an oversize limit is brought down to the maximum", async () => {
  expect((await service.call("1?limit=999999")).status).toBe(200);
});

test.each<[string, RequestInit, number, string]>([
  [
    "a form",
    { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "a=b" },
    415,
    "UNSUPPORTED_MEDIA_TYPE",
  ],
  [
    "plain text",
    { headers: { "content-type": "text/plain" }, body: JSON.stringify(good) },
    415,
    "UNSUPPORTED_MEDIA_TYPE",
  ],
  [
    "what is no JSON",
    { headers: { "content-type": "application/json" }, body: "{" },
    400,
    "VALIDATION_ERROR",
  ],
  [
    "what is no UTF-8",
    { headers: { "content-type": "application/json" }, body: Uint8Array.of(0x22, 0xff, 0x22) },
    400,
    "VALIDATION_ERROR",
  ],
  [
    "too much",
    { headers: { "content-type": "application/json" }, body: "x".repeat(REQUEST_BYTES_MAX + 1) },
    413,
    "PAYLOAD_TOO_LARGE",
  ],
])("a body that is %s is refused", async (_, init, status, error) => {
  expect(await refusal("notify", { method: "POST", ...init })).toMatchObject([
    status,
    { success: false, error },
  ]);
});

test.each([
  ["notify", "GET", "POST"],
  ["dismiss", "GET", "POST, DELETE"],
  ["stream", "POST", "GET"],
  ["icons/x", "POST", "GET, HEAD"],
  ["health", "POST", "GET, HEAD"],
  ["metrics", "DELETE", "GET, HEAD"],
  [":1", "PUT", "GET, HEAD"],
  ["/", "POST", "GET, HEAD"],
])("%s takes no %s", async (path, method, allow) => {
  const response = await service.call(path, { method });
  expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
  expect(await response.json()).toMatchObject({ success: false, error: "METHOD_NOT_ALLOWED" });
});

test.each(["/nothing", "/api/v1/notifications/", "/api/v1/notifications/a/b", "/api/v1/pipe/health"])(
  "there is nothing at %s",
  async (path) => {
    expect(await refusal(path)).toMatchObject([404, { success: false, error: "ROUTE_NOT_FOUND" }]);
  },
);

describe("pages of other origins", () => {
  const stranger = { origin: "https://evil.example" };

  test.each([
    ["notify", { json: good, headers: stranger }],
    ["dismiss", { json: { display: "1", id: "a".repeat(24) }, headers: stranger }],
    ["stream?display=1", { headers: stranger }],
    [":1", { headers: stranger }],
    ["notify", { method: "OPTIONS", headers: { ...stranger, "access-control-request-method": "POST" } }],
    ["notify", { json: good, headers: { origin: "null" } }],
    ["notify", { json: good, headers: { "sec-fetch-site": "cross-site" } }],
    ["stream?display=1", { headers: { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" } }],
  ])("may not ask for %s with %j", async (path, init) => {
    const response = await service.call(path, init);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ success: false, error: "FORBIDDEN_ORIGIN" });
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("may lead here", async () => {
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    expect((await service.call("/", { headers })).status).toBe(200);
  });

  test("its own page may do everything", async () => {
    const headers = { origin: service.origin, "sec-fetch-site": "same-origin" };
    expect((await service.call("notify", { json: good, headers })).status).toBe(201);
  });

  test("one that is allowed may do everything, and read the answers", async () => {
    const origin = "https://desk.example";
    await using open = startService({ allowedOrigins: [origin] });
    const asked = await open.call("notify", { method: "OPTIONS", headers: { origin } });
    expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
    expect(asked.headers.get("access-control-allow-headers")).toContain("Content-Type");
    const answer = await open.call("notify", { json: good, headers: { origin } });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([201, origin]);
    expect(answer.headers.get("vary")).toBe("Origin");
    expect((await open.call("notify", { json: good, headers: stranger })).status).toBe(403);
  });

  test("do not use up what their reader may ask for", async () => {
    await using own = startService({ client: "one" });
    for (let at = 0; at < 20; at++) await own.call("notify", { json: good, headers: stranger });
    expect((await own.call("notify", { json: good })).status).toBe(201);
  });
});

describe("who may enter", () => {
  test("is asked for everything but health", async () => {
    await using closed = startService({ authorize: () => new Response("no", { status: 401 }) });
    for (const path of [":1", "stream?display=1", "icons/x", "metrics", "/"]) {
      expect((await closed.call(path)).status).toBe(401);
    }
    for (const path of ["notify", "dismiss"])
      expect((await closed.call(path, { json: {} })).status).toBe(401);
    expect((await closed.call("health")).status).toBe(200);
  });

  test("a reader reads and changes nothing", async () => {
    await using readonly = startService({ authorize: async () => ({ readonly: true }) });
    expect((await readonly.call(":1")).status).toBe(200);
    for (const [path, method] of [
      ["notify", "POST"],
      ["dismiss", "POST"],
      ["dismiss", "DELETE"],
    ] as const) {
      expect((await readonly.call(path, { json: good, method })).status).toBe(403);
    }
  });
});

test("what goes wrong inside is reported there, and no word of it leaves", async () => {
  await using broken = startService({
    authorize: () => {
      throw new Error("secret");
    },
  });
  const response = await broken.call(":1");
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("secret");
  expect(String(broken.reports[0])).toContain("secret");
});
