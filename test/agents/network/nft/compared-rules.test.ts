import { afterEach, expect, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { CommitMonitor } from "../../../../agents/network/nft/commit-monitor.ts";
import { ComparedRules } from "../../../../agents/network/nft/compared-rules.ts";
import { Nft } from "../../../../agents/network/nft/nft.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { newTable } from "./rules.ts";

const monitors: CommitMonitor[] = [];
const kept = (monitor: CommitMonitor) => {
  monitors.push(monitor);
  return monitor;
};
afterEach(() => {
  for (const monitor of monitors.splice(0)) monitor.close();
});

/** A monitor that listens from its start, and says what is added to a file. */
function scripted() {
  const file = join(temporaryFolder(), "lines");
  appendFileSync(file, "");
  const monitor = kept(new CommitMonitor(["tail", "-n", "+1", "-f", file], 0));
  return { monitor, say: (line: string) => appendFileSync(file, `${line}\n`) };
}

/** Compares again and again; `answer` is what the kernel has. */
function comparing(monitor: CommitMonitor | undefined, rules = new ComparedRules()) {
  const state = { comparisons: 0, answer: true };
  const compare = async () => {
    state.comparisons++;
    return state.answer;
  };
  return { state, ask: (expected = "drop") => rules.isInSync(monitor, expected, compare) };
}

test("rules that nobody has changed are read once, and again after a change by whatever process", async () => {
  const { monitor, say } = scripted();
  const { state, ask } = comparing(monitor);
  for (let at = 0; at < 5; at++) expect(await ask()).toBe(true);
  expect(state.comparisons).toBe(1);
  say("# new generation 7 by process 99 (other)");
  await until(() => monitor.changes === 1);
  state.answer = false;
  expect(await ask()).toBe(false);
  // Until they are right again.
  expect(await ask()).toBe(false);
  state.answer = true;
  for (let at = 0; at < 5; at++) expect(await ask()).toBe(true);
  expect(state.comparisons).toBe(4);
});

test("changes that the kernel could not announce make the rules be read again", async () => {
  const { monitor, say } = scripted();
  const { state, ask } = comparing(monitor);
  await ask();
  say("# ERROR: We lost some netlink events!");
  await until(() => monitor.changes === 1);
  await ask();
  expect(state.comparisons).toBe(2);
});

test("other expectations make the rules be read again", async () => {
  const { state, ask } = comparing(scripted().monitor);
  await ask("drop");
  await ask("accept");
  await ask("accept");
  expect(state.comparisons).toBe(2);
});

test("a change that nobody announced is found after the backstop's time", async () => {
  const { state, ask } = comparing(scripted().monitor, new ComparedRules(5));
  await ask();
  state.answer = false;
  await until(async () => !(await ask()));
  expect(state.comparisons).toBe(2);
});

test("without a monitor that listens, the rules are read each time", async () => {
  const late = kept(new CommitMonitor(["tail", "-f", "/dev/null"]));
  const ended = kept(new CommitMonitor(["true"], 0));
  await until(() => ended.changes === undefined);
  for (const monitor of [undefined, late, ended]) {
    const { state, ask } = comparing(monitor);
    await ask();
    await ask();
    expect(state.comparisons).toBe(2);
  }
});

test.skipIf(lacks("root", "nft"))(
  "the kernel announces a change of a table that another process makes",
  async () => {
    const monitor = kept(new CommitMonitor());
    const table = newTable();
    const other = new Nft(["nft"]);
    try {
      await until(() => monitor.changes !== undefined);
      const before = monitor.changes ?? 0;
      await other.load(`add table inet ${table}`);
      await until(() => (monitor.changes ?? 0) > before);
    } finally {
      await other.load(`delete table inet ${table}`);
    }
  },
);
