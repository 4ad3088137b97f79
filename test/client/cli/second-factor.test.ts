import { afterAll, beforeAll, expect, test } from "bun:test";
import { codeOf, setUpTotp } from "../../gateway/routes/accounts/account/second-factor.ts";
import { as } from "../../gateway/routes/accounts/pool/team.ts";
import { type SharedStack, sharedStack } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { commandLine } from "./run.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack?.stop());

test("a sign-in with a password takes the second factor, and says which option gives it", async () => {
  const user = await stack.user();
  const { secret } = await setUpTotp(stack, user);
  const { run, ok } = commandLine(stack);
  const login = `login -u ${user.username} --password-stdin`;
  const unasked = await run(login, { input: user.password });
  expect([unasked.status, unasked.err]).toEqual([2, expect.stringContaining("--code")]);
  const wrong = await run(`${login} --code 000000`, { input: user.password });
  expect([wrong.status, wrong.err]).toEqual([1, expect.stringContaining("SECOND_FACTOR_WRONG")]);
  await ok(`${login} --code ${codeOf(secret, 1)}`, { input: user.password });
  expect((await ok("--json whoami")).json.username).toBe(user.username);
});

test("a sign-in by the browser shows a code, waits for its approval, and keeps the session", async () => {
  const user = await stack.user();
  const { run, ok } = commandLine(stack);
  const shown = Promise.withResolvers<string>();
  const signedIn = run("login --browser", {
    onErr: (text) => {
      const [, code] = /device\?code=([A-Z-]{9})/.exec(text) ?? [];
      if (code) shown.resolve(code);
    },
  });
  const code = await shown.promise;
  expect((await as(stack, user)("POST", `/auth/device/${code}/approve`)).status).toBe(200);
  expect((await signedIn).status).toBe(0);
  expect((await ok("--json whoami")).json.username).toBe(user.username);
  const { sessions } = (await as(stack, user)("GET", "/auth/sessions")).body.data;
  expect(sessions).toHaveLength(2);
});

test("a sign-in by the browser that is refused, or interrupted, keeps nothing", async () => {
  const user = await stack.user();
  const { run } = commandLine(stack);
  const interrupt = new AbortController();
  let text = "";
  const begin = (signal?: AbortSignal) =>
    run("login --browser", { onErr: (all) => (text = all), ...(signal === undefined ? {} : { signal }) });
  const refused = begin();
  const code = await until(async () => /device\?code=([A-Z-]{9})/.exec(text)?.[1]);
  await as(stack, user)("POST", `/auth/device/${code}/deny`);
  expect(await refused).toMatchObject({ status: 1, err: expect.stringContaining("DEVICE_DENIED") });
  text = "";
  const left = begin(interrupt.signal);
  await until(async () => text.includes("/device?code="));
  interrupt.abort();
  expect((await left).status).toBe(130);
  expect((await run("whoami")).status).toBe(3);
});
