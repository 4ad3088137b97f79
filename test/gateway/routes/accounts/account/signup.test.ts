import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type EmbeddedStack, startEmbeddedStack } from "../../../../harness/embedded-stack.ts";

let stack: EmbeddedStack;
beforeAll(async () => {
  stack = await startEmbeddedStack();
});
afterAll(() => stack.stop());

// A gateway lets thirty people of one address sign up in a minute: these tests stay below.
const signup = (body: unknown, headers = {}) => stack.call("POST", "/api/v1/auth/signup", { body, headers });
const password = "correct horse battery";
const ada = { username: "Ada_L-1", email: "Ada@Example.com", password };
const accounts = async () => (await stack.db`SELECT count(*)::int AS n FROM accounts`)[0]?.n;

test("signing up makes an account, keeps its spelling, and signs in", async () => {
  const { status, body } = await signup(ada);
  expect(status).toBe(201);
  expect(body).toEqual({
    statusCode: 201,
    message: "Account created",
    data: {
      user: {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        username: "Ada_L-1",
        email: "Ada@Example.com",
        role: "user",
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: 900,
    },
  });
  const me = await stack.call("GET", "/api/v1/auth/me", { token: body.data.access_token });
  expect(me.body.data).toEqual(body.data.user);
});

test("a username that is taken in any letter case is refused, and so is an e-mail address", async () => {
  const before = await accounts();
  for (const username of ["Ada_L-1", "ada_l-1", "ADA_L-1"]) {
    const { status, body } = await signup({ ...ada, username, email: `${crypto.randomUUID()}@example.com` });
    expect({ status, code: body.code }).toEqual({ status: 409, code: "USERNAME_TAKEN" });
  }
  for (const email of ["Ada@Example.com", "ada@example.com", "ADA@EXAMPLE.COM"]) {
    const { status, body } = await signup({ ...ada, username: "ada2", email });
    expect({ status, code: body.code }).toEqual({ status: 409, code: "EMAIL_TAKEN" });
  }
  expect(await accounts()).toBe(before);
});

test("letter case is no difference outside of ASCII either", async () => {
  expect((await signup({ username: "zoe", email: "zoë@exämple.com", password })).status).toBe(201);
  const { status, body } = await signup({ username: "zoe2", email: "ZOË@EXÄMPLE.com", password });
  expect({ status, code: body.code }).toEqual({ status: 409, code: "EMAIL_TAKEN" });
});

test("nobody signs up as an administrator", async () => {
  const { status, body } = await signup({ ...ada, username: "eve", email: "eve@example.com", role: "admin" });
  expect({ status, field: body.data.field }).toEqual({ status: 400, field: "body.role" });
});

test("one person's password is of no use to another's account, however alike", async () => {
  for (const [name, own] of [
    ["bob", "p".repeat(256)],
    ["bobby", "pässwörd 🔑 and more"],
  ]) {
    expect((await signup({ username: name, email: `${name}@example.com`, password: own })).status).toBe(201);
    const login = (tried: string | undefined) =>
      stack.call("POST", "/api/v1/auth/login", { body: { username: name, password: tried } });
    expect((await login(own)).status).toBe(200);
    expect((await login(own?.slice(0, -1))).status).toBe(401);
    expect((await login(own?.toUpperCase())).status).toBe(401);
  }
});

describe("a field that breaks its form is named", () => {
  const without = (field: "username" | "email" | "password") => {
    const { [field]: _, ...rest } = ada;
    return rest;
  };
  test.each([
    ["username", without("username")],
    ["username", { ...ada, username: "" }],
    ["username", { ...ada, username: "a".repeat(101) }],
    ["username", { ...ada, username: "ada lovelace" }],
    ["username", { ...ada, username: "ada.l" }],
    ["username", { ...ada, username: "ada\n" }],
    ["username", { ...ada, username: "ädä" }],
    ["username", { ...ada, username: 7 }],
    ["username", { ...ada, username: null }],
    ["username", { ...ada, username: ["ada"] }],
    ["email", without("email")],
    ["email", { ...ada, email: "" }],
    ["email", { ...ada, email: "ada" }],
    ["email", { ...ada, email: "<ada@example.com>" }],
    ["email", { ...ada, email: "ada@example.com," }],
    ["email", { ...ada, email: "ada@example.com;" }],
    ["email", { ...ada, email: "(c)ada@example.com" }],
    ["email", { ...ada, email: "g:ada@example.com;" }],
    ["email", { ...ada, email: '"ada"@example.com' }],
    ["email", { ...ada, email: "ada@example" }],
    ["email", { ...ada, email: "ada@ex@ample.com" }],
    ["email", { ...ada, email: "ada lovelace@example.com" }],
    ["email", { ...ada, email: "ada@example.com\n" }],
    ["email", { ...ada, email: `${"a".repeat(243)}@example.com` }],
    ["email", { ...ada, email: {} }],
    ["password", without("password")],
    ["password", { ...ada, password: "nine char" }],
    ["password", { ...ada, password: "p".repeat(257) }],
    ["password", { ...ada, password: 1_234_567_890 }],
    ["id", { ...ada, id: "0".repeat(24) }],
  ])("%s in %j", async (field, body) => {
    const before = await accounts();
    const answer = await signup(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: "VALIDATION_ERROR", data: { field: `body.${field}` } });
    expect(await accounts()).toBe(before);
  });
});

test("a sign-up that comes again with its key answers the same account, in a session of its own", async () => {
  const grace = { username: "grace", email: "grace@example.com", password };
  const headers = { "idempotency-key": "signup-grace" };
  const first = await signup(grace, headers);
  const before = await accounts();
  const again = await signup(grace, headers);
  expect(again.status).toBe(201);
  expect(again.body.data.user).toEqual(first.body.data.user);
  expect(again.body.data.refresh_token).not.toBe(first.body.data.refresh_token);
  expect(await accounts()).toBe(before);
});

test("the key of a sign-up opens nothing without the password", async () => {
  const alan = { username: "alan", email: "alan@example.com", password };
  const headers = { "idempotency-key": "signup-alan" };
  await signup(alan, headers);
  const guess = await signup({ ...alan, password: "another password" }, headers);
  expect({ status: guess.status, code: guess.body.code }).toEqual({
    status: 409,
    code: "IDEMPOTENCY_KEY_REUSED",
  });
  expect(guess.body.data).toBeUndefined();
  const other = await signup({ ...alan, email: "other@example.com" }, headers);
  expect({ status: other.status, code: other.body.code }).toEqual({
    status: 409,
    code: "IDEMPOTENCY_KEY_REUSED",
  });
});

test("one key of two people is two keys", async () => {
  const headers = { "idempotency-key": "shared" };
  const [one, other] = await Promise.all(
    ["key-one", "key-two"].map((username) =>
      signup({ username, email: `${username}@example.com`, password }, headers),
    ),
  );
  expect([one?.status, other?.status]).toEqual([201, 201]);
  expect(one?.body.data.user.id).not.toBe(other?.body.data.user.id);
});
