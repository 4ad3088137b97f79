import { afterEach, expect, spyOn, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { DEFAULT_LIMITS } from "../../agents/containers/limits.ts";
import { ProcessDriver } from "../../agents/containers/process/driver.ts";
import { Container } from "../../agents/reconciler/container.ts";
import { Shares } from "../../agents/reconciler/shares.ts";
import { stateStore } from "../../agents/reconciler/store.ts";
import type { DesiredContainer } from "../../schemas/hosting/desired.ts";
import { Semaphore } from "../../system/semaphore.ts";
import { newId } from "../agents/network/nft/rules.ts";
import { temporaryFolder } from "../harness/servers.ts";

/**
 * A container that was stopped for its full disk was told to be restarted, so that files can be removed, and was stopped
 * again by the next check: nobody could get in.
 */

const GRACE_MS = 60_000;
let clean = async () => {};
afterEach(() => clean());

/** A container that was stopped for what it has on disk. */
async function stoppedForItsDisk() {
  const id = newId();
  const [data, log] = [temporaryFolder(), pino({ level: "silent" })];
  const store = stateStore(data);
  const reported: string[] = [];
  const container = new Container(id, null, {
    driver: new ProcessDriver(null),
    filter: null,
    images: null,
    limits: { ...DEFAULT_LIMITS, cpus: 1, diskMegabytes: 1, files: 100 },
    store,
    startConcurrency: new Semaphore(1),
    shares: new Shares({ server: "node-9", data, canMountShares: false, log, report: () => undefined }),
    log,
    reportContainer: (_id, { state, error }) => reported.push(error === null ? state : `${state}: ${error}`),
    countFirewallRepair: () => undefined,
    reportFirewall: () => undefined,
  });
  const want = (revision: number, state: DesiredContainer["state"]) => {
    const wanted = { server_name: "node-9", id, project_id: "0".repeat(24), name: "web", command: [] };
    container.setDesired({ ...wanted, revision, state, generation: revision });
    return container.settled();
  };
  const check = async () => {
    await container.checkDisk();
    await container.settled();
    return reported.at(-1);
  };
  clean = async () => {
    await want(1_000, "deleted");
    await container.close();
  };
  await want(1, "running");
  const large = join(store.folder(id), "root", "large");
  writeFileSync(large, Buffer.alloc(3 * 1024 * 1024, "x"));
  expect(await check()).toStartWith("error: its files take");
  return { large, want, check, reported };
}

/** What a check finds a while from now. */
async function later<T>(ms: number, check: () => Promise<T>): Promise<T> {
  const now = performance.now();
  const clock = spyOn(performance, "now").mockReturnValue(now + ms);
  try {
    return await check();
  } finally {
    clock.mockRestore();
  }
}

test("a container that is restarted after its disk was full may run long enough to remove files", async () => {
  const { large, want, check, reported } = await stoppedForItsDisk();
  expect(reported.at(-1)).toEndWith("Restart it and remove some within 60 s");
  await want(2, "running");
  expect(await check()).toBe("running");
  rmSync(large);
  expect(await later(GRACE_MS + 1, check)).toBe("running");
});

test("it is stopped again when the files are still there after that", async () => {
  const { want, check } = await stoppedForItsDisk();
  await want(2, "running");
  expect(await later(GRACE_MS + 1, check)).toStartWith("error: its files take");
});

test("a restart that follows on no full disk gives no such time", async () => {
  const { large, want, check } = await stoppedForItsDisk();
  rmSync(large);
  await want(2, "running");
  const found = await later(GRACE_MS + 1, async () => {
    await want(3, "running");
    writeFileSync(large, Buffer.alloc(3 * 1024 * 1024, "x"));
    return check();
  });
  expect(found).toStartWith("error: its files take");
});
