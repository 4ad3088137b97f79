import { expect, test } from "bun:test";
import { type NormalRule, normalForm } from "../../../actors/firewall/normal-form.ts";
import {
  addRule,
  byteCount,
  type Firewall,
  type FirewallLimits,
  NO_FIREWALL,
  reset,
} from "../../../actors/firewall/rules.ts";
import { DomainError } from "../../../schemas/errors.ts";

const LIMITS: FirewallLimits = { maxRules: 3, maxBytes: 1_000 };

const allow = (port: string, description = ""): NormalRule =>
  normalForm({ direction: "ingress", action: "allow", protocol: "tcp", description, destination_port: port });
const id = (n: number) => String(n).padStart(24, "0");

function filled(...rules: NormalRule[]): Firewall {
  return rules.reduce((firewall, rule, i) => addRule(firewall, rule, id(i), LIMITS).firewall, NO_FIREWALL);
}

function refusal(run: () => unknown): { code: string; data: unknown } {
  try {
    run();
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, data: error.data };
    throw error;
  }
  throw new Error("it was not refused");
}

test("the first rule attaches the firewall, and each rule is a revision", () => {
  const { firewall, rule, existed } = addRule(NO_FIREWALL, allow("80"), id(1), LIMITS);
  expect(firewall).toMatchObject({ attached: true, revision: 1, appliedRevision: 0, lastPosition: 1 });
  expect(rule).toEqual({ id: id(1), ...allow("80") });
  expect(existed).toBe(false);
  expect(filled(allow("80"), allow("81"))).toMatchObject({ revision: 2, lastPosition: 2 });
});

test("an identical rule changes nothing, whatever the limits are", () => {
  const full = filled(allow("1"), allow("2"), allow("3"));
  const again = addRule(full, allow("2"), id(9), LIMITS);
  expect(again).toEqual({ firewall: full, rule: { id: id(1), ...allow("2") }, existed: true });
  expect(again.firewall).toBe(full);
});

test("rules are kept up to their number, of both directions together", () => {
  const egress = normalForm({ ...allow("1"), direction: "egress" });
  const full = filled(allow("1"), egress, allow("3"));
  expect(full.rules).toHaveLength(3);
  expect(refusal(() => addRule(full, allow("4"), id(9), LIMITS))).toEqual({
    code: "FIREWALL_RULE_LIMIT",
    data: { max_rules: 3 },
  });
});

test("rules are kept up to their bytes, to the last one", () => {
  const rules = filled(allow("1"), allow("2"));
  const added = addRule(rules, allow("3", "é".repeat(100)), id(2), LIMITS);
  const size = byteCount(added.firewall.rules);
  expect(size).toBe(byteCount(rules.rules) + Buffer.byteLength(JSON.stringify(added.rule)));
  expect(addRule(rules, allow("3", "é".repeat(100)), id(2), { ...LIMITS, maxBytes: size }).existed).toBe(
    false,
  );
  const tooFew = { ...LIMITS, maxBytes: size - 1 };
  expect(refusal(() => addRule(rules, allow("3", "é".repeat(100)), id(2), tooFew))).toEqual({
    code: "FIREWALL_BYTE_LIMIT",
    data: { max_bytes: size - 1 },
  });
});

test("a reset removes everything and detaches, and one more changes nothing", () => {
  const rules = { ...filled(allow("1"), allow("2")), appliedRevision: 2, enforced: true };
  const open = reset(rules);
  expect(open).toEqual({ ...rules, attached: false, revision: 3, rules: [], lastPosition: 0 });
  expect(reset(open)).toBe(open);
  expect(reset(NO_FIREWALL)).toBe(NO_FIREWALL);
  expect(addRule(open, allow("1"), id(5), LIMITS).firewall).toMatchObject({ attached: true, revision: 4 });
});

test("nothing is changed in place", () => {
  const before = filled(allow("1"));
  const copy = structuredClone(before);
  addRule(before, allow("2"), id(2), LIMITS);
  reset(before);
  expect(before).toEqual(copy);
});
