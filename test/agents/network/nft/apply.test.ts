import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { CommandError, run } from "../../../../agents/exec/command.ts";
import { PacketFilter } from "../../../../agents/network/nft/apply.ts";
import { NftSession } from "../../../../agents/network/nft/nft-session.ts";
import { CompileError } from "../../../../agents/network/nft/text.ts";
import type { FirewallRule } from "../../../../schemas/hosting/firewall.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { type Peer, startPeer } from "./peer.ts";
import { firewall, newId, newTable, rule } from "./rules.ts";

/** Left on afterwards: an agent on this machine may rely on it. */
const FORWARDING = "/proc/sys/net/ipv4/ip_forward";

/** Real packets: from another machine (forwarded) and from the host itself, to a container behind a table. */
describe.skipIf(lacks("root", "nft", "ip", "unshare"))("rules in the kernel", () => {
  const id = newId();
  const table = newTable();
  const session = new NftSession(temporaryFolder());
  const filter = new PacketFilter(table, session);
  let container: Peer;
  let stranger: Peer;

  beforeAll(async () => {
    writeFileSync(FORWARDING, "1");
    await until(() => session.load("# nothing\n"));
    [container, stranger] = await Promise.all([startPeer(), startPeer()]);
    for (const peer of [container, stranger]) {
      await peer.ask({ do: "listen", protocol: "tcp", port: 80 });
      await peer.ask({ do: "listen", protocol: "tcp", port: 81 });
      await peer.ask({ do: "listen", protocol: "udp", port: 53 });
    }
    // The first packets over a fresh link may be lost while its ends find each other.
    await until(async () => (await tcp(80)) !== "silence" && (await out(80)) !== "silence");
  });
  afterEach(() => filter.detach(id));
  afterAll(async () => {
    session.close();
    await Promise.all([container.stop(), stranger.stop()]);
  });

  const apply = (rules: FirewallRule[]) => filter.apply(firewall(id, rules), container);
  const fingerprintNow = async () => (await filter.inspect(id))?.fingerprint;
  const tcp = (port: number, from?: number) =>
    stranger.ask({ do: "tcp", host: container.address, port, ...(from === undefined ? {} : { from }) });
  const udp = (port: number) => stranger.ask({ do: "udp", host: container.address, port });
  const icmp = (type: number) => stranger.ask({ do: "icmp", host: container.address, type });
  const out = (port: number) => container.ask({ do: "tcp", host: stranger.address, port });

  test("a container without a firewall is open", async () => {
    expect(await tcp(80)).toBe("open");
    expect(await udp(53)).toBe("echo");
    expect(await icmp(8)).toBe("reply");
  });

  test("with an empty firewall nothing new gets in, the sender is told so, and everything gets out", async () => {
    await apply([]);
    expect(await tcp(80)).toBe("ECONNREFUSED");
    expect(await udp(53)).not.toBe("echo");
    expect(await icmp(8)).toStartWith("unreachable");
    expect(await out(80)).toBe("open");
    expect(await container.ask({ do: "udp", host: stranger.address, port: 53 })).toBe("echo");
    expect(await container.ask({ do: "icmp", host: stranger.address, type: 8 })).toBe("reply");
  });

  test("what a rule allows gets in, and nothing beside it", async () => {
    await apply([rule({ destination_port: "80" })]);
    expect(await tcp(80)).toBe("open");
    expect(await tcp(81)).toBe("ECONNREFUSED");
    expect(await udp(53)).not.toBe("echo");

    await apply([rule({ protocol: "udp", destination_port: "53" })]);
    expect(await tcp(80)).toBe("ECONNREFUSED");
    expect(await udp(53)).toBe("echo");
  });

  test("an address and a source port narrow a rule", async () => {
    await apply([rule({ destination_port: "80", source: "192.0.2.0/24" })]);
    expect(await tcp(80)).toBe("ECONNREFUSED");
    await apply([
      rule({ destination_port: "80", source: `${stranger.address}/32`, source_port: "40000-40999" }),
    ]);
    // A port of its own choice could be one of those.
    expect(await tcp(80, 43_100 + (process.pid % 800))).toBe("ECONNREFUSED");
    expect(await tcp(80, 40_100 + (process.pid % 800))).toBe("open");
  });

  test("drop is silent and wins over an allow that was added first", async () => {
    await apply([rule({ destination_port: "80-81" }), rule({ action: "drop", destination_port: "80" })]);
    expect(await tcp(80)).toBe("silence");
    expect(await tcp(81)).toBe("open");
  });

  test("reject answers at once and wins over an allow", async () => {
    await apply([rule({ destination_port: "80-81" }), rule({ action: "reject", destination_port: "80" })]);
    expect(await tcp(80)).toBe("ECONNREFUSED");
    expect(await tcp(81)).toBe("open");
  });

  test("one type of ICMP can be let in", async () => {
    await apply([rule({ protocol: "icmp4", icmp_type: "8", icmp_code: "0" })]);
    expect(await icmp(8)).toBe("reply");
    expect(await icmp(13)).toStartWith("unreachable");
  });

  test("an egress rule closes one way out and leaves the others", async () => {
    await apply([rule({ direction: "egress", action: "reject", destination_port: "80" })]);
    expect(await out(80)).toBe("ECONNREFUSED");
    expect(await out(81)).toBe("open");
    await apply([
      rule({ direction: "egress", action: "drop", destination_port: "80", destination: stranger.address }),
    ]);
    expect(await out(80)).toBe("silence");
  });

  test("a disabled rule does nothing", async () => {
    await apply([rule({ destination_port: "80", state: "disabled" })]);
    expect(await tcp(80)).toBe("ECONNREFUSED");
  });

  test("the host's own connections are held to the rules as well", async () => {
    const reach = () =>
      Bun.connect({ hostname: container.address, port: 80, socket: { data() {} } }).then(
        (socket) => {
          socket.end();
          return "open";
        },
        () => "refused",
      );
    await apply([]);
    expect(await reach()).toBe("refused");
    await apply([rule({ destination_port: "80" })]);
    expect(await reach()).toBe("open");
  });

  test("a tightened rule cuts a flow that is already open; an identical reload keeps it", async () => {
    const allow = rule({ destination_port: "80" });
    await apply([allow]);
    expect(await stranger.ask({ do: "open", host: container.address, port: 80 })).toBe("open");
    expect(await stranger.ask({ do: "say", text: "one" })).toBe("one");
    await apply([allow]);
    expect(await stranger.ask({ do: "say", text: "two" })).toBe("two");
    await apply([]);
    expect(await stranger.ask({ do: "say", text: "three" })).not.toBe("three");
  });

  test.each([
    ["in, whose answers go out", "ingress", 9_500, () => [stranger, container] as const],
    ["out, whose answers come in", "egress", 9_501, () => [container, stranger] as const],
  ] as const)(
    "a tightened rule cuts a flow of UDP that came %s, though nobody sends but who answers",
    async (_, direction, port, ends) => {
      const [subscriber, source] = ends();
      const come = async () => Number(await subscriber.ask({ do: "streamed", which: "come" }));
      const sent = async () => Number(await source.ask({ do: "streamed", which: "sent" }));
      const flow = { direction, protocol: "udp", destination_port: String(port) } as const;
      const allow = rule({ ...flow, action: "allow" });
      const before = await come();
      await source.ask({ do: "stream", port });
      await apply([allow]);
      await subscriber.ask({ do: "subscribe", host: source.address, port });
      await until(async () => (await come()) > before + 20);
      await apply([allow]);
      const kept = await come();
      await until(async () => (await come()) > kept + 20);

      await apply([rule({ ...flow, action: "drop" })]);
      // What was under way has come.
      const passed = await sent();
      await until(async () => (await sent()) > passed + 20);
      const [sentThen, comeThen] = [await sent(), await come()];
      await until(async () => (await sent()) > sentThen + 100);
      expect(await come()).toBe(comeThen);
    },
  );

  test("names are the host's service to every container, whatever its rules say", async () => {
    const server = await Bun.udpSocket({
      hostname: container.gateway,
      port: 53,
      socket: { data: (socket, bytes, port, address) => void socket.send(bytes, port, address) },
    });
    const ask = () => container.ask({ do: "udp", host: container.gateway, port: 53 });
    await apply([rule({ direction: "egress", protocol: "udp", action: "drop" })]);
    expect(await ask()).toBe("echo");
    server.close();
    expect(await container.ask({ do: "udp", host: stranger.address, port: 53 })).not.toBe("echo");
  });

  test("replies of UDP pass as far as the rules for their flows say", async () => {
    await apply([
      rule({ protocol: "udp", destination_port: "53", source: `${stranger.address}/32` }),
      rule({ direction: "egress", protocol: "udp", destination_port: "1-52", action: "drop" }),
    ]);
    expect(await udp(53)).toBe("echo");
    expect(await container.ask({ do: "udp", host: stranger.address, port: 53 })).toBe("echo");
    await apply([rule({ protocol: "udp", destination_port: "53", source: "192.0.2.0/24" })]);
    expect(await udp(53)).not.toBe("echo");
  });

  test("text that nft refuses changes nothing, not even its good lines", async () => {
    await apply([rule({ destination_port: "80" })]);
    const fingerprint = await fingerprintNow();
    const bad = `flush chain inet ${table} ingress_${id}\nadd rule inet ${table} ingress_${id} no such thing\n`;
    await expect(filter.load(bad)).rejects.toThrow(CommandError);
    await expect(apply([rule({ destination_port: "90-80" })])).rejects.toThrow(CompileError);
    expect(await fingerprintNow()).toBe(fingerprint);
    expect(await tcp(80)).toBe("open");
    expect(await tcp(81)).toBe("ECONNREFUSED");
  });

  test("a rule's counts survive a change of the other rules, and a removed rule's counter goes", async () => {
    const counted = rule({ destination_port: "80" });
    const other = rule({ destination_port: "81" });
    await apply([counted, other]);
    await tcp(80);
    const before = (await filter.counts(id))[counted.id];
    expect(before?.packets).toBeGreaterThan(0);
    expect(before?.bytes).toBeGreaterThan(before?.packets ?? Infinity);
    await apply([counted]);
    expect((await filter.counts(id))[counted.id]?.packets).toBeGreaterThanOrEqual(
      before?.packets ?? Infinity,
    );
    expect(Object.keys(await filter.counts(id))).toEqual([counted.id]);
  });

  test("a rule's counts survive a table that someone else removed, and a new agent", async () => {
    const counted = rule({ destination_port: "80" });
    const desired = firewall(id, [counted]);
    await filter.apply(desired, container);
    await tcp(80);
    await filter.peek(id);
    const { packets = 0 } = (await filter.counts(id))[counted.id] ?? {};
    expect(packets).toBeGreaterThan(0);
    const now = async (reader = filter) => (await reader.counts(id))[counted.id]?.packets;
    await run(["nft", "delete", "table", "inet", table]);
    await filter.restore(desired, container);
    expect(await now()).toBeGreaterThanOrEqual(packets);

    const next = new PacketFilter(table);
    await filter.load(`insert rule inet ${table} ingress_${id} accept\n`);
    await next.inspect(id);
    await next.restore(desired, container);
    expect(await now(next)).toBeGreaterThanOrEqual(packets);
  });

  test("counting packets does not change a table's fingerprint; any change of the table does", async () => {
    const desired = firewall(id, [rule({ destination_port: "80" })]);
    await filter.apply(desired, container);
    const fingerprint = await fingerprintNow();
    const now = async () => (await filter.peek(id))?.fingerprint;
    await tcp(80);
    expect(await now()).toBe(fingerprint);
    for (const tamper of [
      `insert rule inet ${table} ingress_${id} accept`,
      `flush chain inet ${table} ingress_${id}`,
      `insert rule inet ${table} ingress_common accept`,
      `insert rule inet ${table} forward_to accept`,
      `flush chain inet ${table} forward_from`,
      `flush chain inet ${table} output\ndelete chain inet ${table} output`,
      `delete element inet ${table} ingress_by_iface { "${container.veth}" }`,
      `delete element inet ${table} egress_by_iface { "${container.veth}" }\nadd element inet ${table} egress_by_iface { "${container.veth}" : accept }`,
      `add table inet ${table} { flags dormant; }`,
      `add chain inet ${table} before { type filter hook forward priority -5; policy accept; }`,
      `delete table inet ${table}`,
    ]) {
      await filter.load(`${tamper}\n`);
      expect({ tamper, seen: (await now()) !== fingerprint }).toEqual({ tamper, seen: true });
      await filter.restore(desired, container);
      expect(await now()).toBe(fingerprint);
    }
  });

  test("a table that someone tampered with is put back as it was", async () => {
    const desired = firewall(id, [rule({ destination_port: "80" })]);
    await filter.apply(desired, container);
    const fingerprint = await fingerprintNow();
    await filter.load(`insert rule inet ${table} ingress_${id} accept\n`);
    expect(await tcp(81)).toBe("open");
    await filter.restore(desired, container);
    expect(await fingerprintNow()).toBe(fingerprint);
    expect(await tcp(81)).toBe("ECONNREFUSED");

    await run(["nft", "delete", "table", "inet", table]);
    expect(await tcp(81)).toBe("open");
    await filter.apply(desired, container);
    expect(await fingerprintNow()).toBe(fingerprint);
    expect(await tcp(81)).toBe("ECONNREFUSED");
  });

  test("rules that are applied before the link exists are in force from its first packet", async () => {
    const late = await startPeer({ linked: false });
    const lateId = newId();
    try {
      await late.ask({ do: "listen", protocol: "tcp", port: 80 });
      await filter.apply(firewall(lateId, []), late);
      await late.link();
      expect(await stranger.ask({ do: "tcp", host: late.address, port: 80 })).toBe("ECONNREFUSED");
    } finally {
      await filter.detach(lateId);
      await late.stop();
    }
  });

  test("a container that has a firewall cannot send under another address", async () => {
    const other = container.address.replace(/[0-9]+$/, "200");
    await run([
      "nsenter",
      "-t",
      String(container.pid),
      "-n",
      "ip",
      "addr",
      "add",
      `${other}/32`,
      "dev",
      "eth0",
    ]);
    const send = () => container.ask({ do: "send", host: stranger.address, port: 53, as: other });
    await send();
    await until(async () => (await stranger.ask({ do: "heard", from: other })) === "1");
    await apply([]);
    await send();
    await send();
    // What was sent after it under its own address has arrived, so the others would have too.
    expect(await container.ask({ do: "udp", host: stranger.address, port: 53 })).toBe("echo");
    expect(await stranger.ask({ do: "heard", from: other })).toBe("1");
  });

  test("detach leaves no table, and is fine when there is none", async () => {
    await apply([]);
    await filter.detach(id);
    await filter.detach(id);
    expect(await filter.inspect(id)).toBeNull();
    expect(await tcp(80)).toBe("open");
  });
});
