import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { lacksChromium, newContext } from "../harness/browser.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../harness/embedded-stack.ts";
import { temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

/** Each example of the README, with the package as it is published, on Bun, on Node and in a browser, against the running system. */
const ROOT = join(import.meta.dir, "../..");
const CLIENT = join(ROOT, "client");
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

/** The package as npm would publish it, where programs find it by its name. */
const modules = join(temporaryFolder(), "node_modules");
beforeAll(async () => {
  const folder = join(modules, "@berth/client");
  const build = ["tsc", "-p", join(CLIENT, "tsconfig.build.json"), "--outDir", join(folder, "dist")];
  const { exitCode, stdout } = Bun.spawnSync([
    join(ROOT, "node_modules/.bin", build[0] ?? ""),
    ...build.slice(1),
  ]);
  expect([exitCode, stdout.toString()]).toEqual([0, ""]);
  cpSync(join(CLIENT, "package.json"), join(folder, "package.json"));
  for (const name of ["openapi-fetch", "openapi-typescript-helpers"])
    symlinkSync(realpathSync(join(ROOT, "node_modules", name)), join(modules, name));
});

type Runtime = "Bun" | "Node" | "Chromium";
const RUNTIMES: readonly Runtime[] = ["Bun", "Node", ...(lacksChromium() ? [] : ["Chromium" as const])];
const DONE = "-- done --";

/** An example with the values that it needs, as one JavaScript file for a runtime. */
async function bundle(title: string, runtime: Runtime): Promise<string> {
  const file = join(modules, `${title.replaceAll(" ", "-")}.ts`);
  const values = `const url = ${JSON.stringify(stack.url)};\nconst token = ${JSON.stringify(user.token)};\n`;
  await Bun.write(file, `${values}${examples.get(title)}\nconsole.log(${JSON.stringify(DONE)});\n`);
  const target = runtime === "Chromium" ? "browser" : "node";
  const { outputs } = await Bun.build({ entrypoints: [file], target });
  return (await outputs[0]?.text()) ?? "";
}

/** What an example prints. */
async function run(title: string, runtime: Runtime): Promise<string> {
  const code = await bundle(title, runtime);
  if (runtime === "Chromium") return inPage(code);
  const file = join(modules, `${crypto.randomUUID()}.mjs`);
  await Bun.write(file, code);
  const program = runtime === "Node" ? "node" : process.execPath;
  const child = Bun.spawn([program, file], { stdout: "pipe", stderr: "inherit" });
  const output = await new Response(child.stdout).text();
  expect(await child.exited).toBe(0);
  return output.replace(`${DONE}\n`, "");
}

async function inPage(code: string): Promise<string> {
  const page = await (await newContext({ bypassCSP: true })).newPage();
  await page.goto(`${stack.url}/health/live`);
  const lines: string[] = [];
  // A refusal is also told by the browser itself, as an error.
  page.on("console", (message) => message.type() === "log" && lines.push(message.text()));
  page.on("pageerror", (error) => lines.push(String(error)));
  await page.addScriptTag({ type: "module", content: code });
  await until(() => lines.includes(DONE) || lines.some((line) => line.includes("Error")));
  return lines
    .filter((line) => line !== DONE)
    .join("\n")
    .concat("\n");
}

test("the README has five examples, and each is tested here", () => {
  expect([...examples.keys()]).toEqual(["Sign in", "Make something", "Refusals", "Lists", "Events"]);
});

test.each(RUNTIMES)("Sign in, on %s", async (runtime) => {
  expect(await run("Sign in", runtime)).toBe(`${user.username}\n`);
});

test("Make something: made once, however often and wherever it is run", async () => {
  for (const runtime of RUNTIMES) expect(await run("Make something", runtime)).toBe("shop\n");
  const { body } = await stack.call("GET", "/api/v1/projects", { token: user.token });
  expect(body.data.projects).toHaveLength(1);
});

test.each(RUNTIMES)("Refusals have a code, on %s", async (runtime) => {
  expect(await run("Refusals", runtime)).toBe("PROJECT_NOT_FOUND\n");
});

test("Lists go on behind the first page", async () => {
  for (const name of ["blog", "wiki"])
    await stack.call("POST", "/api/v1/projects", { token: user.token, body: { name } });
  for (const runtime of RUNTIMES)
    expect((await run("Lists", runtime)).trim().split("\n").toSorted()).toEqual(["blog", "shop", "wiki"]);
});

test.each(RUNTIMES)("Events arrive while they happen, on %s", async (runtime) => {
  let seen = "";
  void run("Events", runtime).then((text) => {
    seen = text.trim();
  });
  await until(async () => {
    await stack.call("POST", "/api/v1/projects", { token: user.token, body: { name: `p-${Date.now()}` } });
    return seen !== "";
  });
  expect(seen).toBe("project.created");
});
