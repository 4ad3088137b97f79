import { describe, expect, test } from "bun:test";
import { CompileError, compile, compileRemoval } from "../../../agents/firewall/compile.ts";
import type { FirewallRule } from "../../../schemas/firewall.ts";
import { firewall, newId, rule } from "./rules.ts";

const id = "0123456789abcdef01234567";
const link = { veth: "bv0123456789abc", address: "10.78.0.2" };
const text = (rules: FirewallRule[]) => compile(firewall(id, rules), link, { kind: "replace" });
const lines = (rules: FirewallRule[], chain: string) =>
  text(rules)
    .split("\n")
    .filter((line) => line.startsWith(`add rule inet fw_${id} ${chain} `))
    .map((line) => line.slice(`add rule inet fw_${id} ${chain} `.length));

describe("what a rule becomes", () => {
  const ofRule = (fields: Partial<FirewallRule>) => {
    const made = rule({ id: "a".repeat(24), ...fields });
    const line = lines([made], made.direction).find((candidate) => candidate.includes("comment"));
    return line?.replace(` counter name r_${made.id}`, "").replace(` comment "${made.id}"`, "");
  };

  test("tcp ports, ranges and networks are matched exactly as written", () => {
    expect(ofRule({ destination_port: "80,443,8000-8100", source: "10.0.0.0/8" })).toBe(
      "ip saddr 10.0.0.0/8 meta l4proto tcp th dport { 80, 443, 8000-8100 } accept",
    );
    expect(ofRule({ protocol: "udp", source_port: "53", source: "1.2.3.4", action: "drop" })).toBe(
      "ip saddr 1.2.3.4/32 meta l4proto udp th sport { 53 } drop",
    );
    expect(
      ofRule({ direction: "egress", destination: "1.2.3.4/32", destination_port: "25", action: "reject" }),
    ).toBe("ip daddr 1.2.3.4/32 meta l4proto tcp th dport { 25 } reject with tcp reset");
  });

  test("icmp4 matches its type and code, and rejects with an ICMP answer", () => {
    expect(ofRule({ protocol: "icmp4", icmp_type: "8", icmp_code: "0", action: "reject" })).toBe(
      "ip protocol icmp icmp type 8 icmp code 0 reject with icmpx type port-unreachable",
    );
    expect(ofRule({ protocol: "icmp4" })).toBe("ip protocol icmp accept");
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
    expect(places).toEqual([5, 6, 7]);
    expect(chain.slice(8)).toEqual([
      "meta l4proto tcp counter name in_default reject with tcp reset",
      "counter name in_default reject with icmpx type admin-prohibited",
    ]);
  }
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
  expect(text(rules)).not.toContain("flush");
  expect(text(rules)).toBe(text(rules.map((one) => ({ ...one, description: "" }))));
});

test("an update keeps counters and removes only those of rules that are gone", () => {
  const kept = rule({ destination_port: "80" });
  const gone = newId();
  const update = compile(firewall(id, [kept]), link, {
    kind: "update",
    counters: [`r_${kept.id}`, `r_${gone}`],
  });
  expect(update).toStartWith(
    `add table inet fw_${id}\nflush table inet fw_${id}\ndelete counter inet fw_${id} r_${gone}\n`,
  );
  expect(update).not.toContain(`delete counter inet fw_${id} r_${kept.id}`);
  expect(update).not.toContain("delete table");
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

  test("an interface, an address, a container's id and a counter", () => {
    const desired = firewall(id, []);
    const replace = { kind: "replace" } as const;
    expect(() => compile(desired, { ...link, veth: 'x" accept' }, replace)).toThrow(CompileError);
    expect(() => compile(desired, { ...link, veth: "a-name-of-16-chars" }, replace)).toThrow(CompileError);
    expect(() => compile(desired, { ...link, address: "10.78.0.2/8" }, replace)).toThrow(CompileError);
    expect(() => compile({ ...desired, container_id: "x" }, link, replace)).toThrow(CompileError);
    expect(() => compile(desired, link, { kind: "update", counters: ["r_x; drop"] })).toThrow(CompileError);
    expect(() => compileRemoval("filter; flush ruleset")).toThrow(CompileError);
  });
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
