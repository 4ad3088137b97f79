import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readFileTimes, readJunit } from "../../scripts/junit.ts";
import { temporaryFolder } from "../harness/servers.ts";

const FILE = `
  import { describe, expect, test } from "bun:test";
  test("passes", () => {});
  test("fails with </testcase> & <skipped/>", () => { expect("<skipped/>").toBe("</testcase>"); });
  test.skip('is "skipped" & <told> (needs root)', () => {});
  test.todo("is to do");
  describe("nested", () => { test("passes too", () => {}); });
  test("throws", () => { throw new Error("x"); });
`;

test("a report of bun test is counted, and what was skipped is named", () => {
  const folder = temporaryFolder();
  const report = join(folder, "report.xml");
  writeFileSync(join(folder, "sample.test.ts"), FILE);
  const argv = ["test", "--reporter=junit", `--reporter-outfile=${report}`, "./sample.test.ts"];
  Bun.spawnSync([process.execPath, ...argv], { cwd: folder });
  expect(readJunit(readFileSync(report, "utf8"))).toEqual({
    passed: 2,
    failed: 2,
    skipped: ['is "skipped" & <told> (needs root)', "is to do"],
    failedFiles: ["sample.test.ts"],
  });
  const times = readFileTimes(readFileSync(report, "utf8"));
  expect(Object.keys(times)).toEqual(["sample.test.ts"]);
  expect(times["sample.test.ts"]).toBeGreaterThan(0);
});

test("no report is no result", () => {
  expect(readJunit("")).toEqual({ passed: 0, failed: 0, skipped: [], failedFiles: [] });
});
