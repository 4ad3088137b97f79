import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ContainerSpec } from "../../../../agents/containers/driver.ts";
import { run } from "../../../../agents/exec/command.ts";
import { defaultConnectionLimit } from "../../../../agents/network/nft/connections.ts";
import { hostTableName } from "../../../../agents/network/nft/host-rules.ts";
import { newDriver } from "../../../../test/agents/containers/new-driver.ts";
import { sharedWatchdog } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { newSpec, testPool } from "../../containers/specs.ts";
import { lacks } from "../../requirements.ts";
import { type Peer, startPeer } from "./peer.ts";

const BOUND = 16;

/** Holds connections open, and says how many it has and how many of them answer. A line each: "open N HOST PORT", "ask", "close". */
const HOLDER = `
  const { connect } = require("node:net");
  let held = [];
  const dial = (host, port) => new Promise((done) => {
    const socket = connect(port, host, () => done(socket)).on("error", () => done(null));
  });
  const ask = (socket) => new Promise((done) => { socket.once("data", () => done(1)); socket.once("close", () => done(0)); socket.write("?"); });
  for await (const line of console) {
    const [what, count, host, port] = line.split(" ");
    if (what === "open") for (let i = 0; i < count; i++) { const socket = await dial(host, port); if (socket) held.push(socket); }
    if (what === "close") { for (const socket of held) socket.destroy(); held = []; }
    const answers = what === "ask" ? (await Promise.all(held.map(ask))).filter(Boolean).length : 0;
    console.log(JSON.stringify({ held: held.length, answers }));
  }
`;

/** Something that opens connections, in the network namespace of a process. */
function holder(pid: number | null) {
  const within = pid === null ? [] : ["nsenter", "-t", String(pid), "-n"];
  const child = Bun.spawn([...within, process.execPath, "-e", HOLDER], { stdin: "pipe", stdout: "pipe" });
  sharedWatchdog().watch(child.pid, "TERM");
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  return {
    tell: async (line: string): Promise<{ held: number; answers: number }> => {
      child.stdin.write(`${line}\n`);
      child.stdin.flush();
      let text = "";
      while (!text.endsWith("\n")) text += (await lines.read()).value ?? "";
      return JSON.parse(text);
    },
    end: async () => {
      child.kill("SIGKILL");
      await child.exited;
      sharedWatchdog().forget(child.pid);
    },
  };
}

describe.skipIf(lacks("root", "nft", "ip", "oci"))("the connections of a container", () => {
  const pool = testPool(10);
  const driver = newDriver(pool, { connections: BOUND });
  const specs: ContainerSpec[] = [];
  const holders: ReturnType<typeof holder>[] = [];
  let world: Peer;

  beforeAll(async () => {
    world = await startPeer();
    await world.ask({ do: "listen", protocol: "tcp", port: 80 });
    await driver.prepare();
  });
  afterAll(async () => {
    for (const one of holders) await one.end();
    for (const spec of specs) await driver.destroy(spec);
    await driver.release();
    await world.stop();
  });

  async function container() {
    const spec = newSpec(pool);
    specs.push(spec);
    await driver.create(spec);
    const { pid } = (await driver.start(spec, async () => undefined)).init;
    return { address: spec.address, pid };
  }
  function hold(pid: number | null) {
    const one = holder(pid);
    holders.push(one);
    return one;
  }

  test("are bounded for one and open to the others; those that there are go on, and one that closes makes room", async () => {
    const [greedy, modest] = await Promise.all([container(), container()]);
    const [takes, asks] = [hold(greedy.pid), hold(modest.pid)];
    expect(await takes.tell(`open ${BOUND + 8} ${world.address} 80`)).toEqual({ held: BOUND, answers: 0 });
    expect(await takes.tell("ask")).toEqual({ held: BOUND, answers: BOUND });
    expect((await asks.tell(`open ${BOUND} ${world.address} 80`)).held).toBe(BOUND);

    // An agent that starts again leaves alone what has counted them, and so does its watch.
    const again = newDriver(pool, { connections: BOUND });
    await again.prepare();
    expect(await again.repair()).toEqual([]);
    expect((await takes.tell(`open 4 ${world.address} 80`)).held).toBe(BOUND);
    expect(await takes.tell("ask")).toEqual({ held: BOUND, answers: BOUND });

    await takes.tell("close");
    expect(await until(async () => (await takes.tell(`open 1 ${world.address} 80`)).held > 0)).toBe(true);
    await takes.tell("close");
  });

  test("that come to it are bounded too, and those of another container count for that one", async () => {
    const [taken, other] = await Promise.all([container(), container()]);
    const serving = Bun.spawn(["nsenter", "-t", String(taken.pid), "-n", process.execPath, "-e", SERVER], {
      stdout: "pipe",
    });
    sharedWatchdog().watch(serving.pid, "TERM");
    await serving.stdout.getReader().read();
    const neighbour = hold(other.pid);
    expect((await neighbour.tell(`open ${BOUND + 8} ${taken.address} 8080`)).held).toBe(BOUND);
    // Had they counted for the one that is asked, nobody else would reach it now.
    const host = hold(null);
    expect((await host.tell(`open ${BOUND + 8} ${taken.address} 8080`)).held).toBe(BOUND);
    serving.kill();
    await serving.exited;
    sharedWatchdog().forget(serving.pid);
  });

  test("are not kept for minutes once they are closed, and come no faster than those are forgotten", async () => {
    const { pid } = await container();
    const quick = hold(pid);
    let opened = 0;
    // As many as there may be at once, again and again: each of them is closed before the next.
    for (let i = 0; i < 20; i++) {
      opened += (await quick.tell(`open ${BOUND} ${world.address} 80`)).held;
      await quick.tell("close");
    }
    expect(opened).toBeGreaterThanOrEqual(BOUND);
    expect(opened).toBeLessThan(20 * BOUND);
    const listing = await run(["nft", "list", "table", "inet", hostTableName(pool.subnet)]);
    expect(listing).toContain("time_wait : 10");
  });
});

const SERVER = `
  Bun.listen({ hostname: "0.0.0.0", port: 8080, socket: { data() {} } });
  console.log("ready");
`;

test.each([
  [262_144, 8_192],
  [65_536, 2_048],
  [8_192, 1_024],
  [Number.POSITIVE_INFINITY, 8_192],
])("of a table of %d a container has %d", (table, share) => {
  expect(defaultConnectionLimit(table)).toBe(share);
});
