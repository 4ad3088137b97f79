import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { bundleOf, bundlePrograms, PROGRAMS, withOwnPlace } from "../../scripts/test-programs.ts";
import { type Agent, type AgentOptions, cleanUp, startAgent } from "../agents/agent-process.ts";
import { testSubnet } from "../agents/containers/specs.ts";
import { temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

const ROOT = join(import.meta.dir, "../..");
const folder = temporaryFolder();
beforeAll(() => bundlePrograms(ROOT, folder));

let agent: Agent | undefined;
let options: AgentOptions | undefined;
afterAll(async () => {
  await agent?.kill();
  if (options !== undefined) await cleanUp(options);
});

test.each([...PROGRAMS])("%s as one file says what the program itself says", async (program) => {
  const say = async (file: string) => {
    const child = Bun.spawn([process.execPath, file, "--help"], {
      env: { PATH: process.env.PATH ?? "" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { text: withoutItsOwn(out + err), code: await child.exited };
  };
  const own = await say(join(ROOT, program));
  expect(own.text).toContain("--");
  expect(await say(bundleOf(folder, program))).toEqual(own);
});

/** Log lines have a time and a process. */
const withoutItsOwn = (text: string): string => text.replace(/"(time|pid)":\d+/g, '"$1":0');

test("an agent as one file loads what it needs when it is needed, in the right order", async () => {
  options = {
    ...{ natsUrl: "nats://127.0.0.1:1", server: "one-file", driver: "process" },
    ...{ data: temporaryFolder(), subnet: testSubnet(127), main: bundleOf(folder, "agents/main.ts") },
  };
  agent = startAgent(options);
  await until(() => agent?.lines.some(({ msg }) => msg === "waiting for NATS"));
});

test("a module of a bundle knows its place in the checkout, and that it is not the program", () => {
  const text = "join(import.meta.dir, 'a'); import.meta.url; if (import.meta.main) run(); import.meta.env";
  expect(withOwnPlace(text, "/a/b c.ts", false)).toBe(
    `join("/a", 'a'); "file:///a/b%20c.ts"; if (false) run(); import.meta.env`,
  );
});
