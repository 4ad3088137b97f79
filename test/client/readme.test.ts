import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../harness/embedded-stack.ts";
import { temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

setDefaultTimeout(60_000);

/** Each example of the README, run as a program of its own against the running system. */
const CLIENT = join(import.meta.dir, "../../client");
const readme = await Bun.file(join(CLIENT, "README.md")).text();
const examples = new Map(
  [...readme.matchAll(/^## (.+)\n[\s\S]*?```ts\n([\s\S]*?)```/gm)].map(([, title = "", code = ""]) => [
    title,
    code,
  ]),
);

let stack: EmbeddedStack;
let user: TestUser;
beforeAll(async () => {
  stack = await startEmbeddedStack();
  user = await stack.user();
});
afterAll(() => stack.stop());

async function start(title: string) {
  const file = join(temporaryFolder(), "example.ts");
  const values = `const url = ${JSON.stringify(stack.url)};\nconst token = ${JSON.stringify(user.token)};\n`;
  const code = (examples.get(title) ?? "").replaceAll("@berth/client", join(CLIENT, "index.ts"));
  await Bun.write(file, values + code);
  const child = Bun.spawn([process.execPath, file], { stdout: "pipe", stderr: "inherit" });
  return { output: new Response(child.stdout).text(), exited: child.exited };
}

const run = async (title: string) => {
  const { output, exited } = await start(title);
  expect(await exited).toBe(0);
  return output;
};

test("the README has five examples, and each is tested here", () => {
  expect([...examples.keys()]).toEqual(["Sign in", "Make something", "Refusals", "Lists", "Events"]);
});

test("Sign in", async () => {
  expect(await run("Sign in")).toBe(`${user.username}\n`);
});

test("Make something: made once, however often it is run", async () => {
  expect(await run("Make something")).toBe("shop\n");
  expect(await run("Make something")).toBe("shop\n");
  const { body } = await stack.call("GET", "/api/v1/projects", { token: user.token });
  expect(body.data.projects).toHaveLength(1);
});

test("Refusals have a code", async () => {
  expect(await run("Refusals")).toBe("PROJECT_NOT_FOUND\n");
});

test("Lists go on behind the first page", async () => {
  for (const name of ["blog", "wiki"])
    await stack.call("POST", "/api/v1/projects", { token: user.token, body: { name } });
  expect((await run("Lists")).trim().split("\n").sort()).toEqual(["blog", "shop", "wiki"]);
});

test("Events arrive while they happen", async () => {
  const { output, exited } = await start("Events");
  let ended = false;
  void exited.then(() => {
    ended = true;
  });
  await until(async () => {
    await stack.call("POST", "/api/v1/projects", { token: user.token, body: { name: `p-${Date.now()}` } });
    return ended;
  });
  expect((await output).trim()).not.toBe("");
});
