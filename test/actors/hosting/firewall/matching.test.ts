import { expect, test } from "bun:test";
import { matcher } from "../../../../actors/hosting/firewall/matching.ts";
import { ValidationError } from "../../../../schemas/errors.ts";
import type { FirewallRule, RuleFilter } from "../../../../schemas/hosting/firewall.ts";

const rule: FirewallRule = {
  id: "0".repeat(24),
  direction: "ingress",
  action: "allow",
  protocol: "tcp",
  description: "web",
  state: "enabled",
  destination_port: "80-81,443",
  source: "10.0.0.0/8",
};
const open: FirewallRule = { ...rule, protocol: "icmp4", icmp_type: "8", icmp_code: "0" };
delete open.destination_port;
delete open.source;

const matches = (filter: RuleFilter, of = rule) => matcher("ingress", filter)(of);

test("without a field every rule of the direction is meant, and none of the other", () => {
  expect(matches({})).toBe(true);
  expect(matcher("egress", {})(rule)).toBe(false);
});

const SAME: RuleFilter[] = [
  { destination_port: "443, 81,80" },
  { source: "10.0.0.5/8" },
  { source_port: "1-65535" },
  { destination: "0.0.0.0/0" },
  { description: "web", action: "allow", protocol: "tcp", state: "enabled" },
];
test.each(SAME)("%j means the rule, however it is written", (filter) => {
  expect(matches(filter)).toBe(true);
});

const OTHER: RuleFilter[] = [
  { destination_port: "80" },
  { source: "10.0.0.0/9" },
  { source: "0.0.0.0/0" },
  { source_port: "80" },
  { description: "" },
  { action: "allow", protocol: "udp" },
  { state: "disabled" },
  { icmp_type: "8" },
];
test.each(OTHER)("%j means another rule", (filter) => {
  expect(matches(filter)).toBe(false);
});

test("any address, and the number of an ICMP message, are compared by what they mean", () => {
  expect(matches({ source: "0.0.0.0/0", icmp_type: "8", icmp_code: "0" }, open)).toBe(true);
  expect(matches({ source: "10.0.0.0/8" }, open)).toBe(false);
  expect(matches({ icmp_code: "1" }, open)).toBe(false);
});

const WRONG: [string, RuleFilter][] = [
  ["destination_port", { destination_port: "90-80" }],
  ["source_port", { source_port: "080" }],
  ["source", { source: "::1" }],
  ["destination", { destination: "1.2.3.4/33" }],
  ["icmp_type", { icmp_type: "256" }],
];
test.each(WRONG)("a %s that no rule can have is refused by name", (field, filter) => {
  try {
    matcher("ingress", filter);
  } catch (error) {
    expect((error as ValidationError).field).toBe(`body.${field}`);
    expect(error).toBeInstanceOf(ValidationError);
    return;
  }
  throw new Error("it was taken");
});
