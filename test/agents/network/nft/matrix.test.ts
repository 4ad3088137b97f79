import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { run } from "../../../../agents/exec/command.ts";
import { PacketFilter } from "../../../../agents/network/nft/apply.ts";
import type { FirewallRule } from "../../../../schemas/hosting/firewall.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { type Peer, startPeer } from "./peer.ts";
import { firewall, newId, newTable, rule } from "./rules.ts";

/** Left on afterwards: an agent on this machine may rely on it. */
const FORWARDING = "/proc/sys/net/ipv4/ip_forward";

const PORTS = { allow: 80, reject: 81, drop: 82 } as const;
const ACTIONS = ["allow", "reject", "drop"] as const;
/** Echo is answered by any machine; the others are only sent. */
const PING = "8";

/** Every action of every protocol in both directions, as real packets see it. */
describe.skipIf(lacks("root", "nft", "ip", "unshare", "nsenter"))("every action of a rule", () => {
  const id = newId();
  const table = newTable();
  const filter = new PacketFilter(table);
  let container: Peer;
  let stranger: Peer;

  beforeAll(async () => {
    writeFileSync(FORWARDING, "1");
    [container, stranger] = await Promise.all([startPeer(), startPeer()]);
    for (const peer of [container, stranger]) {
      for (const port of Object.values(PORTS)) {
        await peer.ask({ do: "listen", protocol: "tcp", port });
        await peer.ask({ do: "listen", protocol: "udp", port });
      }
    }
    // The first packets over a fresh link may be lost while its ends find each other.
    await until(
      async () =>
        (await dial("ingress", "tcp", 80)) === "open" && (await dial("egress", "tcp", 80)) === "open",
    );
  });
  afterAll(async () => {
    await filter.detach(id);
    await Promise.all([container.stop(), stranger.stop()]);
  });

  type Direction = FirewallRule["direction"];
  const ends = (direction: Direction) =>
    direction === "ingress" ? ([stranger, container] as const) : ([container, stranger] as const);
  const dial = (direction: Direction, protocol: "tcp" | "udp", port: number) => {
    const [from, to] = ends(direction);
    return from.ask({ do: protocol, host: to.address, port });
  };
  const ping = (direction: Direction) => {
    const [from, to] = ends(direction);
    return from.ask({ do: "icmp", host: to.address, type: Number(PING) });
  };
  const apply = (rules: FirewallRule[]) => filter.apply(firewall(id, rules), container);

  /** Each action for a port of its own; all ports are allowed as well, which must not matter to the two that deny. */
  const portRules = (direction: Direction, protocol: "tcp" | "udp") => [
    ...ACTIONS.map((action) =>
      rule({ direction, protocol, action, destination_port: String(PORTS[action]) }),
    ),
    rule({ direction, protocol, destination_port: "80-82" }),
    rule({ direction, protocol, destination_port: "81-82", action: "reject" }),
  ];
  const ORDERS: [string, (rules: FirewallRule[]) => FirewallRule[]][] = [
    ["first to last", (rules) => rules],
    ["last to first", (rules) => rules.toReversed()],
  ];
  const SEEN = {
    tcp: { allow: "open", reject: "ECONNREFUSED", drop: "silence" },
    udp: { allow: "echo", reject: "refused", drop: "silence" },
  } as const;

  for (const direction of ["ingress", "egress"] as const) {
    for (const [order, arrange] of ORDERS) {
      test(`${direction}, rules added ${order}: TCP and UDP are let through, refused and dropped as written`, async () => {
        await apply(arrange([...portRules(direction, "tcp"), ...portRules(direction, "udp")]));
        for (const protocol of ["tcp", "udp"] as const) {
          for (const action of ACTIONS) {
            const seen = await dial(direction, protocol, PORTS[action]);
            expect({ protocol, action, seen }).toEqual({ protocol, action, seen: SEEN[protocol][action] });
          }
        }
      });
    }

    test(`${direction}: ICMP is let through, refused and dropped as written, whatever the order`, async () => {
      const icmp = (action: FirewallRule["action"], fields: Partial<FirewallRule> = {}) =>
        rule({ direction, protocol: "icmp4", action, ...fields });
      const [allow, reject, drop] = [
        icmp("allow"),
        icmp("reject", { icmp_type: PING }),
        icmp("drop", { icmp_type: PING }),
      ];
      const cases: [string | RegExp, FirewallRule[]][] = [
        ["reply", [allow]],
        [/^unreachable 3$/, [allow, reject]],
        [/^unreachable 3$/, [reject, allow]],
        ["silence", [allow, reject, drop]],
        ["silence", [drop, reject, allow]],
        // Of another type, so it says nothing of a ping.
        ["reply", [icmp("allow", { icmp_type: PING, icmp_code: "0" }), icmp("drop", { icmp_type: "13" })]],
      ];
      for (const [seen, rules] of cases) {
        await apply(rules);
        expect(await ping(direction)).toMatch(typeof seen === "string" ? new RegExp(`^${seen}$`) : seen);
      }
    });
  }

  test("of one protocol nothing is said by a rule of another", async () => {
    await apply([
      rule({ destination_port: "80" }),
      rule({ protocol: "udp", action: "drop", destination_port: "81" }),
    ]);
    expect(await dial("ingress", "udp", 80)).not.toBe("echo");
    expect(await dial("ingress", "tcp", 81)).toBe("ECONNREFUSED");
    expect(await ping("ingress")).toStartWith("unreachable");
  });

  test("a rule for one address leaves the others as they were", async () => {
    await apply([
      rule({ destination_port: "80", source: `${stranger.address}` }),
      rule({ direction: "egress", action: "drop", destination_port: "80", destination: "192.0.2.0/24" }),
    ]);
    expect(await dial("ingress", "tcp", 80)).toBe("open");
    expect(await dial("egress", "tcp", 80)).toBe("open");
    await apply([
      rule({ destination_port: "80", source: "192.0.2.1" }),
      rule({ direction: "egress", action: "reject", destination_port: "80", destination: stranger.address }),
    ]);
    expect(await dial("ingress", "tcp", 80)).toBe("ECONNREFUSED");
    expect(await dial("egress", "tcp", 80)).toBe("ECONNREFUSED");
    expect(await dial("egress", "tcp", 81)).toBe("open");
  });

  test("a tightened egress rule cuts a flow that is already open; an identical reload keeps it", async () => {
    const [reject] = [rule({ direction: "egress", action: "reject", destination_port: "80" })];
    await apply([]);
    expect(await container.ask({ do: "open", host: stranger.address, port: 80 })).toBe("open");
    expect(await container.ask({ do: "say", text: "one" })).toBe("one");
    await apply([]);
    expect(await container.ask({ do: "say", text: "two" })).toBe("two");
    await apply([reject]);
    expect(await container.ask({ do: "say", text: "three" })).not.toBe("three");
  });

  test("root of the container's own network cannot lift its firewall", async () => {
    await apply([rule({ direction: "egress", action: "reject", destination_port: "80" })]);
    // More than any container may: it has kept no capability for its network.
    const asRoot = (...argv: string[]) => run(["nsenter", "-t", String(container.pid), "-n", ...argv]);
    await asRoot("nft", "flush", "ruleset");
    await asRoot("nft", "add", "table", "inet", table);
    await asRoot("nft", "flush", "table", "inet", table);
    await asRoot("sh", "-c", "echo 0 >/proc/sys/net/ipv4/conf/all/rp_filter");
    expect(await dial("ingress", "tcp", 80)).toBe("ECONNREFUSED");
    expect(await dial("egress", "tcp", 80)).toBe("ECONNREFUSED");
    await asRoot("ip", "link", "set", "eth0", "name", "wan");
    expect(await dial("egress", "tcp", 80)).not.toBe("open");
    await asRoot("ip", "link", "set", "wan", "name", "eth0");
  });
});
