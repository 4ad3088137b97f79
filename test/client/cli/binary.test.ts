import { beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { buildCli, TARGETS } from "../../../scripts/build-cli.ts";
import { HEAD_BYTES, targetOf } from "../../../scripts/executable.ts";
import { CLEAN_ENVIRONMENT } from "../../harness/environment.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { testWhere } from "../../harness/test-where.ts";

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

/** The file for another system; null where Bun for that system is not on this machine and cannot be downloaded. */
async function buildElsewhere(target: string): Promise<string | null> {
  try {
    return await buildCli(target, join(folder, `berth-${target}`));
  } catch (error) {
    const reasons = error instanceof AggregateError ? error.errors : [error];
    if (reasons.some((reason) => String(reason).includes("Failed to download"))) return null;
    throw error;
  }
}

for (const target of TARGETS.filter((one) => one !== SYSTEM)) {
  const file = await buildElsewhere(target);
  const name = `the file for ${target}, which this machine cannot run, is an executable of that system and processor`;
  testWhere(file !== null, `a download of Bun for ${target}`)(name, async () => {
    const bytes = await Bun.file(file ?? "")
      .slice(0, HEAD_BYTES)
      .bytes();
    // A hundred megabytes each.
    rmSync(file ?? "");
    expect(targetOf(bytes)).toBe(target);
    for (const at of [0, 4]) {
      const other = bytes.slice();
      other[at] = 0;
      expect(targetOf(other)).not.toBe(target);
    }
  });
}

test("what is no executable is for no system", () => {
  for (const bytes of [new Uint8Array(), Buffer.from("#!/bin/sh\n"), new Uint8Array(64)])
    expect(targetOf(bytes)).toBeUndefined();
});
