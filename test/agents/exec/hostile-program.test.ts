import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { ContainerSpec } from "../../../agents/containers/driver.ts";
import { NamespacesDriver } from "../../../agents/containers/namespaces/driver.ts";
import type { ExecTarget } from "../../../agents/exec/target.ts";
import { filesService } from "../../../agents/services/files.ts";
import type { ProcessIdentity } from "../../../system/process-identity.ts";
import { newSpec, testPool } from "../containers/specs.ts";
import { lacks } from "../requirements.ts";

// Past a time limit the runner kills every process of the run: only what hangs may meet it.
setDefaultTimeout(120_000);

/** Enough for a shell in a container of a busy machine. */
const MS_MAX = 3_000;
/** Without a deadline each of these takes a quarter of an hour. */
const SECONDS_MAX = 20;
const GROWTH_BYTES_MAX = 64 << 20;

describe.skipIf(lacks("root", "nft", "ip", "unshare", "setpriv", "nsenter"))(
  "a program of a container that means harm",
  () => {
    const pool = testPool(10);
    const driver = new NamespacesDriver(pool);
    const spec: ContainerSpec = newSpec(pool);
    let init: ProcessIdentity;
    let machine: ExecTarget;

    beforeAll(async () => {
      await driver.prepare();
      await driver.create(spec);
      init = (await driver.start(spec, async () => undefined)).init;
      machine = driver.execTarget(spec, () => init);
    });
    afterAll(async () => {
      await driver.stop(spec, init, 0);
      await driver.destroy(spec);
      await driver.release();
    });

    /** What came of a call, how long it took, and whether the agent grew by it. */
    async function attacked<T>(call: () => Promise<T>): Promise<T> {
      const before = process.memoryUsage.rss();
      let most = before;
      const watch = setInterval(() => {
        most = Math.max(most, process.memoryUsage.rss());
      }, 10);
      const startedAt = performance.now();
      const result = await call();
      clearInterval(watch);
      expect((performance.now() - startedAt) / 1_000).toBeLessThan(SECONDS_MAX);
      expect(most - before).toBeLessThan(GROWTH_BYTES_MAX);
      return result;
    }
    const shell = (line: string) => machine.run({ user: null, argv: ["/bin/sh", "-c", line], msMax: MS_MAX });

    test.each([
      ["floods its output", "yes | head -c 3G", { code: null, boundMet: "stdout" }],
      ["never ends", "echo begun; sleep 1000; true", { code: null, boundMet: "deadline" }],
      ["forks and leaves", "sleep 1000 & echo left", { code: 0, boundMet: null }],
      ["leaves its output to a grandchild", "(setsid sleep 1000 &); echo left", { code: 0, boundMet: null }],
      [
        "waits while a grandchild drips",
        "(setsid sh -c 'while echo x; do sleep 0.1; done' &); sleep 1000",
        { code: null, boundMet: "deadline" },
      ],
    ])("and %s neither fills the agent's memory nor holds it up", async (_, line, outcome) => {
      expect(await attacked(() => shell(line))).toMatchObject(outcome);
    });

    test("is killed at the deadline", async () => {
      await attacked(() => shell("sleep 4321.5; true"));
      const { stdout } = await shell("cat /proc/[0-9]*/cmdline | tr '\\0' ' '");
      expect(stdout).not.toContain("sleep 4321.5 ");
    });

    test("and floods a download that nobody reads is held up by that", async () => {
      await attacked(async () => {
        const program = machine.stream({ user: null, argv: ["sh", "-c", "yes | head -c 3G"] }, null);
        await program.stdout.getReader().read();
        expect(await Promise.race([program.exited, Bun.sleep(2_000).then(() => "waits")])).toBe("waits");
        program.kill();
        await program.exited;
      });
    });

    test("in place of those that look at files is answered for by a 504, not by memory", async () => {
      for (const line of ["yes", "sleep 1000; true"]) {
        const hostile: ExecTarget = { ...machine, run: () => shell(line) };
        const response = await attacked(() => filesService(hostile)(new Request("http://container/")));
        expect(response.status).toBe(504);
        expect(await response.text()).toStartWith("The container did not say: it ");
      }
    });
  },
);
