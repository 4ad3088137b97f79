import { describe, expect, test } from "bun:test";
import {
  compileCounterRemoval,
  compileRemoval,
  compileTable,
  compileUpdate,
  firewallTableName,
} from "../../../../agents/network/nft/compile.ts";
import { CompileError } from "../../../../agents/network/nft/text.ts";
import type { FirewallRule } from "../../../../schemas/hosting/firewall.ts";
import { firewall, rule } from "./rules.ts";

const id = "0123456789abcdef01234567";
const table = "berth_fw_test";
const endpoint = { veth: "bv0123456789abc", address: "10.78.0.2" };
const text = (rules: FirewallRule[]) => compileUpdate(table, { desired: firewall(id, rules), endpoint });
const lines = (rules: FirewallRule[], direction: FirewallRule["direction"]) => {
  const [, chain = ""] = text(rules).split(`add chain inet ${table} ${direction}_${id} {\n`);
  return chain
    .slice(0, chain.indexOf("}\n"))
    .split(";\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
};

describe("what a rule becomes", () => {
  const ofRule = (fields: Partial<FirewallRule>) => {
    const made = rule({ id: "a".repeat(24), ...fields });
    return lines([made], made.direction)
      .filter((line) => line.includes("comment"))
      .map((line) => line.replace(` counter name r_${made.id}`, "").replace(` comment "${made.id}"`, ""));
  };

  test("tcp ports, ranges and networks are matched exactly as written", () => {
    expect(ofRule({ destination_port: "80,443,8000-8100", source: "10.0.0.0/8" })).toEqual([
      "ip saddr 10.0.0.0/8 meta l4proto tcp th dport 80 accept",
      "ip saddr 10.0.0.0/8 meta l4proto tcp th dport 443 accept",
      "ip saddr 10.0.0.0/8 meta l4proto tcp th dport 8000-8100 accept",
    ]);
    expect(ofRule({ protocol: "udp", source_port: "53", source: "1.2.3.4", action: "drop" })).toEqual([
      "ip saddr 1.2.3.4/32 meta l4proto udp th sport 53 drop",
    ]);
    expect(
      ofRule({ direction: "egress", destination: "1.2.3.4/32", destination_port: "25", action: "reject" }),
    ).toEqual(["ip daddr 1.2.3.4/32 meta l4proto tcp th dport 25 reject with tcp reset"]);
  });

  test("ports of both ends are matched in every pairing, and many of them as a set", () => {
    const pairs = ofRule({ source_port: "1-9,20", destination_port: "80,443" });
    expect(pairs.toSorted()).toEqual(
      ["1-9", "20"].flatMap((from) =>
        ["443", "80"].map((to) => `meta l4proto tcp th sport ${from} th dport ${to} accept`),
      ),
    );
    expect(ofRule({ source_port: "1,2,3,4,5", destination_port: "80,443" })).toEqual([
      "meta l4proto tcp th sport { 1, 2, 3, 4, 5 } th dport { 80, 443 } accept",
    ]);
    expect(ofRule({ source_port: "53", destination_port: "1,2,3,4,5,6,7,8,9" })).toEqual([
      "meta l4proto tcp th sport 53 th dport { 1, 2, 3, 4, 5, 6, 7, 8, 9 } accept",
    ]);
  });

  test("icmp4 matches its type and code, and rejects with an ICMP answer", () => {
    expect(ofRule({ protocol: "icmp4", icmp_type: "8", icmp_code: "0", action: "reject" })).toEqual([
      "ip protocol icmp icmp type 8 icmp code 0 reject with icmpx type port-unreachable",
    ]);
    expect(ofRule({ protocol: "icmp4" })).toEqual(["ip protocol icmp accept"]);
  });
});

test("drop comes before reject, reject before allow, and the default last, however the rules were added", () => {
  const allow = rule({ destination_port: "80" });
  const reject = rule({ action: "reject", destination_port: "80" });
  const drop = rule({ action: "drop", destination_port: "80" });
  for (const order of [
    [allow, reject, drop],
    [drop, allow, reject],
    [reject, drop, allow],
  ]) {
    const chain = lines(order, "ingress");
    const places = [drop, reject, allow].map((one) => chain.findIndex((line) => line.includes(one.id)));
    expect(places).toEqual([2, 3, 4]);
    expect(chain.slice(5)).toEqual([
      `meta l4proto tcp counter name in_${id} reject with tcp reset`,
      `counter name in_${id} reject with icmpx type admin-prohibited`,
    ]);
  }
});

test("replies of UDP are matched the other way around, in the chain of the other direction, without a count", () => {
  const replies = (made: FirewallRule) => {
    const other = made.direction === "ingress" ? "egress" : "ingress";
    return lines([made], other).filter((line) => line.startsWith("ct direction reply"));
  };
  const fields = { protocol: "udp", source_port: "53", destination_port: "9000-9010" } as const;
  expect(replies(rule({ ...fields, source: "10.0.0.0/8" }))).toEqual([
    "ct direction reply ip daddr 10.0.0.0/8 meta l4proto udp th dport 53 th sport 9000-9010 accept",
    "ct direction reply meta l4proto udp drop",
  ]);
  expect(replies(rule({ ...fields, direction: "egress", destination: "1.2.3.4", action: "reject" }))).toEqual(
    [
      "ct direction reply ip saddr 1.2.3.4/32 meta l4proto udp th dport 53 th sport 9000-9010 drop",
      "ct direction reply meta l4proto udp accept",
    ],
  );
  expect(replies(rule({ destination_port: "80" }))).toEqual(["ct direction reply meta l4proto udp drop"]);
});

test("a disabled rule leaves no trace", () => {
  const off = rule({ state: "disabled", destination_port: "80" });
  expect(text([off])).not.toContain(off.id);
});

test("a rule of one direction is in the chain of that direction only", () => {
  const out = rule({ direction: "egress", destination_port: "25", action: "drop" });
  expect(lines([out], "ingress").join()).not.toContain(out.id);
  expect(lines([out], "egress").join()).toContain(out.id);
});

test("a description never enters the text", () => {
  const rules = [rule({ description: '"; flush ruleset; #', destination_port: "80" })];
  expect(text(rules)).not.toContain("ruleset");
  expect(text(rules)).toBe(text(rules.map((one) => ({ ...one, description: "" }))));
});

test("an update names nothing that belongs to another container, or to all of them", () => {
  const names = text([rule({ destination_port: "80" })]).match(/^\w+ \w+ inet \w+ \w+/gm) ?? [];
  expect(names.length).toBeGreaterThan(4);
  for (const name of names) {
    expect(name).toMatch(
      new RegExp(`^(?:flush|add) (?:chain|counter) inet ${table} (?:(?:egress|ingress|in|out)_${id}|r_)`),
    );
  }
});

describe("text that could be more than a value is refused", () => {
  const evil = '80 } accept; flush ruleset; add table inet x #"';
  const refused: [string, Partial<FirewallRule>][] = [
    ["a rule id", { id: evil }],
    ["an id with a newline", { id: `${"a".repeat(24)}\n` }],
    ["destination ports", { destination_port: evil }],
    ["source ports", { source_port: "80\n" }],
    ["a source", { source: `10.0.0.0/8 ${evil}` }],
    ["a destination", { direction: "egress", destination: "10.0.0.1;" }],
    ["an ICMP type", { protocol: "icmp4", icmp_type: "8; drop" }],
    ["an ICMP code", { protocol: "icmp4", icmp_type: "8", icmp_code: "0\n" }],
  ];
  test.each(refused)("%s", (_name, fields) => {
    expect(() => text([rule({ destination_port: "80", ...fields })])).toThrow(CompileError);
  });

  test("an interface, an address, a container's id, a counter and a table", () => {
    const desired = firewall(id, []);
    const made = (rules: Partial<typeof endpoint>, of = desired, name = table) =>
      compileTable(name, [{ desired: of, endpoint: { ...endpoint, ...rules } }]);
    expect(made({})).toContain(endpoint.veth);
    expect(() => made({ veth: 'x" accept' })).toThrow(CompileError);
    expect(() => made({ veth: "a-name-of-16-chars" })).toThrow(CompileError);
    expect(() => made({ address: "10.78.0.2/8" })).toThrow(CompileError);
    expect(() => made({}, { ...desired, container_id: "x" })).toThrow(CompileError);
    expect(() => made({}, desired, "filter")).toThrow(CompileError);
    expect(() => compileCounterRemoval(table, ["r_x; drop"])).toThrow(CompileError);
    const evil = { ...desired, container_id: "filter; flush ruleset" };
    expect(() => compileRemoval(table, { desired: evil, endpoint })).toThrow(CompileError);
  });
});

test("agents with folders of their own have tables of their own", () => {
  const tables = ["/var/lib/berth", "/var/lib/berth2"].map(firewallTableName);
  expect(new Set(tables).size).toBe(2);
  for (const name of tables) expect(compileTable(name, [])).toContain(`add table inet ${name}\n`);
});

describe("a rule that is not in normal form is refused, never widened", () => {
  const refused: [string, Partial<FirewallRule>][] = [
    ["ports backwards", { destination_port: "90-80" }],
    ["port 0", { destination_port: "0" }],
    ["port 65536", { destination_port: "65536" }],
    ["an octal-looking port", { destination_port: "080" }],
    ["empty ports", { destination_port: "" }],
    ["an octal-looking address", { source: "010.0.0.1" }],
    ["an address with a part past 255", { source: "10.0.0.256" }],
    ["a prefix past 32", { source: "10.0.0.0/33" }],
    ["IPv6", { source: "::1" }],
    ["icmp4 with ports", { protocol: "icmp4", destination_port: "80" }],
    ["an ICMP code without its type", { protocol: "icmp4", icmp_code: "0" }],
    ["an ICMP type of 256", { protocol: "icmp4", icmp_type: "256" }],
    ["tcp with an ICMP type", { icmp_type: "8" }],
    ["ingress with a destination", { destination: "10.0.0.1" }],
    ["egress with a source", { direction: "egress", source: "10.0.0.1" }],
  ];
  test.each(refused)("%s", (_name, fields) => {
    expect(() => text([rule(fields)])).toThrow(CompileError);
  });
});
