import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { lacksChromium, newContext } from "../harness/browser.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../harness/embedded-stack.ts";
import { until } from "../harness/until.ts";
import { checkTypes, installedClient } from "./package.ts";

/** Each example of the README, with the package as npm packs and installs it, on Bun, on Node and in a browser, against the running system. */
const readme = await Bun.file(join(import.meta.dir, "../../client/README.md")).text();
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

/** The folder of a program that uses the package. */
let project: string;
beforeAll(async () => {
  project = await installedClient();
});

type Runtime = "Bun" | "Node" | "Chromium";
const RUNTIMES: readonly Runtime[] = ["Bun", "Node", ...(lacksChromium() ? [] : ["Chromium" as const])];
const DONE = "-- done --";

/** Writes an example, with the values that it needs, as a file of the project. */
async function write(title: string): Promise<string> {
  const file = join(project, `${title.replaceAll(" ", "-")}.ts`);
  const values = `const url = ${JSON.stringify(stack.url)};\nconst token = ${JSON.stringify(user.token)};\n`;
  await Bun.write(file, `${values}${examples.get(title)}\nconsole.log(${JSON.stringify(DONE)});\n`);
  return file;
}

/** What an example prints. */
async function run(title: string, runtime: Runtime): Promise<string> {
  const file = await write(title);
  if (runtime === "Chromium") {
    const { outputs } = await Bun.build({ entrypoints: [file], target: "browser" });
    return inPage((await outputs[0]?.text()) ?? "");
  }
  const script = file.replace(/ts$/, "js");
  await Bun.write(script, new Bun.Transpiler({ loader: "ts" }).transformSync(await Bun.file(file).text()));
  const argv = runtime === "Node" ? ["node", script] : [process.execPath, file];
  const child = Bun.spawn(argv, { cwd: project, stdout: "pipe", stderr: "inherit" });
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

test("the examples compile in a strict program of their own", async () => {
  await checkTypes(project, ...(await Promise.all([...examples.keys()].map(write))));
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
