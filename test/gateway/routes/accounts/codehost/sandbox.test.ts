import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SandboxGrants, userNumber } from "../../../../../gateway/codehost-sandbox/grants.ts";
import { readGatewaySettings } from "../../../../../gateway/settings.ts";
import { codehostEnvironment } from "../../../../../scripts/codehost.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../../../harness/embedded-stack.ts";

const CLIENT_SECRET = "of this test";

let stack: EmbeddedStack;
beforeAll(async () => {
  const { gateway } = codehostEnvironment({}, { isDemo: true, sandboxSecret: CLIENT_SECRET });
  stack = await startEmbeddedStack({ env: gateway });
});
afterAll(() => stack.stop());

/** Begins a link, as a browser: the address of the sandbox's page, and the cookie of the link. */
const begin = async ({ token }: TestUser) => {
  const { body, headers } = await stack.call("POST", "/api/v1/auth/codehost", { token });
  const [cookie = ""] = headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  return { page: body.data.authorization_url as string, cookie };
};
/** Presses a button of the page. Returns the page, or where it leads. */
const press = (page: string, form: Record<string, string>) =>
  fetch(page, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });
const link = async (user: TestUser, login: string) => {
  const { page, cookie } = await begin(user);
  const { headers } = await press(page, { login, action: "allow" });
  const back = new URL(headers.get("location") ?? "");
  return stack.call("GET", back.pathname + back.search, { headers: { cookie } });
};
const claim = async ({ token }: TestUser) =>
  (await stack.call("POST", "/api/v1/wallet/codehost-bonus/claim", { token })).body.data;

test("a user links an identity of the sandbox and gets the bonus, once for the identity", async () => {
  const [first, second] = [await stack.user(), await stack.user()];
  const { page } = await begin(first);
  const shown = await fetch(page);
  expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining("Link your identity")]);
  expect((await link(first, "octocat")).body.data).toMatchObject({ codehost_username: "octocat" });
  expect(await claim(first)).toMatchObject({ result: "granted", amount_usd: "5.00" });
  const { body } = await stack.call("GET", "/api/v1/wallet/balances", { token: first.token });
  expect(body.data.general_balance).toBe("5.00");
  expect((await link(second, "OctoCat")).status).toBe(200);
  expect(await claim(second)).toEqual({ result: "identity_claimed_elsewhere" });
});

test("who does not agree is not linked, and a name that is none is said on the page", async () => {
  const user = await stack.user();
  const { page, cookie } = await begin(user);
  const again = await press(page, { login: "no name!", action: "allow" });
  expect([again.status, await again.text()]).toEqual([400, expect.stringContaining("letters, digits")]);
  const denied = new URL((await press(page, { action: "deny" })).headers.get("location") ?? "");
  const { status, body } = await stack.call("GET", denied.pathname + denied.search, { headers: { cookie } });
  expect([status, body.code]).toEqual([400, "CODEHOST_DENIED"]);
  expect(await claim(user)).toEqual({ result: "not_linked" });
});

describe("the sandbox refuses", () => {
  test.each(["client_id", "redirect_uri"])("another %s, so that no code goes elsewhere", async (name) => {
    const { page } = await begin(await stack.user());
    const url = new URL(page);
    url.searchParams.set(name, "https://elsewhere.example/");
    for (const response of [await fetch(url), await press(url.href, { login: "octocat", action: "allow" })])
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { data: { field: `query.${name}` } },
      ]);
  });

  test("a code without its verifier, a token that it did not sign, and a code in place of a token", async () => {
    const { page } = await begin(await stack.user());
    const location = (await press(page, { login: "octocat", action: "allow" })).headers.get("location") ?? "";
    const code = new URL(location).searchParams.get("code") ?? "";
    const exchange = (fields: Record<string, string>) =>
      press(`${stack.url}/sandbox/codehost/token`, {
        ...{ client_id: "sandbox", client_secret: CLIENT_SECRET, code, code_verifier: "x".repeat(43) },
        ...{ redirect_uri: new URL(page).searchParams.get("redirect_uri") ?? "", ...fields },
      });
    expect((await exchange({})).status).toBe(400);
    expect((await exchange({ code: `${code}x` })).status).toBe(400);
    expect((await exchange({ client_secret: "another" })).status).toBe(401);
    for (const token of [code, "x.y", ""]) {
      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(`${stack.url}/sandbox/codehost/user`, { headers })).status).toBe(401);
    }
  });

  test("what has expired", () => {
    let now = 0;
    const grants = new SandboxGrants("secret", () => now);
    const token = grants.issue("token", { login: "octocat" });
    expect(grants.read("token", token)).toEqual({ login: "octocat" });
    now = 61_000;
    expect(grants.read("token", token)).toBeUndefined();
  });
});

test("a name is one person in any case of letters, and two names are two", () => {
  expect(userNumber("octocat")).toBe(userNumber("OCTOCAT"));
  expect(userNumber("octocat")).not.toBe(userNumber("octodog"));
});

test("it is on with the demo alone, unless a code host or its absence was chosen", () => {
  const options = { isDemo: true, sandboxSecret: "s" };
  const off = { gateway: {}, actors: {} };
  expect(codehostEnvironment({}, { ...options, isDemo: false })).toEqual(off);
  expect(codehostEnvironment({ BERTH_CODEHOST_PROVIDER: "none" }, options)).toEqual(off);
  const own = { BERTH_CODEHOST_CLIENT_ID: "id", BERTH_CODEHOST_CLIENT_SECRET: "mine" };
  expect(codehostEnvironment(own, options)).toEqual({
    gateway: { BERTH_CODEHOST_CLIENT_SECRET: "mine" },
    actors: {},
  });
  const env = { DATABASE_URL: "postgres://x", NATS_URL: "nats://x", BERTH_SIGNING_KEY_FILE: "/key" };
  expect(readGatewaySettings(env).codehost).toBeUndefined();
  const sandboxed = readGatewaySettings({ ...env, ...codehostEnvironment({}, options).gateway });
  expect(sandboxed.codehost).toMatchObject({ isSandbox: true, clientId: "sandbox" });
});
