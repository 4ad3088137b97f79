import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import type { ContainerSpec } from "../../../agents/containers/driver.ts";
import type { OciDriver } from "../../../agents/containers/oci/driver.ts";
import { run } from "../../../agents/exec/command.ts";
import { vethOf } from "../../../agents/network/host-network.ts";
import { newDriver } from "../../../test/agents/containers/new-driver.ts";
import { claimNumber } from "../../harness/claims.ts";
import { until } from "../../harness/until.ts";
import { output } from "../containers/inside.ts";
import { newSpec, testPool } from "../containers/specs.ts";
import { lacks } from "../requirements.ts";
import { type Peer, startPeer } from "./nft/peer.ts";

describe.skipIf(lacks("root", "nft", "ip", "oci"))("what a container asks of the world", () => {
  const pool = testPool(10);
  // Not 169.254.169.254 itself: this machine may have a use for it.
  const own = 1 + claimNumber("denied");
  const metadata = `169.254.77.${own}`;
  const DENIED = "10.76.0.0/16";
  const denied = `10.76.0.${own}`;
  let world: Peer;
  let driver: OciDriver;
  let spec: ContainerSpec;
  let pid: number;

  beforeAll(async () => {
    world = await startPeer();
    await world.ask({ do: "name-server", address: world.address });
    await world.ask({ do: "listen", protocol: "tcp", port: 80 });
    await intoWorld(metadata, denied);
    driver = newDriver(pool, { dns: [world.address], denied: [DENIED] });
    await driver.prepare();
    spec = newSpec(pool);
    await driver.create(spec);
    pid = (await driver.start(spec, async () => undefined)).init.pid;
  });
  afterAll(async () => {
    await driver.destroy(spec);
    await driver.release();
    await world.stop();
  });

  test("names are resolved by the name servers that the operator chose", async () => {
    // They ask their host, where no agent runs now: the kernel passes the question on.
    expect(await output(pid, "cat /etc/resolv.conf")).toStartWith(`nameserver ${pool.gateway}\n`);
    expect(await until(() => output(pid, "getent ahostsv4 shop.example"))).toStartWith(world.address);
  });

  /** Gives the world more addresses, and routes them there. */
  async function intoWorld(...addresses: string[]): Promise<void> {
    for (const address of addresses) {
      const inWorld = ["nsenter", "-t", String(world.pid), "-n"];
      await run([...inWorld, "ip", "addr", "add", `${address}/32`, "dev", "eth0"]);
      await run(["ip", "route", "add", `${address}/32`, "dev", world.veth]);
    }
  }
  /** On a busy machine a packet and its answer take a while; the first that is lost is sent again after a second. */
  const SILENCE_MS = 15_000;
  /** What becomes of a connection that the container opens. */
  const dial = (host: string, port = 80, silenceMs = SILENCE_MS) =>
    output(
      pid,
      `/.berth/bun -e '
        const socket = require("node:net").connect(${port}, "${host}");
        const end = (text) => { console.log(text); process.exit(); };
        socket.on("connect", () => end("open")).on("error", () => end("refused"));
        setTimeout(() => end("silence"), ${silenceMs});'`,
    );

  test("link-local addresses, where clouds hand out credentials, and what the operator denies are out of its reach", async () => {
    expect(await until(async () => (await dial(world.address)) === "open")).toBe(true);
    expect(await dial(metadata)).toBe("refused");
    expect(await dial(denied)).toBe("refused");
    // They are there: the host itself reaches them, and who is let in by the operator's network gets answers.
    for (const address of [metadata, denied]) {
      const socket = await Bun.connect({ hostname: address, port: 80, socket: { data() {} } });
      socket.end();
    }
  });

  test("a name server among what is denied answers its questions, and nothing else", async () => {
    const other = newDriver(pool, { dns: [world.address], denied: [`${world.address}/32`] });
    await other.prepare();
    try {
      expect(await dial(world.address)).toBe("refused");
      expect(await output(pid, "getent ahostsv4 shop.example")).toStartWith(world.address);
      expect(await dial(denied)).toBe("open");
    } finally {
      await driver.prepare();
    }
    expect(await dial(world.address)).toBe("open");
  });

  test("its neighbours are in its reach, also where the whole network around them is denied, unless their own is named", async () => {
    const port = 7_000;
    const listening = ["/.berth/busybox", "nc", "-ll", "-p", String(port), "-e", "/.berth/bin/cat"];
    const neighbour = newSpec(pool, { name: "neighbour", entrypoint: listening });
    await driver.create(neighbour);
    await driver.start(neighbour, async () => undefined);
    const denying = (network: string) => newDriver(pool, { dns: [world.address], denied: [network] });
    try {
      await denying("10.0.0.0/8").prepare();
      expect(await until(async () => (await dial(neighbour.address, port)) === "open")).toBe(true);
      expect(await dial(denied)).toBe("refused");
      await denying(pool.subnet).prepare();
      expect(await dial(neighbour.address, port)).toBe("refused");
      expect(await dial(denied)).toBe("open");
    } finally {
      await driver.prepare();
      await driver.destroy(neighbour);
    }
  });

  test("what the host listens on is out of its reach, under all addresses of the host", async () => {
    const listener = Bun.listen({ hostname: "0.0.0.0", port: 0, socket: { data() {} } });
    const { gateway } = world;
    try {
      const socket = await Bun.connect({ hostname: gateway, port: listener.port, socket: { data() {} } });
      socket.end();
      for (const address of [gateway, pool.gateway]) {
        expect(await dial(address, listener.port)).toBe("refused");
      }
    } finally {
      listener.stop(true);
    }
  });

  test.skipIf(!existsSync("/proc/sys/net/ipv6"))(
    "over IPv6 it reaches nothing, also where its link has some",
    async () => {
      const veth = vethOf(spec.id);
      const inside = ["nsenter", "-t", String(pid), "-n", "ip"];
      writeFileSync(`/proc/sys/net/ipv6/conf/${veth}/disable_ipv6`, "0");
      await run(["ip", "addr", "add", "fd77::1/64", "dev", veth, "nodad"]);
      await run([...inside, "addr", "add", "fd77::2/64", "dev", "eth0", "nodad"]);
      const listener = Bun.listen({ hostname: "fd77::1", port: 0, socket: { data() {} } });
      try {
        expect(await dial("fd77::1", listener.port, 2_000)).toBe("silence");
      } finally {
        listener.stop(true);
        writeFileSync(`/proc/sys/net/ipv6/conf/${veth}/disable_ipv6`, "1");
      }
    },
  );

  test("it leaves under the host's address", async () => {
    const connect = `/.berth/bun -e '
      const socket = await Bun.connect({ hostname: "shop.example", port: 80, socket: {
        open: (to) => void to.write("hello"), data: (from, bytes) => { console.log(String(bytes)); from.end(); } } });'`;
    expect(await until(() => output(pid, connect))).toBe("hello");
    const askers = await world.ask({ do: "askers" });
    expect(askers).not.toBe("");
    expect(askers).not.toContain(spec.address);
  });
});
