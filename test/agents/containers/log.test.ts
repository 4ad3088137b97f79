import { expect, test } from "bun:test";
import { closeSync, existsSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { trimLog } from "../../../agents/containers/log.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { lacks } from "../requirements.ts";

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

const LOG_SCRIPT = join(import.meta.dir, "../../../agents/containers/namespaces/log.sh");
const writeLog = (file: string, bytes: number, what: string) =>
  Bun.spawn(["sh", "-c", `${what} | sh "$0" "$1" "$2"`, LOG_SCRIPT, file, String(bytes)]).exited;
const read = (file: string) => readFileSync(file, "utf8");

test.skipIf(lacks("linux"))(
  "a log that is written by log.sh never has more than it may, and nothing of it is lost",
  async () => {
    const file = join(temporaryFolder(), "log");
    expect(await writeLog(file, 10_000, "seq 1 3000")).toBe(0);
    const all = Array.from({ length: 3_000 }, (_, at) => `${at + 1}\n`).join("");
    const cut = all.length - (all.length % 10_000);
    expect(read(`${file}.1`)).toBe(all.slice(cut - 10_000, cut));
    expect(read(file)).toBe(all.slice(cut));
    // The next run goes on where this one ended.
    await writeLog(file, 10_000, "echo on");
    expect(read(file)).toBe(`${all.slice(cut)}on\n`);
  },
);

test.skipIf(lacks("linux"))("a line can be read as soon as it is said", async () => {
  const file = join(temporaryFolder(), "log");
  const child = Bun.spawn(["sh", LOG_SCRIPT, file, "10000"], { stdin: "pipe" });
  child.stdin.write("said\n");
  child.stdin.flush();
  await until(() => existsSync(file) && read(file) === "said\n");
  child.stdin.end();
  expect(await child.exited).toBe(0);
});

test.skipIf(lacks("linux"))("who speaks is not held up by a log that cannot be written", async () => {
  expect(await writeLog(join(temporaryFolder(), "not/there"), 10_000, "head -c 1000000 /dev/zero")).toBe(0);
});

test("a container that has no log yet is left alone", async () => {
  await trimLog(temporaryFolder());
});
