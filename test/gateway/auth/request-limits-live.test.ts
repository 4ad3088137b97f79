import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EmbeddedStack, startEmbeddedStack } from "../../harness/embedded-stack.ts";

/** The limits of requests of a real gateway, with an API token, a stream and callbacks of payment processors. */

let stack: EmbeddedStack;
beforeAll(async () => {
  stack = await startEmbeddedStack({
    env: { BERTH_RATE_LIMIT_ACCOUNT: "20", BERTH_RATE_LIMIT_API_TOKEN: "5", BERTH_RATE_LIMIT_CALLBACKS: "7" },
  });
});
afterAll(() => stack.stop());

const projects = (token: string) => stack.call("GET", "/api/v1/projects", { token });
const count = (answers: readonly { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

test("parallel requests of a user are answered up to the limit, and the others are told when to come again", async () => {
  const user = await stack.user();
  const answers = await Promise.all(Array.from({ length: 50 }, () => projects(user.token)));
  expect([count(answers, 200), count(answers, 429)]).toEqual([20, 30]);
  for (const { status, headers } of answers) {
    expect(headers.get("ratelimit-policy")).toBe('"account";q=20;w=60');
    expect(headers.has("retry-after")).toBe(status === 429);
  }
  expect(count([await projects((await stack.user()).token)], 200)).toBe(1);
});

test("API tokens of a user share a limit, which is not that of the account login", async () => {
  const user = await stack.user();
  const make = () =>
    stack.call("POST", "/api/v1/auth/tokens", {
      token: user.token,
      body: { name: "t", permissions: ["resources.read"] },
    });
  const [one, other] = [(await make()).body.data.token, (await make()).body.data.token];
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => projects(i % 2 === 0 ? one : other)),
  );
  expect([count(answers, 200), count(answers, 429)]).toEqual([5, 5]);
  expect((await projects(user.token)).headers.get("ratelimit")).toStartWith('"account";r=17;');
});

test("a stream counts once, however long it lasts", async () => {
  const { token } = await stack.user();
  const ending = new AbortController();
  const stream = await fetch(`${stack.url}/api/v1/events/stream`, {
    headers: { authorization: `Bearer ${token}` },
    signal: ending.signal,
  });
  expect(stream.headers.get("ratelimit")).toStartWith('"account";r=19;');
  const made = await stack.call("POST", "/api/v1/projects", { token, body: { name: "streamed" } });
  const reader = stream.body?.getReader();
  let text = "";
  while (!text.includes("project.created")) text += new TextDecoder().decode((await reader?.read())?.value);
  expect(made.headers.get("ratelimit")).toStartWith('"account";r=18;');
  expect((await projects(token)).headers.get("ratelimit")).toStartWith('"account";r=17;');
  ending.abort();
});

test("callbacks of payment processors have a limit of their own", async () => {
  const callback = () => stack.call("POST", "/api/v1/callbacks/cardpay", { body: { type: "x" } });
  const answers = await Promise.all(Array.from({ length: 10 }, callback));
  expect(count(answers, 429)).toBe(3);
  expect(answers[0]?.headers.get("ratelimit-policy")).toBe('"callbacks";q=7;w=60');
  expect((await stack.call("GET", "/api/v1/notifications/public")).status).toBe(200);
});
