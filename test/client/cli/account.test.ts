import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { commandLine } from "./run.ts";

let stack: SharedStack;
let user: TestUser;
let friend: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  [user, friend] = await Promise.all([stack.user(), stack.user()]);
});
afterAll(() => stack?.stop());

test("API tokens are made, listed and deleted by their name", async () => {
  const { ok } = commandLine(stack, user);
  const made = await ok(
    "token create build --permission resources.read --permission wallet.read --expires 30d",
  );
  expect(made.out).toMatch(/^berth_\S+\n$/);
  expect((await ok("token list")).out).toContain("resources.read wallet.read");
  await ok("token delete build --yes");
  expect((await ok("--json token list")).json).toEqual([]);
});

test("a pool is shared: invited, accepted, promoted, removed", async () => {
  const mine = commandLine(stack, user);
  const theirs = commandLine(stack, friend);
  await mine.ok("pool create team --description together");
  await mine.ok(`pool invite team ${friend.username}`);
  expect((await theirs.ok("pool invitations")).out).toContain("team");
  await theirs.ok("pool accept team");
  await mine.ok(`pool role team ${friend.username} --role admin`);
  expect((await theirs.ok("--json pool show team")).json.role).toBe("admin");
  await mine.ok(`pool remove team ${friend.username} --yes`);
  await mine.ok(`pool invite team ${friend.username}`);
  await theirs.ok("pool reject team");
  await mine.ok("pool delete team --yes");
  expect((await mine.ok("pool list")).out).not.toContain("team");
});

test("a webhook is made, tested, switched off and deleted by its address", async () => {
  const { ok } = commandLine(stack, user);
  const url = "https://hooks.example.com/berth";
  expect((await ok(`webhooks create ${url} --event project.created`)).out).toStartWith("whsec_");
  expect((await ok("webhooks list")).out).toContain("project.created");
  await ok(`webhooks test ${url}`);
  await until(async () => (await ok(`--json webhooks deliveries ${url}`)).json.length === 1);
  await ok(`webhooks disable ${url}`);
  await ok(`webhooks enable ${url}`);
  await ok(`webhooks delete ${url} --yes`);
});

test("events are listed, and followed as they happen until Ctrl-C", async () => {
  const { ok, run } = commandLine(stack, user);
  const stop = new AbortController();
  let seen = "";
  const following = run("events --follow --type project.created", {
    signal: stop.signal,
    onOut: (text) => {
      seen = text;
    },
  });
  await until(async () => {
    await ok(`projects create p-${crypto.randomUUID()}`);
    return seen.includes("project.created");
  });
  stop.abort();
  expect((await following).status).toBe(0);
  expect(seen).not.toContain("user.");
  expect((await ok("--json events --type project.created --limit 1")).json).toHaveLength(1);
});

test("the inbox shows what an administrator sent, until it is read", async () => {
  const admin = commandLine(stack, await stack.user({ role: "admin" }));
  await admin.ok(
    `admin notify "Maintenance tonight" "From ten to eleven." --user ${user.id} --level warning`,
  );
  const { ok } = commandLine(stack, user);
  const [entry] = await until(async () => {
    const rows = (await ok("--json inbox list --unread")).json;
    return rows.some(({ title }: { title: string }) => title === "Maintenance tonight") ? rows : undefined;
  });
  await ok(`inbox read ${entry.id}`);
  await ok("inbox read");
  expect((await ok("--json inbox list --unread")).json).toEqual([]);
});

test("the API is called directly, with fields, a body and an If-Match", async () => {
  const { ok, run } = commandLine(stack, user);
  expect((await ok("api POST projects -f name=direct")).json.data.name).toBe("direct");
  expect((await ok("api post /api/v1/projects -d @-", { input: '{"name":"by-body"}' })).json.data.name).toBe(
    "by-body",
  );
  expect((await run("api GET nowhere")).status).toBe(1);
  expect((await run("api FETCH nowhere")).status).toBe(2);
});

test("an account is deleted with its password, after what is in the way and the balance are named", async () => {
  const leaver = await stack.user({ balance: "2.00" });
  const { ok, run } = commandLine(stack, leaver);
  await ok("pool create team");
  await ok(`pool invite team ${friend.username}`);
  await commandLine(stack, friend).ok("pool accept team");
  expect((await ok("account blockers")).out).toContain("team");
  const input = leaver.password;
  const command = "account delete --password-stdin --yes";
  expect((await run(command, { input })).err).toContain("berth account blockers");
  await ok(`pool remove team ${friend.username} --yes`);
  expect((await run(command, { input })).err).toContain("--forfeit 2.00");
  const deleted = await run(`${command} --forfeit 2.00`, { input });
  expect([deleted.status, deleted.out]).toEqual([0, expect.stringContaining("is deleted")]);
  expect((await run("whoami")).status).toBe(3);
});
