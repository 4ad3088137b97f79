import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { CommandError } from "../../../../agents/exec/command.ts";
import { CommitMonitor } from "../../../../agents/network/nft/commit-monitor.ts";
import { Nft } from "../../../../agents/network/nft/nft.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { newTable } from "./rules.ts";

const monitors: CommitMonitor[] = [];
const monitorOf = (...command: string[]) => {
  const monitor = command.length === 0 ? new CommitMonitor() : new CommitMonitor(command);
  monitors.push(monitor);
  return monitor;
};
afterEach(() => {
  for (const monitor of monitors.splice(0)) monitor.close();
});

/** A monitor that repeats the lines of a file, as they come. */
const repeating = (file: string) => monitorOf("tail", "-n", "+1", "-f", file);
const commitOf = (pid: number) => `add rule inet x y drop\n# new generation 7 by process ${pid} (nft)\n`;
/** Whether it is resolved already. */
const isDone = (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => true), Promise.resolve().then(() => false)]);

test("no commit is announced until one of a process of ours was seen, and none of another's", async () => {
  const file = join(temporaryFolder(), "lines");
  await Bun.write(file, "");
  const monitor = repeating(file);
  const [first, second, other] = [11, 12, 13].map((pid) => monitor.awaitCommit(pid));
  if (!first || !second || !other) throw new Error("three are awaited");
  await Bun.write(file, commitOf(99) + commitOf(11) + commitOf(12));
  await second.committed;
  expect([await isDone(first.committed), await isDone(other.committed)]).toEqual([false, false]);
});

test.skipIf(lacks("root", "nft"))(
  "a load returns when the kernel has it, and refuses what nft refuses",
  async () => {
    const table = newTable();
    const nft = new Nft(["nft"], monitorOf());
    try {
      for (let at = 0; at < 20; at++) {
        await nft.load(
          `add table inet ${table}\nadd chain inet ${table} c${at}\nadd rule inet ${table} c${at} drop`,
        );
        expect(await nft.listTable(table)).toContain(`chain c${at} {`);
        await nft.load(`flush chain inet ${table} c${at}`);
        expect(await nft.listTable(table)).not.toContain("drop");
      }
      await expect(nft.load(`add rule inet ${table} nowhere drop`)).rejects.toThrow(CommandError);
    } finally {
      await nft.load(`delete table inet ${table}`);
    }
  },
);

test.skipIf(lacks("root", "nft"))(
  "a monitor that ends is started again, and loads do not wait for it",
  async () => {
    const table = newTable();
    const starts = join(temporaryFolder(), "starts");
    const nft = new Nft(["nft"], monitorOf("sh", "-c", `echo >> ${starts}`));
    await nft.load(`add table inet ${table}`);
    await nft.load(`delete table inet ${table}`);
    await until(async () => (await Bun.file(starts).text()).length > 1);
  },
);
