import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../harness/servers.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { commandLine } from "./run.ts";

let stack: SharedStack;
let user: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  user = await stack.user();
});
afterAll(() => stack?.stop());

test("a sign-in lasts from command to command, in a file that only its owner reads, and ends with logout", async () => {
  const { run, ok, folder } = commandLine(stack);
  expect((await run("whoami")).status).toBe(3);
  const signedIn = await ok(`login -u ${user.username} --password-stdin`, { input: `${user.password}\n` });
  const file = join(folder, "credentials.json");
  expect(signedIn.out).toContain(`${file}, which only you can read`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await ok("--json whoami")).json).toMatchObject({ username: user.username, url: stack.url });
  await ok("logout");
  expect(readFileSync(file, "utf8")).not.toContain("token");
  expect((await run("whoami")).status).toBe(3);
});

test("an access token that expires is exchanged once, however many commands run at the same time", async () => {
  const { ok, run, folder } = commandLine(stack);
  await ok(`login -u ${user.username} --password-stdin`, { input: user.password });
  const file = join(folder, "credentials.json");
  const age = () => {
    const kept = JSON.parse(readFileSync(file, "utf8"));
    for (const credential of Object.values(kept))
      Object.assign(credential as object, { expires_at: Date.now() });
    writeFileSync(file, JSON.stringify(kept));
  };
  age();
  const before = readFileSync(file, "utf8");
  const ran = await Promise.all(Array.from({ length: 4 }, () => run("whoami")));
  expect(ran.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
  expect(readFileSync(file, "utf8")).not.toBe(before);
  await ok("logout");
});

test("a credential is sent to the address of its own context alone", async () => {
  const { ok, run } = commandLine(stack);
  await ok(`login -u ${user.username} --password-stdin`, { input: user.password });
  const elsewhere = `http://127.0.0.1:${await freePort()}`;
  const ran = await run("whoami", { env: { BERTH_URL: elsewhere } });
  expect(ran.status).toBe(3);
  expect((await run(`--context other whoami`)).status).toBe(2);
  expect((await run("context add other ftp://127.0.0.1")).status).toBe(2);
  await ok(`context add other ${elsewhere}`);
  expect((await run("--context other whoami")).status).toBe(3);
  expect((await ok("context list")).out).toContain(elsewhere);
  await ok("logout");
});

test("an API token signs in as well, and a wrong one is refused", async () => {
  const made = await commandLine(stack, user).ok("token create ci --permission resources.read --expires 1h");
  const { ok, run } = commandLine(stack);
  expect((await run("login --with-token", { input: "berth_wrong" })).status).toBe(3);
  await ok("login --with-token", { input: made.out });
  expect((await ok("--json containers list")).json).toEqual([]);
  expect((await run("projects create shop")).status).toBe(1);
});

test("the exit status and the message say what was wrong, and what to do", async () => {
  const { run } = commandLine(stack, user);
  const port = await freePort();
  const away = await run("containers list", { env: { BERTH_URL: `http://127.0.0.1:${port}` } });
  expect([away.status, away.err]).toEqual([4, expect.stringContaining("cannot be reached")]);
  const refused = await run(`projects delete ${"0".repeat(24)} --yes`);
  expect(refused.status).toBe(1);
  expect(refused.err).toMatch(/PROJECT_NOT_FOUND[\s\S]*request id: \S+/);
  const noFile = await run("up -f nowhere.yaml");
  expect([noFile.status, noFile.err]).toEqual([1, "berth: nowhere.yaml: there is no such file or folder\n"]);
  const unknown = await run("containers show nowhere");
  expect([unknown.status, unknown.err]).toEqual([1, 'berth: there is no container named "nowhere"\n']);
  expect((await run("containers creat x")).status).toBe(2);
  expect((await run("containers create x")).status).toBe(2);
  const unasked = await run(`projects delete ${"0".repeat(24)}`);
  expect([unasked.status, unasked.err]).toEqual([2, expect.stringContaining("--yes")]);
  const expired = await run("whoami", { env: { BERTH_TOKEN: "nonsense" } });
  expect([expired.status, expired.err]).toEqual([3, expect.stringContaining("berth login")]);
});

test("a key of the user's makes a change once, however often the command is run", async () => {
  const { ok } = commandLine(stack, user);
  const first = await ok("projects create once --idempotency-key the-first --json");
  const again = await ok("projects create once --idempotency-key the-first --json");
  expect(again.json.id).toBe(first.json.id);
});

test("a sign-up makes an account and signs in", async () => {
  const { ok } = commandLine(stack);
  const name = `ada-${crypto.randomUUID().slice(0, 8)}`;
  await ok(`signup -u ${name} --email ${name}@example.org --password-stdin`, { input: "a long password" });
  expect((await ok("--json whoami")).json.username).toBe(name);
  const sessions = (await ok("--json sessions list")).json;
  expect(sessions).toHaveLength(1);
  await ok("sessions end --yes");
  expect((await ok("quotas")).out).toContain("containers_per_user");
});
