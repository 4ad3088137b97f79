import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { endStuckWorkers } from "../../scripts/stuck-workers.ts";
import { until } from "../harness/until.ts";

const WAITS_FOR_A_LOCK = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)";
const WAITS_FOR_A_TIMER = "setTimeout(() => {}, 600_000)";

test.skipIf(process.platform !== "linux")(
  "a worker that stands still in a lock is ended, and none that waits for something else",
  async () => {
    const said: string[] = [];
    const program = `"${process.execPath}" -e '${WAITS_FOR_A_TIMER}' & "${process.execPath}" -e '${WAITS_FOR_A_LOCK}' & wait`;
    const run = Bun.spawn(["sh", "-c", program]);
    const children = () =>
      readFileSync(`/proc/${run.pid}/task/${run.pid}/children`, "utf8")
        .split(" ")
        .filter(Boolean)
        .map(Number);
    try {
      const [waiting = 0] = await until(() => (children().length === 2 ? children() : undefined));
      const stop = endStuckWorkers(run.pid, 1_000, (line) => said.push(line));
      await until(() => children().length === 1);
      stop();
      expect(children()).toEqual([waiting]);
      expect(said).toEqual([expect.stringMatching(/^worker \d+ waits for a lock for \d+ s: it is ended/)]);
      process.kill(waiting, "SIGKILL");
    } finally {
      run.kill("SIGKILL");
      await run.exited;
    }
  },
);
