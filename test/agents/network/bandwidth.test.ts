import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createSocket } from "node:dgram";
import { existsSync } from "node:fs";
import type { ContainerSpec } from "../../../agents/containers/driver.ts";
import { run } from "../../../agents/exec/command.ts";
import { canLimitBandwidth } from "../../../agents/network/bandwidth.ts";
import { vethOf } from "../../../agents/network/host-network.ts";
import { canLimitParts } from "../../../agents/network/part-bandwidth.ts";
import { until } from "../../harness/until.ts";
import { output } from "../containers/inside.ts";
import { newDriver } from "../containers/new-driver.ts";
import { destroyAll, newSpec, startAll, testPool } from "../containers/specs.ts";
import { lacks } from "../requirements.ts";
import { newId } from "./nft/rules.ts";

/**
 * Real packets through a container's link. More is sent at once than a limited link takes: what it has dropped is counted by the
 * kernel, so that nothing is judged by time.
 */

const PACKET_BYTES = 1_400;
/** 2.8 MB: at a megabit per second the kernel would need 22 seconds for it, and it is sent in a moment. */
const PACKETS = 2_000;
const NONE = { cpu_cores: null, memory_bytes: null, disk_bytes: null };
const canLimit = await canLimitBandwidth();

/** Sends all at once to a container. */
async function sendTo(address: string): Promise<void> {
  const socket = createSocket("udp4");
  const packet = Buffer.alloc(PACKET_BYTES, 1);
  const sent = Array.from(
    { length: PACKETS },
    () => new Promise((resolve) => socket.send(packet, 9, address, resolve)),
  );
  await Promise.all(sent);
  socket.close();
}
const sendFrom = (pid: number, address: string) =>
  output(
    pid,
    `perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(Proto => "udp", PeerAddr => "${address}:9"); for (1..${PACKETS}) { $s->send("x" x ${PACKET_BYTES}) }'`,
  );

describe.skipIf(lacks("root", "nft", "ip", "oci") || !canLimit)("the bandwidth of a container", () => {
  const pool = testPool(10);
  const driver = newDriver(pool);
  const spec = newSpec(pool);
  let pid: number;
  beforeAll(async () => {
    await driver.prepare();
    await driver.create(spec);
    pid = (await driver.start(spec, async () => undefined)).init.pid;
  });
  afterAll(async () => {
    await driver.destroy(spec);
    await driver.release();
  });

  const limited = (mbps: number | null): ContainerSpec => ({
    ...spec,
    resources: { ...NONE, bandwidth_mbps: mbps },
  });
  /** What the kernel says of the queue at either end of the link. */
  const queue = async (end: "host" | "container") => {
    const inside = end === "container" ? ["nsenter", `--net=/proc/${pid}/ns/net`] : [];
    const device = end === "container" ? "eth0" : vethOf(spec.id);
    const [first] = JSON.parse(await run([...inside, "tc", "-s", "-j", "qdisc", "show", "dev", device]));
    return first as { kind: string; options: { rate?: number }; packets: number; drops: number };
  };
  test("is unlimited unless something limits it", async () => {
    expect(await driver.limit(spec)).toMatchObject({ bandwidth_mbps: null, unenforced: [] });
    expect((await queue("host")).kind).not.toBe("tbf");
    expect((await queue("container")).kind).not.toBe("tbf");
  });

  test("holds what comes in and what goes out, in a container that runs, and opens again", async () => {
    expect(await driver.limit(limited(1))).toMatchObject({ bandwidth_mbps: 1, unenforced: [] });
    await sendTo(spec.address);
    const into = await queue("host");
    expect(into).toMatchObject({ kind: "tbf", options: { rate: 125_000 } });
    expect(into.drops).toBeGreaterThan(PACKETS / 2);
    await sendFrom(pid, pool.gateway);
    const out = await queue("container");
    expect(out).toMatchObject({ kind: "tbf", options: { rate: 125_000 } });
    expect(out.drops).toBeGreaterThan(PACKETS / 2);
    // The container cannot take off what holds it.
    await expect(output(pid, "ip link set eth0 down || tc qdisc delete dev eth0 root")).rejects.toThrow();

    await driver.limit(limited(1_000));
    expect((await queue("host")).options.rate).toBe(125_000_000);
    await driver.limit(spec);
    expect([(await queue("host")).kind, (await queue("container")).kind]).not.toContain("tbf");
  });

  test("holds from the first packet of a run", async () => {
    const again = limited(2);
    await driver.cleanUp(again);
    pid = (await driver.start(again, async () => undefined)).init.pid;
    expect((await queue("host")).options.rate).toBe(250_000);
    expect((await queue("container")).options.rate).toBe(250_000);
  });

  test("of a container that another agent left is limited and opened as well", async () => {
    const next = newDriver(pool);
    await next.limit(limited(3));
    expect((await queue("container")).options.rate).toBe(375_000);
    const last = newDriver(pool);
    await last.limit(spec);
    expect((await queue("host")).kind).not.toBe("tbf");
  });
});

