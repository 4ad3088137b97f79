import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";
import { as } from "../pool/team.ts";

let stack: SharedStack;
let user: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  user = await stack.user();
});
afterAll(() => stack.stop());

interface Begun {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri_complete: string;
}
const begin = async (): Promise<Begun> =>
  (await stack.call("POST", "/api/v1/auth/device", { body: { client_name: "backup on nas" } })).body.data;
const poll = ({ device_code }: Begun) =>
  stack.call("POST", "/api/v1/auth/device/token", { body: { device_code } });
const decide = ({ user_code }: Begun, what: "approve" | "deny", who = user, headers = {}) =>
  as(stack, who)("POST", `/auth/device/${user_code}/${what}`, undefined, headers);

test("a program is signed in after its user has seen what asks and has approved it, once", async () => {
  const begun = await begin();
  expect(begun.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  expect(begun.verification_uri_complete).toEndWith(`/device?code=${begun.user_code}`);
  expect((await poll(begun)).body.code).toBe("AUTHORIZATION_PENDING");
  const typed = begun.user_code.toLowerCase().replace("-", " ");
  const asked = await as(stack, user)("GET", `/auth/device/${encodeURIComponent(typed)}`);
  expect(asked.body.data).toMatchObject({
    client_name: "backup on nas",
    address: stack.address,
    status: "pending",
  });
  expect((await decide(begun, "approve")).status).toBe(200);
  const answers = await Promise.all([poll(begun), poll(begun)]);
  expect(answers.map(({ body, status }) => body.code ?? status).toSorted()).toEqual([
    200,
    "DEVICE_CODE_INVALID",
  ]);
  const [signedIn] = answers.filter(({ status }) => status === 200);
  const { access_token, user: who } = signedIn?.body.data ?? {};
  expect(who.id).toBe(user.id);
  expect((await stack.call("GET", "/api/v1/auth/me", { token: access_token })).status).toBe(200);
  const acts = (await as(stack, user)("GET", "/auth/audit")).body.data.entries.map(
    ({ act, data }: { act: string; data: { by?: string } }) => `${act} ${data.by ?? ""}`,
  );
  expect(acts).toEqual(expect.arrayContaining(["device_approved ", "signed_in device"]));
});

test("a program that was refused, that knows a part of its code, or that asks too often gets nothing", async () => {
  const [denied, other] = [await begin(), await begin()];
  expect((await decide(denied, "deny")).status).toBe(200);
  expect((await decide(denied, "approve")).body.code).toBe("DEVICE_CODE_INVALID");
  expect((await poll(denied)).body.code).toBe("DEVICE_DENIED");
  const [id = ""] = other.device_code.split(".");
  const forged = `${id}.${denied.device_code.split(".")[1]}`;
  expect((await poll({ ...other, device_code: forged })).body.code).toBe("DEVICE_CODE_INVALID");
  const polls = await Promise.all(Array.from({ length: 4 }, () => poll(other)));
  expect(polls.map(({ body }) => body.code)).toContain("SLOW_DOWN");
});

test("an approval ends with the session that gave it, and a suspended user's lets nobody in", async () => {
  const [leaver, suspended] = [await stack.user(), await stack.user()];
  const [first, second] = [await begin(), await begin()];
  await decide(first, "approve", leaver);
  await as(stack, leaver)("POST", "/auth/logout");
  expect((await poll(first)).body.code).toBe("DEVICE_CODE_INVALID");
  await decide(second, "approve", suspended);
  const operator = await stack.user({ role: "admin" });
  await as(stack, operator)("POST", `/admin/users/${suspended.id}/suspend`, { reason: "test" });
  expect((await poll(second)).body.code).toBe("ACCOUNT_SUSPENDED");
});

test("an approval ends with a change of the password and with the end of all other sessions, and one of after does not", async () => {
  const user = await stack.user();
  const call = as(stack, user);
  const ends = [
    () => call("DELETE", "/auth/sessions?keep_current=true"),
    () =>
      call("PUT", "/auth/password", {
        current_password: user.password,
        new_password: "another long password",
      }),
  ];
  for (const end of ends) {
    const [before, after] = [await begin(), await begin()];
    expect((await decide(before, "approve", user)).status).toBe(200);
    expect((await end()).status).toBe(200);
    expect((await poll(before)).body.code).toBe("DEVICE_CODE_INVALID");
    await decide(after, "approve", user);
    expect((await poll(after)).status).toBe(200);
  }
});

test("an approval is taken back until the program has its session, and of both at once one holds", async () => {
  const first = await begin();
  await decide(first, "approve");
  expect((await decide(first, "deny", await stack.user())).body.code).toBe("DEVICE_CODE_INVALID");
  expect((await decide(first, "deny")).status).toBe(200);
  expect((await poll(first)).body.code).toBe("DEVICE_DENIED");
  for (let n = 0; n < 5; n++) {
    const begun = await begin();
    await decide(begun, "approve");
    const [polled, denied] = await Promise.all([poll(begun), decide(begun, "deny")]);
    const let_in = polled.status === 200;
    expect([let_in, denied.status === 200]).toEqual([let_in, !let_in]);
  }
});

test("another site's page cannot approve, and neither can an API token", async () => {
  const begun = await begin();
  const foreign = await decide(begun, "approve", user, { "sec-fetch-site": "cross-site" });
  expect([foreign.status, foreign.body.code]).toEqual([403, "FORBIDDEN_ORIGIN"]);
  const made = await as(stack, user)("POST", "/auth/tokens", {
    name: "ci",
    permissions: ["resources.write"],
  });
  const token = made.body.data.token;
  const refused = await stack.call("POST", `/api/v1/auth/device/${begun.user_code}/approve`, { token });
  expect(refused.body.code).toBe("INSUFFICIENT_PERMISSIONS");
  expect((await poll(begun)).body.code).toBe("AUTHORIZATION_PENDING");
});
