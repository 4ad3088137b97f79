import { expect, test } from "bun:test";
import { type NormalRule, normalForm } from "../../../../actors/hosting/firewall/normal-form.ts";
import {
  addRule,
  byteCount,
  type Firewall,
  NO_FIREWALL,
  removeRules,
  reset,
  toggleRule,
} from "../../../../actors/hosting/firewall/rules.ts";
import type { FirewallLimits } from "../../../../actors/platform/settings.ts";
import { DomainError } from "../../../../schemas/errors.ts";

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
    code: "QUOTA_EXCEEDED",
    data: { quota: "firewall_rules_per_container", scope: "container", limit: 3, used: 3 },
  });
});

test("rules are kept up to their bytes, to the last one", () => {
  const rules = filled(allow("1"), allow("2"));
  const added = addRule(rules, allow("3", "é".repeat(100)), id(2), LIMITS);
  const size = byteCount(added.firewall.rules);
  expect(size).toBe(byteCount(rules.rules) + byteCount([added.rule]));
  expect(byteCount([added.rule])).toBe(
    Buffer.byteLength(JSON.stringify({ ...added.rule, state: "disabled" })),
  );
  expect(addRule(rules, allow("3", "é".repeat(100)), id(2), { ...LIMITS, maxBytes: size }).existed).toBe(
    false,
  );
  const tooFew = { ...LIMITS, maxBytes: size - 1 };
  expect(refusal(() => addRule(rules, allow("3", "é".repeat(100)), id(2), tooFew))).toEqual({
    code: "FIREWALL_BYTE_LIMIT",
    data: { max_bytes: size - 1 },
  });
});

test("the first rule that matches and is in another state is toggled; one that is left is not touched", () => {
  const firewall = filled(allow("1"), allow("2"), allow("3"));
  const first = toggleRule(firewall, "ingress", "disabled", {});
  expect(first).toMatchObject({ changed: true, rule: { id: id(0), state: "disabled" } });
  const second = toggleRule(first.firewall, "ingress", "disabled", {});
  expect(second).toMatchObject({ changed: true, rule: { id: id(1) }, firewall: { revision: 5 } });
  const again = toggleRule(second.firewall, "ingress", "disabled", { destination_port: "2" });
  expect(again).toMatchObject({ changed: false, rule: { id: id(1) } });
  expect(again.firewall).toBe(second.firewall);
  expect(refusal(() => toggleRule(firewall, "egress", "disabled", {})).code).toBe("FIREWALL_RULE_NOT_FOUND");
});

test("a toggle never makes two identical rules, nor a firewall that is larger than it may be", () => {
  const firewall = filled(allow("1"), { ...allow("1"), state: "disabled" }, allow("2"));
  const twin = () => toggleRule(firewall, "ingress", "disabled", { destination_port: "1" });
  expect(refusal(twin)).toEqual({ code: "FIREWALL_RULE_EXISTS", data: { id: id(1) } });
  const { firewall: disabled } = toggleRule(firewall, "ingress", "disabled", { destination_port: "2" });
  expect(byteCount(disabled.rules)).toBe(byteCount(firewall.rules));
});

test("the first enabled rule that matches is removed, or with all every one; the firewall stays attached", () => {
  const off: NormalRule = { ...allow("1", "off"), state: "disabled" };
  const firewall = filled(off, allow("1"), allow("2"));
  const one = removeRules(firewall, "ingress", {}, false);
  expect(one.removed.map((rule) => rule.id)).toEqual([id(1)]);
  expect(one.firewall).toMatchObject({ attached: true, revision: 4, lastPosition: 3 });
  expect(removeRules(firewall, "ingress", { state: "disabled" }, false).removed[0]?.id).toBe(id(0));
  const all = (filter: object) => removeRules(firewall, "ingress", filter, true).removed.length;
  expect([all({}), all({ protocol: "tcp" }), all({ state: "enabled" })]).toEqual([3, 2, 2]);
  const none = removeRules(firewall, "ingress", {}, true).firewall;
  expect(none).toMatchObject({ attached: true, rules: [], positions: {} });
  expect(removeRules(none, "ingress", {}, true)).toEqual({ firewall: none, removed: [] });
});

test("a reset removes everything and detaches, and one more changes nothing", () => {
  const rules = { ...filled(allow("1"), allow("2")), appliedRevision: 2, enforced: true };
  const open = reset(rules);
  expect(open).toEqual({
    ...rules,
    attached: false,
    closed: false,
    revision: 3,
    rules: [],
    positions: {},
    lastPosition: 0,
  });
  expect(reset(open)).toBe(open);
  expect(reset(NO_FIREWALL)).toBe(NO_FIREWALL);
  expect(addRule(open, allow("1"), id(5), LIMITS).firewall).toMatchObject({ attached: true, revision: 4 });
});

test("nothing is changed in place", () => {
  const before = filled(allow("1"));
  const copy = structuredClone(before);
  addRule(before, allow("2"), id(2), LIMITS);
  toggleRule(before, "ingress", "disabled", {});
  removeRules(before, "ingress", {}, true);
  reset(before);
  expect(before).toEqual(copy);
});
