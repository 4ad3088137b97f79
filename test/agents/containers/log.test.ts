import { expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { trimLog } from "../../../agents/containers/log.ts";
import { temporaryFolder } from "../../harness/servers.ts";

test("a log that grew too long is moved aside, and its writer goes on in the same file", async () => {
  const folder = temporaryFolder();
  const log = openSync(join(folder, "log"), "a");
  writeSync(log, "x".repeat(4 * 1024 * 1024));
  await trimLog(folder);
  expect(statSync(join(folder, "log")).size).toBe(4 * 1024 * 1024);
  writeSync(log, "one more");
  await trimLog(folder);
  expect(statSync(join(folder, "log.1")).size).toBe(4 * 1024 * 1024 + 8);
  writeSync(log, "and on");
  expect(readFileSync(join(folder, "log"), "utf8")).toBe("and on");
  closeSync(log);
});

test("a container that has no log yet is left alone", async () => {
  await trimLog(temporaryFolder());
});
