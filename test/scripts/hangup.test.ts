import { afterEach, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

/** What SIGHUP means to a process that people start by hand: a request, or the end of its terminal. */

const PROGRAM = join(import.meta.dir, "fixtures/hangup.ts");
const running: Bun.Subprocess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

function start(options: Bun.Spawn.SpawnOptions<"ignore", "ignore", "inherit">) {
  const journal = join(temporaryFolder(), "journal");
  const child = Bun.spawn([process.execPath, PROGRAM, journal], options);
  running.push(child);
  const lines = () => (existsSync(journal) ? readFileSync(journal, "utf8").trim().split("\n") : []);
  return { child, lines, has: (count: number) => until(() => lines().length === count) };
}

test("a process at a terminal reads its settings again at SIGHUP, and ends when the terminal is closed", async () => {
  const { child, lines, has } = start({ terminal: {} });
  await has(1);
  child.kill("SIGHUP");
  await has(2);
  child.terminal?.close();
  expect(await child.exited).toBe(0);
  expect(lines()).toEqual(["listening", "reload", "closed"]);
});

test("a process without a terminal, as under nohup, never ends by SIGHUP", async () => {
  const { child, lines, has } = start({ stdio: ["ignore", "ignore", "inherit"] });
  await has(1);
  for (const count of [2, 3]) {
    child.kill("SIGHUP");
    await has(count);
  }
  expect(lines()).toEqual(["listening", "reload", "reload"]);
  expect(child.exitCode).toBeNull();
});
