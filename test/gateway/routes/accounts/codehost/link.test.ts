import { afterAll, beforeAll, expect, test } from "bun:test";
import { shareOf } from "../../../../faults/cluster.ts";
import { type Stack, startStack } from "../../../../harness/stack.ts";
import { until } from "../../../../harness/until.ts";
import { CALLBACK, type CodeHost, PUBLIC_URL, startCodeHost } from "./code-host.ts";
import { linking, somebody } from "./linking.ts";

let host: CodeHost;
let stack: Stack;
let browser: ReturnType<typeof linking>;
beforeAll(async () => {
  host = await startCodeHost();
  stack = await startStack({ env: { ...host.env, BERTH_CODEHOST_BONUS_REPO: "berth/berth" } });
  browser = linking(stack, host);
});
afterAll(async () => {
  await stack.stop();
  await host.stop();
});

const refused = async (answer: ReturnType<typeof browser.callBack>, status: number, code: string) => {
  const { status: got, body } = await answer;
  expect({ status: got, code: body.code }).toEqual({ status, code });
};
const INVALID = [400, "CODEHOST_LINK_INVALID"] as const;

test("a user who agrees at the code host has its identity linked", async () => {
  const user = await stack.user();
  expect(await browser.status(user)).toMatchObject({ codehost_linked: false, codehost_username: null });
  const { status, body } = await browser.link(user, somebody("alice"));
  expect({ status, data: body.data }).toEqual({
    status: 200,
    data: { codehost_username: "alice", linked_at: expect.stringMatching(/^\d{4}-.*Z$/) },
  });
  expect(await browser.status(user)).toMatchObject({ codehost_linked: true, codehost_username: "alice" });
});

