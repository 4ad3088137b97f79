import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sendRaw } from "../http/raw-http.ts";
import { startMadeUpApp } from "../http/sample-app.ts";

let app: Awaited<ReturnType<typeof startMadeUpApp>>;
beforeAll(async () => {
  app = await startMadeUpApp();
});
afterAll(() => app.stop());

const withAuthorization = async (authorization?: string) => {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const { status, body, headers: answered } = await app.request("/api/v1/boats", { headers });
  return [status, body.code, answered.get("www-authenticate")];
};

describe("401", () => {
  test("without a bearer token: MISSING_TOKEN", async () => {
    for (const authorization of [undefined, "", "Digest demo", "Basic", "Basic  ", "Bearer", "Bearer  "]) {
      expect(await withAuthorization(authorization)).toEqual([401, "MISSING_TOKEN", "Bearer"]);
    }
  });

  test("with something else than a token: INVALID_TOKEN", async () => {
    for (const credential of ["x", "a.b.c", `${app.token}x`, `${app.token} ${app.token}`, "x".repeat(5000)]) {
      const expected = [401, "INVALID_TOKEN", 'Bearer error="invalid_token"'];
      expect(await withAuthorization(`Bearer ${credential}`)).toEqual(expected);
    }
  });

  test("with user name and password, which are no user name and API token: INVALID_TOKEN", async () => {
    for (const credentials of ["ZGVtbzpkZW1v", "!", "x".repeat(5000)]) {
      const expected = [401, "INVALID_TOKEN", 'Bearer error="invalid_token"'];
      expect(await withAuthorization(`Basic ${credentials}`)).toEqual(expected);
    }
  });

  test("comes before the body is read, parsed or checked, and before the query and path are checked", async () => {
    const code = async (path: string, init: RequestInit) => (await app.request(path, init)).body.code;
    const json = { "content-type": "application/json" };
    expect(await code("/api/v1/boats", { method: "POST", body: "{", headers: json })).toBe("MISSING_TOKEN");
    expect(await code("/api/v1/boats", { method: "POST", body: "{}", headers: json })).toBe("MISSING_TOKEN");
    expect(await code("/api/v1/boats", { method: "POST", body: "a=b" })).toBe("MISSING_TOKEN");
    expect(await code("/api/v1/boats", { method: "POST", body: "x".repeat(10_000_000) })).toBe(
      "MISSING_TOKEN",
    );
    expect(await code("/api/v1/boats?unknown=1", {})).toBe("MISSING_TOKEN");
    expect(await code("/api/v1/boats/not-an-id", { method: "DELETE" })).toBe("MISSING_TOKEN");
    const head = "POST /api/v1/boats HTTP/1.1\r\nHost: b\r\nContent-Type: application/json\r\n";
    const unsent = await sendRaw(app.port, `${head}Content-Length: 10000000\r\n\r\n`);
    expect(unsent.status).toBe(401);
  });
});

test("the scheme is written in any case", async () => {
  for (const scheme of ["bearer", "BEARER"]) {
    expect(
      (await app.request("/api/v1/boats", { headers: { authorization: `${scheme} ${app.token}` } })).status,
    ).toBe(200);
  }
});

test("an administrator's route is 403 for others, before anything else of the request counts", async () => {
  const close = (token: string, body: string) =>
    app.post("/api/v1/harbour/close", body, { authorization: `Bearer ${token}` });
  expect((await close(app.token, "{")).body.code).toBe("INSUFFICIENT_PERMISSIONS");
  expect((await close(app.token, "{")).status).toBe(403);
  expect((await close(app.adminToken, "{}")).status).toBe(200);
  expect((await app.request("/api/v1/harbour/close", { method: "POST" })).status).toBe(401);
});
