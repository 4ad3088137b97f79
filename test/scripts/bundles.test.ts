import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { bundleOf, bundlePrograms, makeBundles, PROGRAMS, withOwnPlace } from "../../scripts/bundles.ts";
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

describe("a checkout's bundles", () => {
  /** A checkout in which each program says its name. */
  const root = temporaryFolder();
  const write = (program: string, says: string) => {
    mkdirSync(dirname(join(root, program)), { recursive: true });
    writeFileSync(join(root, program), `console.log("${says}");\n`);
  };
  for (const program of PROGRAMS) write(program, program);
  writeFileSync(join(root, "package-lock.json"), "{}");
  mkdirSync(join(root, "node_modules"));
  symlinkSync(join(ROOT, "node_modules/reflect-metadata"), join(root, "node_modules/reflect-metadata"));
  const sayOf = (folder: string) =>
    Bun.spawnSync([process.execPath, bundleOf(folder, "gateway/main.ts")]).stdout.toString();

  test("are made once, and again when a source has changed", async () => {
    const first = await makeBundles(root);
    expect(sayOf(first)).toBe("gateway/main.ts\n");
    writeFileSync(join(first, "mark"), "");
    expect(await makeBundles(root)).toBe(first);
    expect(existsSync(join(first, "mark"))).toBe(true);

    write("gateway/main.ts", "changed since");
    const second = await makeBundles(root);
    expect(second).not.toBe(first);
    expect(sayOf(second)).toBe("changed since\n");
    expect(readdirSync(dirname(second))).toEqual([basename(second)]);
  });

  test("two runs that make them at once get the same", async () => {
    write("gateway/main.ts", "made by two at once");
    const [one, other] = await Promise.all([makeBundles(root), makeBundles(root)]);
    expect(one).toBe(other);
    expect(sayOf(one)).toBe("made by two at once\n");
  });

  test("are not kept where one cannot be made", async () => {
    writeFileSync(join(root, "agents/main.ts"), "await Promise.resolve();\n");
    await expect(makeBundles(root)).rejects.toThrow("Bundle failed");
    expect(
      readdirSync(join(root, "node_modules/.cache/berth-programs")).filter((name) =>
        name.startsWith("unfinished"),
      ),
    ).toEqual([]);
  });
});
