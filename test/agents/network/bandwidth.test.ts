import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createSocket } from "node:dgram";
import type { ContainerSpec } from "../../../agents/containers/driver.ts";
import { run } from "../../../agents/exec/command.ts";
import { canLimitBandwidth } from "../../../agents/network/bandwidth.ts";
import { vethOf } from "../../../agents/network/host-network.ts";
import { output } from "../containers/inside.ts";
import { newDriver } from "../containers/new-driver.ts";
import { newSpec, testPool } from "../containers/specs.ts";
import { lacks } from "../requirements.ts";

/**
 * Real packets through a container's link. More is sent at once than a limited link takes: what it has dropped is counted by the
 * kernel, so that nothing is judged by time.
 */

const PACKET_BYTES = 1_400;
/** 2.8 MB: at a megabit per second the kernel would need 22 seconds for it, and it is sent in a moment. */
const PACKETS = 2_000;
const NONE = { cpu_cores: null, memory_bytes: null, disk_bytes: null };
const canLimit = await canLimitBandwidth();

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
  /** Sends all at once to the container. */
  async function sendIn(): Promise<void> {
    const socket = createSocket("udp4");
    const packet = Buffer.alloc(PACKET_BYTES, 1);
    const sent = Array.from(
      { length: PACKETS },
      () => new Promise((resolve) => socket.send(packet, 9, spec.address, resolve)),
    );
    await Promise.all(sent);
    socket.close();
  }
  const sendOut = () =>
    output(
      pid,
      `perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(Proto => "udp", PeerAddr => "${pool.gateway}:9"); for (1..${PACKETS}) { $s->send("x" x ${PACKET_BYTES}) }'`,
    );

  test("is unlimited unless something limits it", async () => {
    expect(await driver.limit(spec)).toMatchObject({ bandwidth_mbps: null, unenforced: [] });
    expect((await queue("host")).kind).not.toBe("tbf");
    expect((await queue("container")).kind).not.toBe("tbf");
  });

  test("holds what comes in and what goes out, in a container that runs, and opens again", async () => {
    expect(await driver.limit(limited(1))).toMatchObject({ bandwidth_mbps: 1, unenforced: [] });
    await sendIn();
    const into = await queue("host");
    expect(into).toMatchObject({ kind: "tbf", options: { rate: 125_000 } });
    expect(into.drops).toBeGreaterThan(PACKETS / 2);
    await sendOut();
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
