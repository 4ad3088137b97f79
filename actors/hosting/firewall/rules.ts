import { quotaExceeded } from "../../../schemas/accounts/quota.ts";
import { DomainError } from "../../../schemas/errors.ts";
import type { FirewallStatus } from "../../../schemas/hosting/desired.ts";
import type { Direction, FirewallRule, RuleFilter } from "../../../schemas/hosting/firewall.ts";
import { sizeText } from "../../../system/size-text.ts";
import type { FirewallLimits } from "../../platform/settings.ts";
import { matcher } from "./matching.ts";
import { identical, type NormalRule } from "./normal-form.ts";

/** A container's firewall as its actor holds it. `revision` counts the changes that its host must apply. */
export interface Firewall {
  readonly attached: boolean;
  /** Incoming packets that no rule allows are rejected: from the first enabled ingress rule until a reset. */
  readonly closed: boolean;
  readonly revision: number;
  readonly appliedRevision: number;
  readonly enforced: boolean;
  readonly error: string | null;
  /** In the order in which they were added. */
  readonly rules: readonly FirewallRule[];
  /** The position of each rule, by its id, which stores that order. */
  readonly positions: Readonly<Record<string, number>>;
  /** Position of the rule that was added last. */
  readonly lastPosition: number;
}

/** A container without a firewall: open. */
export const NO_FIREWALL: Firewall = {
  attached: false,
  closed: false,
  revision: 0,
  appliedRevision: 0,
  enforced: false,
  error: null,
  rules: [],
  positions: {},
  lastPosition: 0,
};

/** The defaults for packets that no rule matches. Egress rules and disabled rules do not change them. */
export const defaultsOf = ({ closed }: Firewall) =>
  ({ ingress: closed ? "reject" : "allow", egress: "allow" }) as const;

/** Whether a rule rejects incoming packets that no rule allows. */
export const closes = ({ direction, state }: Pick<FirewallRule, "direction" | "state">): boolean =>
  direction === "ingress" && state === "enabled";

/**
 * The size of rules, in bytes of their JSON. Each counts in the longer of its two states, so that the limit never
 * prevents disabling a rule.
 */
export const byteCount = (rules: readonly FirewallRule[]): number =>
  rules.reduce((sum, rule) => sum + Buffer.byteLength(JSON.stringify({ ...rule, state: "disabled" })), 0);

/**
 * Adds a rule, unless an identical one exists. @throws QUOTA_EXCEEDED, FIREWALL_BYTE_LIMIT with the limit in `data`.
 */
export function addRule(
  firewall: Firewall,
  rule: NormalRule,
  id: string,
  limits: FirewallLimits,
): { firewall: Firewall; rule: FirewallRule; existed: boolean } {
  const existing = firewall.rules.find((other) => identical(other, rule));
  if (existing !== undefined) return { firewall, rule: existing, existed: true };
  if (firewall.rules.length >= limits.maxRules) {
    throw quotaExceeded("firewall_rules_per_container", limits.maxRules, firewall.rules.length);
  }
  const added: FirewallRule = { id, ...rule };
  const rules = [...firewall.rules, added];
  if (byteCount(rules) > limits.maxBytes) {
    throw new DomainError(
      "FIREWALL_BYTE_LIMIT",
      `the container's rules would grow past ${sizeText(limits.maxBytes)}`,
      {
        max_bytes: limits.maxBytes,
      },
    );
  }
  const position = firewall.lastPosition + 1;
  return {
    firewall: {
      ...firewall,
      attached: true,
      closed: firewall.closed || closes(added),
      revision: firewall.revision + 1,
      rules,
      positions: { ...firewall.positions, [id]: position },
      lastPosition: position,
    },
    rule: added,
    existed: false,
  };
}

/**
 * Enables or disables a rule: the first that matches and is not in that state yet. If all matching rules are in that
 * state, nothing changes and the first of them is returned.
 *
 * @throws FIREWALL_RULE_NOT_FOUND when none matches; FIREWALL_RULE_EXISTS when it would become identical to another
 * one
 */