test("the way to the code host has a challenge, a state and our address, and its cookie no script can read", async () => {
  const { token } = await stack.user();
  const { body, headers } = await stack.call("POST", "/api/v1/auth/codehost", { token });
  const { searchParams } = new URL(body.data.authorization_url);
  expect(Object.fromEntries(searchParams)).toEqual({
    response_type: "code",
    client_id: "berth-of-this-test",
    redirect_uri: `${PUBLIC_URL}${CALLBACK}`,
    scope: "openid profile",
    state: expect.stringMatching(/^[0-9a-f]{24}\.[A-Za-z0-9_-]{43}$/),
    code_challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    code_challenge_method: "S256",
  });
  expect(headers.get("set-cookie")).toMatch(
    /^berth_codehost_link=[A-Za-z0-9_-]{43}; Path=\/api\/v1\/auth\/codehost; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(Date.parse(body.data.expires_at)).toBeGreaterThan(Date.now());
});

test("a callback works once", async () => {
  const user = await stack.user();
  const { authorizationUrl, cookie } = await browser.begin(user);
  const back = await host.visit(authorizationUrl, somebody());
  expect((await browser.callBack(back, { cookie })).status).toBe(200);
  await refused(browser.callBack(back, { cookie }), ...INVALID);
});

test("a person comes back to the console, which says what came of it", async () => {
  const { authorizationUrl, cookie } = await browser.begin(await stack.user());
  const back = await host.visit(authorizationUrl, somebody());
  const returned = async () => {
    const { status, headers } = await fetch(stack.url + back.pathname + back.search, {
      headers: { cookie, accept: "text/html,*/*;q=0.8" },
      redirect: "manual",
    });
    return [status, headers.get("location")];
  };
  expect(await returned()).toEqual([303, "/wallet?codehost=linked"]);
  expect(await returned()).toEqual([303, "/wallet?codehost=codehost_link_invalid"]);
});

test("two that come back with one state at once: one is let in", async () => {
  const user = await stack.user();
  const { authorizationUrl, cookie } = await browser.begin(user);
  const back = await host.visit(authorizationUrl, somebody());
  const answers = await Promise.all(Array.from({ length: 8 }, () => browser.callBack(back, { cookie })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
});

test("whoever is lured into another's link links nothing: their browser did not begin it", async () => {
  const [attacker, victim] = [await stack.user(), await stack.user()];
  const { authorizationUrl, cookie } = await browser.begin(attacker);
  const back = await host.visit(authorizationUrl, somebody("victim"));
  await refused(browser.callBack(back, {}), ...INVALID);
  await refused(browser.callBack(back, { cookie: (await browser.begin(victim)).cookie }), ...INVALID);
  await refused(browser.callBack(back, { authorization: `Bearer ${victim.token}` }), ...INVALID);
  await refused(browser.callBack(back, { authorization: "Bearer none" }), 401, "INVALID_TOKEN");
  expect(await browser.status(attacker)).toMatchObject({ codehost_linked: false });
  // It stays good for the one who began it.
  expect((await browser.callBack(back, { cookie })).status).toBe(200);
});

test("a program without cookies comes back with its own access token", async () => {
  const user = await stack.user();
  const { authorizationUrl } = await browser.begin(user);
  const back = await host.visit(authorizationUrl, somebody("by-token"));
  const { status, body } = await browser.callBack(back, { authorization: `Bearer ${user.token}` });
  expect({ status, name: body.data.codehost_username }).toEqual({ status: 200, name: "by-token" });
});

test("a state that is none, of another account, or of a link that a newer one took the place of, is refused", async () => {
  const [user, other] = [await stack.user(), await stack.user()];
  const first = await browser.begin(user);
  const back = await host.visit(first.authorizationUrl, somebody());
  const state = back.searchParams.get("state") ?? "";
  const withState = (text: string) => {
    const url = new URL(back);
    url.searchParams.set("state", text);
    return url;
  };
  await refused(browser.callBack(withState("x"), first), 400, "VALIDATION_ERROR");
  await refused(browser.callBack(withState(state.replace(user.id, other.id)), first), ...INVALID);
  await refused(browser.callBack(withState(`${state.slice(0, -4)}AAAA`), first), ...INVALID);
  await browser.begin(user);
  await refused(browser.callBack(back, first), ...INVALID);
  expect(await browser.status(user)).toMatchObject({ codehost_linked: false });
});

test("a link that took too long is refused", async () => {
  const user = await stack.user();
  const { authorizationUrl, cookie } = await browser.begin(user);
  const back = await host.visit(authorizationUrl, somebody());
  // Ten minutes later: the actor reads its row again on another host.
  await stack.db`UPDATE codehost_accounts SET attempt_expires_at = now() - interval '1 second' WHERE user_id = ${user.id}`;
  await stack.startHost("later");
  process.kill((stack.hosts[0] as { pid: number }).pid, "SIGTERM");
  await until(async () => (await shareOf(stack, "actors-1")) === 0);
  await refused(browser.callBack(back, { cookie }), ...INVALID);
});

test("a user who does not agree is told so, and the link is over", async () => {
  const user = await stack.user();
  const { authorizationUrl, cookie } = await browser.begin(user);
  const back = await host.visit(authorizationUrl, "denies");
  await refused(browser.callBack(back, { cookie }), 400, "CODEHOST_DENIED");
  await refused(browser.callBack(back, { cookie }), ...INVALID);
});

test("a code that the code host does not know is refused", async () => {
  const user = await stack.user();
  const { authorizationUrl, cookie } = await browser.begin(user);
  const back = await host.visit(authorizationUrl, somebody());
  back.searchParams.set("code", "of-somebody-else");
  await refused(browser.callBack(back, { cookie }), ...INVALID);
});

test("a code that another client stole is of no use to it here: the challenge is another's", async () => {
  const [victim, thief] = [await stack.user(), await stack.user()];
  const [of, his] = [await browser.begin(victim), await browser.begin(thief)];
  const stolen = (await host.visit(of.authorizationUrl, somebody("victim"))).searchParams.get("code") ?? "";
  const back = await host.visit(his.authorizationUrl, somebody("thief"));
  back.searchParams.set("code", stolen);
  await refused(browser.callBack(back, his), ...INVALID);
  expect(await browser.status(thief)).toMatchObject({ codehost_linked: false });
});

test.each([
  ["no number", { login: "alice" }],
  ["no name", { id: 7 }],
  ["a name that is none", { id: 7, login: "" }],
  ["another form", ["alice"]],
])("a user whom the code host tells with %s is not linked", async (_what, answer) => {
  const user = await stack.user();
  host.answerUsers(answer);
  try {
    await refused(browser.link(user, somebody()), 502, "CODEHOST_FAILED");
  } finally {
    host.answerUsers(undefined);
  }
  expect(await browser.status(user)).toMatchObject({ codehost_linked: false });
});

test("unlinking ends it, once and again, and ends a link that is under way", async () => {
  const user = await stack.user();
  await browser.link(user, somebody());
  const { authorizationUrl, cookie } = await browser.begin(user);
  const back = await host.visit(authorizationUrl, somebody());
  for (let i = 0; i < 2; i++) {
    const { status, body } = await stack.call("DELETE", "/api/v1/auth/codehost", { token: user.token });
    expect({ status, data: body.data }).toEqual({ status: 200, data: undefined });
  }
  expect(await browser.status(user)).toMatchObject({ codehost_linked: false, codehost_username: null });
  await refused(browser.callBack(back, { cookie }), ...INVALID);
});

test("another identity takes the place of the linked one", async () => {
  const user = await stack.user();
  await browser.link(user, somebody("one"));
  await browser.link(user, somebody("two"));
  expect(await browser.status(user)).toMatchObject({ codehost_linked: true, codehost_username: "two" });
});

test("the code host's secrets are in no row", async () => {
  const rows = await stack.db`SELECT * FROM codehost_accounts`;
  const text = JSON.stringify(rows, (_key, value) => (typeof value === "bigint" ? `${value}` : value));
  expect(rows.length).toBeGreaterThan(0);
  expect(text).not.toMatch(/access_token|id_token|of-this-test/);
});
