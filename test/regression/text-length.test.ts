import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack, type TestUser } from "../harness/shared-stack.ts";

/** Lengths were counted in UTF-16 units, and a project's name took newlines and characters that turn text around. */

let stack: SharedStack;
let user: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  user = await stack.user();
});
afterAll(() => stack.stop());

const project = (name: string) =>
  stack.call("POST", "/api/v1/projects", { token: user.token, body: { name } });

test("a name of a hundred emoji is a name of a hundred characters, and one more is too many", async () => {
  const name = "🔥".repeat(100);
  expect((await project(name)).body.data.name).toBe(name);
  const { status, body } = await project(`${name}🔥`);
  expect([status, body.data.field]).toEqual([400, "body.name"]);
  expect(body.message).toContain("1 to 100 characters");
});

test.each([
  ["a line break", "two\nlines"],
  ["a control character", "bell\u0007"],
  ["an override of direction", "exe.\u202egpj"],
  ["an isolate", "\u2066isolated"],
])("a project's name with %s is refused, and the field named", async (_, name) => {
  const { status, body } = await project(name);
  expect([status, body.code, body.data]).toEqual([400, "VALIDATION_ERROR", { field: "body.name" }]);
  expect(body.message).toContain("without control characters");
});

test("a key of 128 emoji is a key", async () => {
  const body = { amount: "1", idempotency_key: "🔥".repeat(128) };
  const { body: answer } = await stack.call("POST", "/api/v1/wallet/transfers", { token: user.token, body });
  expect(answer.code).toBe("INSUFFICIENT_BALANCE");
  body.idempotency_key += "🔥";
  const longer = await stack.call("POST", "/api/v1/wallet/transfers", { token: user.token, body });
  expect(longer.body.data).toEqual({ field: "body.idempotency_key" });
});
