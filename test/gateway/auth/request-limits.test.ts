import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../actors/platform/ids.ts";
import { RequestLimits, type RequestRates } from "../../../gateway/auth/request-limits.ts";
import type { Caller, Credential } from "../../../schemas/accounts/auth.ts";
import { startMadeUpApp, UNLIMITED } from "../http/sample-app.ts";

const RATES: RequestRates = { ...UNLIMITED, account: 3, realm: 2, anonymous: 4 };
let app: Awaited<ReturnType<typeof startMadeUpApp>>;
beforeAll(async () => {
  app = await startMadeUpApp(RATES);
});
afterAll(() => app.stop());

/** Another user's access token. */
const user = async (): Promise<string> => (await app.issuer.issue({ ...app.claims, sub: newId() })).token;
const from = (address: string) => ({ "x-forwarded-for": address });
const as = (token: string, address = "203.0.113.1") => ({
  authorization: `Bearer ${token}`,
  ...from(address),
});
const limits = ({ headers }: { headers: Headers }) => [
  headers.get("ratelimit-policy"),
  headers.get("ratelimit"),
];

describe("a user", () => {
  test("is told the limit with every answer, and refused past it wherever the requests come from", async () => {
    const token = await user();
    const paths = ["/api/v1/boats", "/api/v1/boats/nonsense", "/api/v1/harbour/close"];
    const answers = [];
    for (const [i, path] of paths.entries())
      answers.push(
        await app.request(path, {
          method: path.endsWith("close") ? "POST" : "GET",
          headers: as(token, `203.0.113.${i}`),
        }),
      );
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 403]);
    for (const [i, answer] of answers.entries()) {
      const [policy, left] = limits(answer);
      expect(policy).toBe('"account";q=3;w=60');
      expect(left).toMatch(new RegExp(`^"account";r=${2 - i};t=(60|59)$`));
    }
    const refused = await app.request("/api/v1/boats", {
      method: "POST",
      headers: { ...as(token, "203.0.113.9"), "content-type": "application/json" },
      body: "{}",
    });
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ statusCode: 429, error: "Too Many Requests", code: "RATE_LIMITED" });
    expect(Number(refused.headers.get("retry-after"))).toBe(refused.body.data.retry_after_seconds);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(limits(refused)[1]).toStartWith('"account";r=0;t=');
  });

  test("has a count that other users and requests without a credential do not use up", async () => {
    const [token, other] = [await user(), await user()];
    const address = "203.0.113.20";
    for (let i = 0; i < 4; i++) await app.request("/api/v1/boats", { headers: as(token, address) });
    for (let i = 0; i < 5; i++) await app.request("/nowhere", { headers: from(address) });
    expect((await app.request("/api/v1/boats", { headers: as(other, address) })).status).toBe(200);
  });
});

describe("requests without a valid credential", () => {
  test("are counted by address: unknown paths and methods, bad tokens, public routes and bad URLs together", async () => {
    const headers = from("203.0.113.30");
    const statuses = [
      (await app.request("/nowhere", { headers })).status,
      (await app.request("/api/v1/boats", { headers: { ...headers, authorization: "Bearer x" } })).status,
      (await app.request("/wrecks/taken", { headers })).status,
      (await app.request("/api/v1/boats/%00", { headers })).status,
    ];
    expect(statuses).toEqual([404, 401, 409, 400]);
    for (const path of ["/nowhere", "/api/v1/boats", "/wrecks/taken", "/api/v1/boats/%00"]) {
      const { status, headers: sent } = await app.request(path, { headers });
      expect([path, status]).toEqual([path, 429]);
      expect(sent.get("ratelimit-policy")).toBe('"anonymous";q=4;w=60');
      expect(Number(sent.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await app.request("/nowhere", { headers: from("203.0.113.31") })).status).toBe(404);
  });
});

test("a route with a limit of its own shows that one", async () => {
  const answer = await app.request("/wrecks/sign-in", { method: "POST", headers: from("203.0.113.40") });
  expect(limits(answer)[0]).toBe('"sign-in";q=2;w=60');
});

test("health and the API's description are not counted", async () => {
  const headers = from("203.0.113.50");
  for (let i = 0; i < 3; i++) {
    for (const path of ["/health/live", "/health/ready", "/openapi/json"]) {
      const answer = await app.request(path, { headers });
      expect([path, answer.status, ...limits(answer)]).toEqual([path, 200, null, null]);
    }
  }
  expect(limits(await app.request("/nowhere", { headers }))[1]).toStartWith('"anonymous";r=3;');
});

test("each kind of credential has its own limit, HTTP Basic that of its API token", () => {
  const rates = { ...UNLIMITED, account: 5, api_token: 2, realm: 1, impersonation: 3 };
  const requestLimits = new RequestLimits(
    rates,
    () => "",
    () => 0,
  );
  const userId = newId();
  const isAllowed = (credential: Credential) => {
    try {
      requestLimits.countCaller({ credential, userId } as Caller, {});
      return true;
    } catch {
      return false;
    }
  };
  expect(isAllowed("api_token")).toBe(true);
  expect(isAllowed("basic")).toBe(true);
  expect([isAllowed("api_token"), isAllowed("basic")]).toEqual([false, false]);
  expect([isAllowed("realm"), isAllowed("realm")]).toEqual([true, false]);
  expect(isAllowed("impersonation")).toBe(true);
  expect(Array.from({ length: 6 }, () => isAllowed("account"))).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
  ]);
});
