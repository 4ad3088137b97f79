import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Stack, startStack, type TestUser } from "../../../../harness/stack.ts";
import { type CodeHost, startCodeHost } from "./code-host.ts";
import { linking, somebody } from "./linking.ts";

let host: CodeHost;
let stack: Stack;
let browser: ReturnType<typeof linking>;
beforeAll(async () => {
  host = await startCodeHost();
  const offer = { BERTH_CODEHOST_BONUS_REPO: "berth/berth", BERTH_CODEHOST_BONUS_CENTS: "750" };
  stack = await startStack({ actorHosts: 2, env: { ...host.env, ...offer } });
  browser = linking(stack, host);
});
afterAll(async () => {
  await stack.stop();
  await host.stop();
});

const balanceOf = async ({ token }: TestUser): Promise<string> =>
  (await stack.call("GET", "/api/v1/wallet/balances", { token })).body.data.general_balance;
const linked = async (as = somebody()) => {
  const user = await stack.user();
  await browser.link(user, as);
  return user;
};
const resultOf = async (user: TestUser) => (await browser.claim(user)).body.data.result;

test("a claim gives the bonus once: the money, its transaction, the claim", async () => {
  const user = await linked(somebody("alice"));
  expect(await browser.status(user)).toEqual({
    enabled: true,
    repo: "berth/berth",
    amount_usd: "7.50",
    codehost_linked: true,
    codehost_username: "alice",
    claimed: false,
    identity_claimed_elsewhere: false,
    claim: null,
  });
  const { status, body } = await browser.claim(user);
  expect(status).toBe(200);
  const { transaction_id, claim } = body.data;
  expect(body.data).toEqual({
    result: "granted",
    amount_usd: "7.50",
    transaction_id: expect.stringMatching(/^[0-9a-f]{24}$/),
    claim: { amount_usd: "7.50", at: expect.stringMatching(/^\d{4}-.*Z$/), transaction_id },
  });
  expect(await balanceOf(user)).toBe("7.50");
  expect(await browser.status(user)).toMatchObject({
    claimed: true,
    identity_claimed_elsewhere: false,
    claim,
  });
  const [transaction] = await stack.db`
    SELECT transaction_type, amount_cents FROM transactions WHERE id = ${transaction_id} AND user_id = ${user.id}`;
  expect(transaction).toEqual({ transaction_type: "bonus", amount_cents: 750n });
  const events = await stack.call("GET", "/api/v1/events?event_type=user.balance_credited", {
    token: user.token,
  });
  expect(events.body.data.events[0].data).toMatchObject({ transaction_id, source: "codehost_bonus" });

  expect((await browser.claim(user)).body.data).toEqual({ result: "already_claimed" });
  expect(await balanceOf(user)).toBe("7.50");
});

test("without an identity nothing is given", async () => {
  const user = await stack.user();
  expect((await browser.claim(user)).body.data).toEqual({ result: "not_linked" });
  expect(await balanceOf(user)).toBe("0.00");
});

test("an identity that another account claimed with gives nothing, also under a new name", async () => {
  const alice = somebody("alice");
  expect(await resultOf(await linked(alice))).toBe("granted");
  const other = await linked({ ...alice, login: "alice-renamed" });
  expect(await browser.status(other)).toMatchObject({
    codehost_username: "alice-renamed",
    claimed: false,
    identity_claimed_elsewhere: true,
  });
  expect((await browser.claim(other)).body.data).toEqual({ result: "identity_claimed_elsewhere" });
  expect(await balanceOf(other)).toBe("0.00");
});

test("an account that has claimed gets nothing for another identity, nor for unlinking", async () => {
  const user = await linked();
  expect(await resultOf(user)).toBe("granted");
  await browser.link(user, somebody("another"));
  expect(await resultOf(user)).toBe("already_claimed");
  await stack.call("DELETE", "/api/v1/auth/codehost", { token: user.token });
  expect(await resultOf(user)).toBe("already_claimed");
  expect(await browser.status(user)).toMatchObject({ claimed: true, codehost_linked: false });
  expect(await balanceOf(user)).toBe("7.50");
});

test("a name that was given to somebody else is another identity", async () => {
  expect(await resultOf(await linked(somebody("bob")))).toBe("granted");
  expect(await resultOf(await linked(somebody("bob")))).toBe("granted");
});

test("of accounts that claim with one identity at once, one is given the bonus", async () => {
  const alice = somebody("alice");
  const users = await Promise.all(Array.from({ length: 6 }, () => linked(alice)));
  const results = await Promise.all(users.map(resultOf));
  expect(results.toSorted()).toEqual(["granted", ...Array(5).fill("identity_claimed_elsewhere")]);
  const balances = await Promise.all(users.map(balanceOf));
  expect(balances.toSorted()).toEqual([...Array(5).fill("0.00"), "7.50"]);
});

test("of twenty claims of one account at once, one is granted and the rest are told or turned away", async () => {
  const user = await linked();
  const answers = await Promise.all(Array.from({ length: 20 }, () => browser.claim(user)));
  const results = answers.map(({ status, body }) => (status === 429 ? "429" : body.data.result));
  expect(results.toSorted()).toEqual([
    ...Array(10).fill("429"),
    ...Array(9).fill("already_claimed"),
    "granted",
  ]);
  expect(await balanceOf(user)).toBe("7.50");
});

test("too many claims are refused with the time to wait", async () => {
  const user = await stack.user();
  for (let i = 0; i < 10; i++) expect((await browser.claim(user)).status).toBe(200);
  const { status, headers, body } = await browser.claim(user);
  expect({ status, code: body.code, message: body.message }).toEqual({
    status: 429,
    code: "RATE_LIMITED",
    message: "Too many claims; retry shortly",
  });
  expect(Number(headers.get("retry-after"))).toBeWithin(1, 61);
  // Another's claims are another's.
  expect((await browser.claim(await stack.user())).status).toBe(200);
});

test("a claim whose answer was lost is answered again under its key", async () => {
  const user = await linked();
  const key = { "idempotency-key": "claim" };
  const first = await browser.claim(user, key);
  expect(first.body.data.result).toBe("granted");
  expect((await browser.claim(user, key)).body.data).toEqual(first.body.data);
  expect(await balanceOf(user)).toBe("7.50");
});

test("claims go on while actor hosts are killed: each account has its bonus once", async () => {
  const users = await Promise.all(Array.from({ length: 8 }, () => linked()));
  await stack.startHost("the-next");
  const claims = users.map((user) => browser.claim(user));
  process.kill((stack.hosts[1] as { pid: number }).pid, "SIGKILL");
  await Promise.all(claims);
  for (const user of users) {
    // Whatever the first answer was, one that is made again ends as granted or as claimed.
    let result = "retry";
    while (result === "retry") result = await resultOf(user);
    expect(result).toBeOneOf(["granted", "already_claimed"]);
    expect(await balanceOf(user)).toBe("7.50");
  }
});