describe.skipIf(lacks("root", "nft", "ip", "oci") || !(await canLimitParts()))(
  "the bandwidth of a part",
  () => {
    const pool = testPool(10);
    const driver = newDriver(pool);
    const tenant = newId();
    const part = (mbps: number | null) => ({
      ...{ tenant, isPart: true },
      serverResources: { cpu_cores: null, memory_bytes: null, disk_bytes: null, bandwidth_mbps: mbps },
    });
    const specs = [0, 1].map(() => newSpec(pool, part(10)));
    let pids: number[];
    beforeAll(async () => {
      pids = await startAll(driver, specs);
    });
    afterAll(() => destroyAll(driver, specs));
    const device = (way: "out" | "in") => `b${way === "out" ? "u" : "d"}${tenant.slice(-13)}`;
    const queue = async (way: "out" | "in") => {
      const [first] = JSON.parse(await run(["tc", "-s", "-j", "qdisc", "show", "dev", device(way)]));
      return first as { kind: string; options: { rate?: number }; packets: number; drops: number };
    };

    test("is that of all its containers together, each way", async () => {
      // More than one of them may send: what both send has passed one bucket.
      for (const way of ["out", "in"] as const) {
        const passed: number[] = [];
        for (const [at, pid] of pids.entries()) {
          await (way === "out" ? sendFrom(pid, pool.gateway) : sendTo(specs[at]?.address ?? ""));
          const { kind, options, packets, drops } = await queue(way);
          expect([kind, options.rate]).toEqual(["tbf", 1_250_000]);
          passed.push(packets + drops);
        }
        expect(passed[1]).toBeGreaterThan((passed[0] ?? 0) + 1);
      }
    });

    test("lets what it passes arrive as if it had come by the link alone", async () => {
      const [spec] = specs;
      for (const one of specs) await driver.limit({ ...one, ...part(1_000) });
      expect((await queue("in")).options.rate).toBe(125_000_000);
      const listening = output(pids[0] ?? 0, "echo hello | timeout 20 /.berth/busybox nc -l -p 7 -w 20");
      const heard = async () => {
        const socket = await Bun.connect({
          ...{ hostname: spec?.address ?? "", port: 7 },
          socket: { data: (_socket, bytes) => received.resolve(bytes.toString()) },
        });
        return socket;
      };
      const received = Promise.withResolvers<string>();
      await until(() => heard().catch(() => false));
      expect(await received.promise).toBe("hello\n");
      await listening;
    });

    test("opens, and its devices go with its last container", async () => {
      for (const spec of specs) await driver.limit({ ...spec, ...part(null) });
      const before = await queue("in");
      await sendTo(specs[0]?.address ?? "");
      expect((await queue("in")).packets).toBe(before.packets);
      for (const spec of specs) await driver.limit({ ...spec, ...part(2) });
      expect((await queue("out")).options.rate).toBe(250_000);
      const [first, second] = specs;
      if (first === undefined || second === undefined) throw new Error("there are none");
      await driver.cleanUp(first);
      expect(existsSync(`/sys/class/net/${device("out")}`)).toBe(true);
      await driver.cleanUp(second);
      expect(existsSync(`/sys/class/net/${device("out")}`)).toBe(false);
      expect(existsSync(`/sys/class/net/${device("in")}`)).toBe(false);
    });
  },
);