export function toggleRule(
  firewall: Firewall,
  direction: Direction,
  state: FirewallRule["state"],
  filter: RuleFilter,
): { firewall: Firewall; rule: FirewallRule; changed: boolean } {
  const matching = firewall.rules.filter(matcher(direction, filter));
  const found = matching.find((rule) => rule.state !== state);
  if (found !== undefined) return setRuleState(firewall, found.id, state);
  const [first] = matching;
  if (first === undefined)
    throw new DomainError("FIREWALL_RULE_NOT_FOUND", "No rule of this direction matches");
  return { firewall, rule: first, changed: false };
}

/** Enables or disables the rule of this id. @throws as `toggleRule` */
export function setRuleState(
  firewall: Firewall,
  id: string,
  state: FirewallRule["state"],
): { firewall: Firewall; rule: FirewallRule; changed: boolean } {
  const found = ruleOf(firewall, id);
  if (found.state === state) return { firewall, rule: found, changed: false };
  const rule = { ...found, state };
  const twin = firewall.rules.find((other) => identical(other, rule));
  if (twin !== undefined) {
    throw new DomainError("FIREWALL_RULE_EXISTS", `an identical rule is ${state} already`, { id: twin.id });
  }
  const rules = firewall.rules.map((other) => (other === found ? rule : other));
  const closed = firewall.closed || closes(rule);
  return { firewall: { ...firewall, closed, revision: firewall.revision + 1, rules }, rule, changed: true };
}

/** Removes the first rule that matches, or all that do: maybe none. The firewall stays attached, with or without rules. */
export function removeRules(
  firewall: Firewall,
  direction: Direction,
  filter: RuleFilter,
  all: boolean,
): { firewall: Firewall; removed: FirewallRule[] } {
  const isWhole = all && Object.values(filter).every((value) => value === undefined);
  // Disabled rules are kept for later: they are removed only on explicit request, or with everything.
  const asked: RuleFilter = isWhole ? {} : { ...filter, state: filter.state ?? "enabled" };
  const matching = firewall.rules.filter(matcher(direction, asked));
  const removed = all ? matching : matching.slice(0, 1);
  if (removed.length === 0) return { firewall, removed };
  return { firewall: without(firewall, removed), removed };
}

/** Removes the rule of this id. @throws FIREWALL_RULE_NOT_FOUND */
export function removeRule(firewall: Firewall, id: string): { firewall: Firewall; rule: FirewallRule } {
  const rule = ruleOf(firewall, id);
  return { firewall: without(firewall, [rule]), rule };
}

function ruleOf({ rules }: Firewall, id: string): FirewallRule {
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined)
    throw new DomainError("FIREWALL_RULE_NOT_FOUND", "No rule of this firewall has this id");
  return rule;
}

function without(firewall: Firewall, removed: readonly FirewallRule[]): Firewall {
  const rules = firewall.rules.filter((rule) => !removed.includes(rule));
  const positions = Object.fromEntries(rules.map(({ id }) => [id, firewall.positions[id] ?? 0]));
  return { ...firewall, revision: firewall.revision + 1, rules, positions };
}

/** Removes every rule and detaches the container, which is open from then on (spec §3 "Firewall rule"). */
export function reset(firewall: Firewall): Firewall {
  if (!firewall.attached) return firewall;
  return {
    ...firewall,
    attached: false,
    closed: false,
    revision: firewall.revision + 1,
    rules: [],
    positions: {},
    lastPosition: 0,
  };
}

/** Applies a host's report. A revision that does not exist yet is ignored. */
export function report(firewall: Firewall, status: Omit<FirewallStatus, "reported_at">): Firewall {
  const appliedRevision = Math.min(Math.max(status.revision, firewall.appliedRevision), firewall.revision);
  const { enforced, error } = status;
  const same =
    appliedRevision === firewall.appliedRevision &&
    enforced === firewall.enforced &&
    error === firewall.error;
  return same ? firewall : { ...firewall, appliedRevision, enforced, error };
}
