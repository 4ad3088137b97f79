import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { InboxEntry } from "../../../../../schemas/activity/notification.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { as } from "../pool/team.ts";
import { challengeOf, codeOf, setUpTotp } from "./second-factor.ts";

const NEW_PASSWORD = "a new and longer one";

let stack: SharedStack;
let operator: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  operator = await stack.user({ role: "admin" });
});
afterAll(() => stack.stop());

const answer = (body: object) => stack.call("POST", "/api/v1/auth/login/second-factor", { body });
const statusOf = async (user: TestUser) => (await as(stack, user)("GET", "/auth/second-factor")).body.data;
const auditOf = async (user: TestUser) =>
  (await as(stack, user)("GET", "/auth/audit")).body.data.entries as { act: string; data: object }[];

describe("codes of an app", () => {
  test("are asked for after the password, each once, and a challenge is good once", async () => {
    const user = await stack.user();
    const { secret } = await setUpTotp(stack, user);
    const { challenge, methods, options } = await challengeOf(stack, user);
    expect([methods, options]).toEqual([["totp", "recovery_code"], null]);
    // The code that set it up is used.
    expect((await answer({ challenge, code: codeOf(secret) })).body.code).toBe("SECOND_FACTOR_WRONG");
    const code = codeOf(secret, 1);
    const other = await challengeOf(stack, user);
    const answers = await Promise.all([
      answer({ challenge, code }),
      answer({ challenge: other.challenge, code: `${code.slice(0, 3)} ${code.slice(3)}` }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    const [signedIn] = answers.filter(({ status }) => status === 200);
    const me = await stack.call("GET", "/api/v1/auth/me", { token: signedIn?.body.data.access_token });
    expect(me.body.data.id).toBe(user.id);
    expect(await auditOf(user)).toContainEqual(
      expect.objectContaining({
        act: "signed_in",
        data: expect.objectContaining({ by: "password and totp" }),
      }),
    );
  });

  test("take the present password to set up, and nothing changes before the first right code", async () => {
    const user = await stack.user();
    const call = as(stack, user);
    const wrong = await call("POST", "/auth/second-factor/totp", { current_password: "not the password" });
    expect([wrong.status, wrong.body.code]).toEqual([403, "WRONG_PASSWORD"]);
    const begun = (await call("POST", "/auth/second-factor/totp", { current_password: user.password })).body
      .data;
    expect(begun.uri).toStartWith(`otpauth://totp/Berth:${user.username}?`);
    const { setup, secret } = begun;
    const mistyped = await call("PUT", "/auth/second-factor/totp", { setup, code: "000000" });
    expect(mistyped.body.code).toBe("SECOND_FACTOR_WRONG");
    const stranger = await stack.user();
    const stolen = await as(stack, stranger)("PUT", "/auth/second-factor/totp", {
      setup,
      code: codeOf(secret),
    });
    expect(stolen.body.code).toBe("CHALLENGE_INVALID");
    expect(await statusOf(user)).toMatchObject({ enabled: false, totp: null, recovery_codes_left: 0 });
  });

  test("a setup is good once, and none that was begun before the account's factors changed", async () => {
    const user = await stack.user();
    const call = as(stack, user);
    const begin = async () =>
      (await call("POST", "/auth/second-factor/totp", { current_password: user.password })).body.data;
    const end = ({ setup, secret }: { setup: string; secret: string }, stepsLater = 0) =>
      call("PUT", "/auth/second-factor/totp", { setup, code: codeOf(secret, stepsLater) });
    const [used, other] = [await begin(), await begin()];
    expect((await end(used)).status).toBe(200);
    for (const setup of [used, other]) expect((await end(setup)).body.code).toBe("CHALLENGE_INVALID");
    const proof = { current_password: user.password, code: codeOf(used.secret, 1) };
    expect((await call("DELETE", "/auth/second-factor/totp", proof)).status).toBe(200);
    expect((await end(used)).body.code).toBe("CHALLENGE_INVALID");
    expect(await statusOf(user)).toMatchObject({ enabled: false });
  });

  test("end the sessions that were begun without them, and the secret is stored encrypted", async () => {
    const user = await stack.user();
    const login = { username: user.username, password: user.password };
    const before = (await stack.call("POST", "/api/v1/auth/login", { body: login })).body.data;
    const { secret, codes, ended } = await setUpTotp(stack, user);
    expect([codes.length, new Set(codes).size, ended]).toEqual([10, 10, 1]);
    expect((await stack.call("GET", "/api/v1/auth/me", { token: before.access_token })).status).toBe(401);
    expect(await statusOf(user)).toMatchObject({ enabled: true, required: false, recovery_codes_left: 10 });
    const [row] = await stack.db`SELECT accounts::text AS row FROM accounts WHERE id = ${user.id}`;
    expect(row?.row).not.toContain(secret);
    for (const code of codes) expect(row?.row).not.toContain(code);
  });

  test("are removed with password and code, and the recovery codes with them", async () => {
    const user = await stack.user();
    const { secret, codes } = await setUpTotp(stack, user);
    const remove = (body: object) => as(stack, user)("DELETE", "/auth/second-factor/totp", body);
    const current_password = user.password;
    expect((await remove({ current_password })).body.code).toBe("SECOND_FACTOR_WRONG");
    expect((await remove({ current_password: "wrong", code: codeOf(secret, 1) })).body.code).toBe(
      "WRONG_PASSWORD",
    );
    expect((await remove({ current_password, code: codeOf(secret, 1) })).status).toBe(200);
    expect(await statusOf(user)).toMatchObject({ enabled: false, totp: null, recovery_codes_left: 0 });
    const login = { username: user.username, password: user.password };
    expect((await stack.call("POST", "/api/v1/auth/login", { body: login })).status).toBe(200);
    expect((await remove({ current_password, code: codes[0] })).body.code).toBe("SECOND_FACTOR_NOT_FOUND");
    const acts = (await auditOf(user)).map(({ act }) => act);
    expect(acts).toContain("second_factor_enabled");
    expect(acts).toContain("second_factor_disabled");
    await until(async () => {
      const { body } = await as(stack, user)("GET", "/notifications");
      const noticed = body.data.notifications.map(({ title, page }: InboxEntry) => `${title}: ${page}`);
      return ["set up", "removed"].every((what) =>
        noticed.includes(`Second factor ${what}: /account/second-factor`),
      );
    });
  });
});

describe("recovery codes", () => {
  test("sign in once each, however they are typed, and twice at once only once", async () => {
    const user = await stack.user();
    const { codes } = await setUpTotp(stack, user);
    const [first = "", second = ""] = codes;
    const challenges = await Promise.all([1, 2, 3].map(() => challengeOf(stack, user)));
    const [one, two, three] = challenges.map(({ challenge }) => challenge);
    const answers = await Promise.all([
      answer({ challenge: one, code: first }),
      answer({ challenge: two, code: first.toUpperCase().replaceAll("-", " ") }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    expect((await answer({ challenge: three, code: second.replaceAll("-", "") })).status).toBe(200);
    expect((await answer({ challenge: three, code: codes[2] })).body.code).toBe("CHALLENGE_INVALID");
    expect((await statusOf(user)).recovery_codes_left).toBe(8);
    expect(await auditOf(user)).toContainEqual(
      expect.objectContaining({ act: "recovery_code_used", data: { left: 8 } }),
    );
  });

  test("are replaced as a whole", async () => {
    const user = await stack.user();
    const { secret, codes } = await setUpTotp(stack, user);
    const { body } = await as(stack, user)("POST", "/auth/second-factor/recovery-codes", {
      current_password: user.password,
      code: codeOf(secret, 1),
    });
    expect(body.data.recovery_codes).toHaveLength(10);
    const { challenge } = await challengeOf(stack, user);
    expect((await answer({ challenge, code: codes[0] })).body.code).toBe("SECOND_FACTOR_WRONG");
    expect((await answer({ challenge, code: body.data.recovery_codes[0] })).status).toBe(200);
  });
});

describe("the challenge of a sign-in", () => {
  test("ends with a change of the password, is nobody else's token, and is needed", async () => {
    const user = await stack.user();
    const { codes } = await setUpTotp(stack, user);
    const { challenge } = await challengeOf(stack, user);
    const changed = await as(stack, user)("PUT", "/auth/password", {
      current_password: user.password,
      new_password: NEW_PASSWORD,
    });
    expect(changed.status).toBe(200);
    expect((await answer({ challenge, code: codes[0] })).body.code).toBe("CHALLENGE_INVALID");
    expect((await answer({ challenge: user.token, code: codes[0] })).body.code).toBe("CHALLENGE_INVALID");
    expect((await answer({ code: codes[0] })).body.data.field).toBe("body.challenge");
    expect((await stack.call("GET", "/api/v1/auth/me", { token: challenge })).status).toBe(401);
  });

  test("is no way around a suspension", async () => {
    const user = await stack.user();
    const { codes } = await setUpTotp(stack, user);
    const { challenge } = await challengeOf(stack, user);
    await as(stack, operator)("POST", `/admin/users/${user.id}/suspend`, { reason: "test" });
    expect((await answer({ challenge, code: codes[0] })).body.code).toBe("ACCOUNT_SUSPENDED");
  });

  test("takes twenty tries an hour, from wherever they come", async () => {
    const user = await stack.user();
    const { codes } = await setUpTotp(stack, user);
    const { challenge } = await challengeOf(stack, user);
    const wrong = await Promise.all(Array.from({ length: 20 }, () => answer({ challenge, code: "123456" })));
    expect(new Set(wrong.map(({ body }) => body.code))).toEqual(new Set(["SECOND_FACTOR_WRONG"]));
    const headers = { "x-forwarded-for": "203.0.113.77" };
    const body = { challenge, code: codes[0] };
    const late = await stack.call("POST", "/api/v1/auth/login/second-factor", { body, headers });
    expect([late.status, late.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    await until(async () => (await auditOf(user)).some(({ act }) => act === "sign_in_failed"));
  });
});

test("an operator's recovery link removes the second factor, and the audit log says so", async () => {
  const user = await stack.user();
  await setUpTotp(stack, user);
  const started = await as(stack, operator)("POST", `/admin/users/${user.id}/recovery`, {
    reason: "lost phone",
  });
  const body = { token: started.body.data.token, new_password: NEW_PASSWORD };
  expect((await stack.call("POST", "/api/v1/auth/recover", { body })).status).toBe(200);
  const login = { username: user.username, password: NEW_PASSWORD };
  const { status, body: reply } = await stack.call("POST", "/api/v1/auth/login", { body: login });
  expect(status).toBe(200);
  expect(await auditOf({ ...user, token: reply.data.access_token })).toContainEqual(
    expect.objectContaining({
      act: "recovered",
      data: expect.objectContaining({ second_factor_removed: true }),
    }),
  );
});
