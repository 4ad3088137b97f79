import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { buildCli } from "../../../scripts/build-cli.ts";
import { CLEAN_ENVIRONMENT } from "../../harness/environment.ts";
import { temporaryFolder } from "../../harness/servers.ts";

/** The command line as one file, as people get it. */

const SYSTEM = `${process.platform}-${process.arch}`;
const folder = temporaryFolder();
let berth: string;
beforeAll(async () => {
  berth = await buildCli(SYSTEM, join(folder, "berth"));
}, 60_000);

function run(...argv: string[]) {
  const env = { ...CLEAN_ENVIRONMENT, HOME: folder, BERTH_KEYRING: "off" };
  const { exitCode, stdout, stderr } = Bun.spawnSync([berth, ...argv], { cwd: folder, env });
  return { status: exitCode, out: stdout.toString(), err: stderr.toString() };
}

test("one file needs nothing else: help, a table, completion, a project's file and the exit status", async () => {
  expect(run("--version").out).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(run("containers", "--help").out).toContain("create");
  expect(run("context", "add", "there", "http://127.0.0.1:1").status).toBe(0);
  expect(run("context", "list").out).toMatch(/NAME +URL\n.*there +http:/);
  expect(run("__complete", "containers", "st").out).toBe("start\nstop\n");
  // YAML and questions are loaded when they are needed: they are in the file, too.
  await Bun.write(join(folder, "berth.yaml"), "services: { web: { build: . } }");
  expect(run("up").err).toContain("berth.yaml:1: services.web.build: images are not built here");
  expect([run("containers", "list").status, run("nothing").status]).toEqual([3, 2]);
});
