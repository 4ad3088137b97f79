import { describe, expect, test } from "bun:test";
import { lacks } from "../agents/requirements.ts";
import { until } from "../harness/until.ts";
import { BACK_WITHIN_MS, type Round } from "./chaos.ts";
import { startClusterNetwork } from "./network.ts";
import { report } from "./report.ts";
import { lateness } from "./run.ts";
import { longestGap } from "./traffic.ts";

/** The parts of `bun run chaos`, which itself takes minutes and is run by hand. */

describe.skipIf(lacks("root", "ip", "nft", "unshare", "nsenter"))("the network of a cluster", () => {
  test("has machines that reach each other until one is cut off or loses all packets, and leaves nothing behind", async () => {
    const network = await startClusterNetwork();
    const [one, two] = [await network.addMachine(), await network.addMachine()];
    const serve = "Bun.serve({ port: 8080, fetch: () => new Response('here') })";
    const server = Bun.spawn([...two.within, process.execPath, "-e", serve]);
    const asked = `fetch("http://${two.address}:8080", { signal: AbortSignal.timeout(1000) }).then(() => process.exit(0), () => process.exit(1))`;
    const reaches = () => Bun.spawnSync([...one.within, process.execPath, "-e", asked]).exitCode === 0;
    const links = () => Bun.spawnSync(["ip", "-o", "link"]).stdout.toString();
    await until(reaches);
    await two.plug(false);
    expect(reaches()).toBe(false);
    await two.plug(true);
    await until(reaches);
    await two.losePackets(100);
    expect(reaches()).toBe(false);
    await two.losePackets(0);
    await until(reaches);

    expect(two.processes()).toEqual([server.pid]);
    server.kill();
    await server.exited;
    expect(links()).toContain(`${network.link}@`);
    await network.end();
    // The kernel removes a namespace a moment after its last process.
    await until(() => !links().includes(`${network.link}@`));
  });
});

test("an outage is the longest time between two served requests, up to now", () => {
  expect(longestGap([100, 200, 900, 950], 0, 1_000)).toBe(700);
  expect(longestGap([100, 200], 0, 1_000)).toBe(800);
  expect(longestGap([], 400, 1_000)).toBe(600);
  expect(longestGap([100, 500], 400, 600)).toBe(100);
});

test("a round in which somebody waited for longer than is stated is a fault, and on the page", () => {
  const inTime: Round = {
    target: "gateway",
    incident: "kill",
    machine: "gateway-1",
    reads: BACK_WITHIN_MS.gateway.reads,
    writes: 0,
    wholeMs: 1,
  };
  const late = { ...inTime, writes: BACK_WITHIN_MS.gateway.writes + 1 };
  expect(lateness(inTime)).toEqual([]);
  expect(lateness(late)).toEqual([`kill of gateway-1: no writes for ${late.writes} ms`]);
  const page = report({ rounds: [inTime, late], faults: lateness(late), acknowledged: 7, minutes: 1 }, []);
  expect(page).toContain("not served within the stated time: 1.\n  - kill of gateway-1");
  expect(page).toMatch(/\| gateway: kill \| 2 \|/);
});
