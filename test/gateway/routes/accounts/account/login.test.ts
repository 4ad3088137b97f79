import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";

let stack: SharedStack;
let user: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  user = await stack.user();
});
afterAll(() => stack.stop());

const login = (body: unknown) => stack.call("POST", "/api/v1/auth/login", { body });

test("one signs in by username or by e-mail address, in any letter case", async () => {
  const { id, username, password } = user;
  const email = `${username}@example.com`;
  for (const name of [
    { username },
    { username: username.toUpperCase() },
    { email },
    { email: email.toUpperCase() },
  ]) {
    const { status, body } = await login({ ...name, password });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ user: { id, username, email, role: "user" }, expires_in: 900 });
    const me = await stack.call("GET", "/api/v1/auth/me", { token: body.data.access_token });
    expect(me.body.data.id).toBe(id);
  }
});

test("a wrong password and an unknown name get the very same answer", async () => {
  const wrong = await login({ username: user.username, password: "wrong password" });
  for (const answer of [
    await login({ username: "nobody-here", password: "wrong password" }),
    await login({ email: "nobody@example.com", password: "wrong password" }),
    await login({ email: user.username, password: user.password }),
    await login({ username: `${user.username}@example.com`, password: user.password }),
  ]) {
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    expect(answer.body).toEqual(wrong.body);
  }
  expect(wrong.body).toEqual({
    statusCode: 401,
    error: "Unauthorized",
    code: "INVALID_CREDENTIALS",
    message: expect.any(String),
  });
});

test("an unknown name is answered no sooner than a wrong password", async () => {
  const took = async (username: string) => {
    const from = performance.now();
    await login({ username, password: "wrong password" });
    return performance.now() - from;
  };
  const known: number[] = [];
  const unknown: number[] = [];
  // Each name has ten tries, of which the test before took one.
  for (let i = 0; i < 7; i++) {
    known.push(await took(user.username));
    unknown.push(await took(`nobody-${i}`));
  }
  // Without the hash an answer takes a millisecond or two, and with it dozens.
  expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 3);
});

test.each([
  ["username", {}],
  ["username", { username: "a", email: "a@example.com" }],
  ["username", { username: "" }],
  ["username", { username: 1 }],
  ["email", { email: "" }],
  ["email", { email: ["a@example.com"] }],
  ["password", { username: "a", password: undefined }],
  ["password", { username: "a", password: "" }],
  ["password", { username: "a", password: "p".repeat(257) }],
  ["remember", { username: "a", remember: true }],
])("a wrong %s is named: %j", async (field, fields) => {
  const { status, body } = await login({ password: "correct horse battery", ...fields });
  expect(status).toBe(400);
  expect(body.data).toEqual({ field: `body.${field}` });
});

test("text that means something to SQL or LIKE is only text", async () => {
  for (const username of ["%", "_".repeat(user.username.length), "' OR 1=1 --", `${user.username}' --`]) {
    expect((await login({ username, password: user.password })).status).toBe(401);
  }
});
