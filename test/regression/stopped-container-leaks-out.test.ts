import { describe, expect, test } from "bun:test";
import { run } from "../../agents/exec/command.ts";
import { networksOfHost, subnetProblem } from "../../agents/network/subnet.ts";
import { newDriver } from "../../test/agents/containers/new-driver.ts";
import { newSpec, testPool } from "../agents/containers/specs.ts";
import { lacks } from "../agents/requirements.ts";

/** Packets for a container that is stopped left by the host's default route. */

describe.skipIf(lacks("root", "nft", "ip", "oci"))("a container's address", () => {
  /** Where the host sends what is for an address. */
  const way = (address: string) =>
    run(["ip", "route", "get", address]).then(
      (text) => /dev (\S+)/.exec(text)?.[1],
      (error: Error) => (error.message.includes("No route to host") ? "unreachable" : error.message),
    );

  test("is unreachable unless the container runs, for as long as an agent has its subnet", async () => {
    const pool = testPool(10);
    const driver = newDriver(pool);
    const spec = newSpec(pool);
    const without = await way(spec.address);
    await driver.prepare();
    await driver.prepare();
    expect(await way(spec.address)).toBe("unreachable");
    await driver.create(spec);
    const { init } = await driver.start(spec, async () => undefined);
    expect(await way(spec.address)).toMatch(/^bv/);
    await driver.stop(spec, init, 0);
    expect(await way(spec.address)).toBe("unreachable");
    await driver.destroy(spec);
    await driver.release();
    expect(await way(spec.address)).toBe(without);
    await driver.release();
  });

  test("is not taken by the agent's own route, and is by one that another tool made unreachable", async () => {
    const pool = testPool(10);
    const driver = newDriver(pool);
    await driver.prepare();
    expect(subnetProblem(pool.subnet, await networksOfHost())).toBeNull();
    await driver.release();
    await run(["ip", "route", "add", "unreachable", pool.subnet]);
    const problem = subnetProblem(pool.subnet, await networksOfHost());
    await run(["ip", "route", "del", "unreachable", pool.subnet]);
    expect(problem).toContain(`overlaps ${pool.subnet}`);
  });
});
