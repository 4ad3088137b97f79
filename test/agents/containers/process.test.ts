import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ContainerSpec } from "../../../agents/containers/driver.ts";
import { LOG_BYTES_MAX } from "../../../agents/containers/logs/log-files.ts";
import { ProcessDriver } from "../../../agents/containers/process/driver.ts";
import type { ProcessIdentity } from "../../../system/process-identity.ts";
import { until } from "../../harness/until.ts";
import { newSpec, testPool } from "./specs.ts";

describe("a container as a plain process", () => {
  const pool = process.platform === "linux" ? testPool(127) : null;
  const driver = new ProcessDriver(pool);
  const made: { spec: ContainerSpec; init: ProcessIdentity }[] = [];

  afterEach(async () => {
    for (const { spec, init } of made.splice(0)) await driver.stop(spec, init, 0);
  });

  async function start(command: readonly string[], fields: Partial<ContainerSpec> = {}) {
    const spec = newSpec(pool, { command, ...fields });
    await driver.create(spec);
    const started = await driver.start(spec, async () => undefined);
    made.push({ spec, init: started.init });
    return { spec, ...started, log: () => entries(spec).replaceAll(/^\S+ (stdout|stderr) [FP] /gm, "") };
  }
  const entries = (spec: ContainerSpec) => readFileSync(join(spec.folder, "log"), "utf8");

  test("its log has the time and the stream of each line, and is one file of 4 MiB at most", async () => {
    const { spec } = await start(["sh", "-c", "echo out; sleep 0.2; echo err >&2; printf open; sleep 1000"]);
    await until(() => entries(spec).includes("open"));
    const lines = entries(spec).replaceAll(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z /gm, "");
    expect(lines.split("\n").toSorted()).toEqual(["", "stderr F err", "stdout F out", "stdout P open"]);

    const flood = await start([
      "sh",
      "-c",
      "yes $(printf %0200d 1) | head -c 6000000; echo said; sleep 1000",
    ]);
    await until(() => entries(flood.spec).endsWith("said\n"));
    for (const name of ["log", "log.1", "log.2"])
      expect(statSync(join(flood.spec.folder, name)).size).toBeLessThanOrEqual(LOG_BYTES_MAX);
  });

  test("runs its command in a folder of its own, told its name and address, and not what the agent knows", async () => {
    const { spec, log } = await start([
      "sh",
      "-c",
      "pwd; echo $HOSTNAME $BERTH_ADDRESS; env; echo done; sleep 1000",
    ]);
    await until(() => log().includes("done"));
    expect(log()).toContain(join(spec.folder, "root"));
    expect(log()).toContain(`web ${spec.address}\n`);
    expect(log()).not.toContain("NATS_URL");
  });

  test("the built-in page is found at the paths that it has in other drivers", async () => {
    const { spec } = await start(["/.berth/bun", "/.berth/welcome.ts"], { name: "shop" });
    const page = await until(async () => (await fetch(`http://${spec.address}:8080/`)).text());
    expect(page).toBe("Hello from shop.\n");
  });

  test("programs run in its folder while it runs, as the agent's own user", async () => {
    const { spec, init } = await start([]);
    let now: ProcessIdentity | null = init;
    const machine = driver.execTarget(spec, () => now);
    const argv = ["/bin/sh", "-c", "pwd; echo $HOME $BERTH_ADDRESS"];
    const root = join(spec.folder, "root");
    expect((await machine.run({ user: null, argv })).stdout).toBe(`${root}\n${root} ${spec.address}\n`);
    expect(machine.run({ user: "no-such-user", argv })).rejects.toThrow("own user");
    now = null;
    expect(machine.run({ user: null, argv })).rejects.toThrow("does not run");
  });

  test("a command runs in its folder with its input, and what is not there is named", async () => {
    const { spec, init } = await start([]);
    const command = { env: { A: "b" }, user: null, folder: null, msMax: 60_000, outputBytesMax: 1_000 };
    const run = (argv: string[], fields: object = {}) =>
      driver.runCommand(spec, init, { ...command, argv, input: new TextEncoder().encode("in"), ...fields });
    const { code, stdout, stderr } = await run(["/bin/sh", "-c", "pwd; cat; echo $A >&2; exit 4"]);
    expect([code, stdout.toString(), stderr.toString()]).toEqual([
      4,
      `${join(spec.folder, "root")}\nin`,
      "b\n",
    ]);
    expect((await run(["no-such-program"])).code).toBe(127);
    expect((await run(["sleep", "1000"], { msMax: 100 })).boundMet).toBe("deadline");
    expect(run(["true"], { user: "no-such-user" })).rejects.toThrow("own user");
    expect(run(["true"], { folder: "/nowhere" })).rejects.toThrow("no folder");
  });

  test("without a command it runs until it is stopped", async () => {
    const { spec, init } = await start([]);
    expect(driver.isRunning(init)).toBe(true);
    await driver.stop(spec, init, 1_000);
    expect(driver.isRunning(init)).toBe(false);
  });

  test("a stop ends its children too, also those that will not", async () => {
    const { spec, init, log } = await start([
      "sh",
      "-c",
      "sh -c 'trap \"\" TERM; echo $$; while :; do sleep 0.01; done' & wait",
    ]);
    const child = await until(() => Number(log().trim()) || null);
    await driver.stop(spec, init, 1_000);
    await until(() => !isAlive(child));
  });

  test("its end is told, with how", async () => {
    const { spec, init, ended } = await start(["sh", "-c", "exit 3"]);
    await ended;
    expect((await driver.lastEnd(spec)).reason).toBe("its command ended with status 3");
    expect(driver.isRunning(init)).toBe(false);
    const killed = await start(["sh", "-c", "kill -KILL $$"]);
    await killed.ended;
    expect((await driver.lastEnd(killed.spec)).reason).toBe("its command was ended by SIGKILL");
  });

  test("nothing of it runs when its process cannot be recorded", async () => {
    const spec = newSpec(pool, { command: ["sh", "-c", "echo ran"] });
    let init: ProcessIdentity | undefined;
    const refused = driver.start(spec, async (identity) => {
      init = identity;
      throw new Error("the disk is full");
    });
    await expect(refused).rejects.toThrow("the disk is full");
    await until(() => init && !driver.isRunning(init));
    expect(readFileSync(join(spec.folder, "log"), "utf8")).toBe("");
  });

  test("says that it cannot filter packets", () => {
    expect(driver.vethEndpoint()).toBeNull();
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
