import { quotaExceeded } from "../../../schemas/accounts/quota.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import type { FirewallRule, ReplacedRule } from "../../../schemas/hosting/firewall.ts";
import { sizeText } from "../../../system/size-text.ts";
import type { FirewallLimits } from "../../platform/settings.ts";
import { identical, type NormalRule, normalForm } from "./normal-form.ts";
import { byteCount, closes, type Firewall } from "./rules.ts";

/** What a replacement changes: rows of rules, and what the log says of it. */
export interface Replacement {
  readonly firewall: Firewall;
  readonly inserted: readonly FirewallRule[];
  /** Rules that keep their id and have another place or other fields now. */
  readonly updated: readonly FirewallRule[];
  readonly deleted: readonly FirewallRule[];
  readonly events: readonly RuleEvent[];
}

export interface RuleEvent {
  readonly type:
    | "firewall.rule_added"
    | "firewall.rule_enabled"
    | "firewall.rule_disabled"
    | "firewall.rule_removed";
  readonly rule: FirewallRule;
}

/**
 * Replaces all rules by those that are given, in their order and in one revision. A rule that is given with its id, or that is identical
 * to one that is there, keeps its id, and with it what it has counted. Where nothing differs the revision stays.
 *
 * @throws ValidationError naming the field with its place in `rules`; PRECONDITION_FAILED, QUOTA_EXCEEDED, FIREWALL_BYTE_LIMIT
 */
export function replaceRules(
  firewall: Firewall,
  asked: readonly ReplacedRule[],
  revisions: readonly number[] | null,
  newId: () => string,
  limits: FirewallLimits,
): Replacement {
  assertRevision(firewall, revisions);
  if (asked.length > limits.maxRules)
    throw quotaExceeded("firewall_rules_per_container", limits.maxRules, firewall.rules.length);
  const rules = withIds(firewall.rules, asked.map(normalFormAt), asked, newId);
  const replacement = compare(firewall, rules);
  // Rules that were there before a limit was lowered may stay.
  if (replacement.inserted.length + replacement.updated.length > 0 && byteCount(rules) > limits.maxBytes) {
    const { maxBytes: max_bytes } = limits;
    throw new DomainError("FIREWALL_BYTE_LIMIT", `the rules take more than ${sizeText(max_bytes)}`, {
      max_bytes,
    });
  }
  return replacement;
}

/** @param revisions those that the caller has seen; null: any */
function assertRevision({ revision }: Firewall, revisions: readonly number[] | null): void {
  if (revisions === null || revisions.includes(revision)) return;
  const message = `the firewall has the revision ${revision} by now: read its rules, and decide again`;
  throw new DomainError("PRECONDITION_FAILED", message, { revision });
}

function normalFormAt({ id: _id, ...rule }: ReplacedRule, index: number): NormalRule {
  const wrongSide = rule.direction === "ingress" ? "destination" : "source";
  if (rule[wrongSide] !== undefined)
    throw new ValidationError(
      `body.rules.${index}.${wrongSide}`,
      `a rule of direction ${rule.direction} has none`,
    );
  try {
    return normalForm(rule);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const field = error.field.replace(/^body\./, `body.rules.${index}.`);
    throw new ValidationError(field, error.message.slice(error.field.length + 2));
  }
}

function withIds(
  present: readonly FirewallRule[],
  rules: readonly NormalRule[],
  asked: readonly ReplacedRule[],
  newId: () => string,
): FirewallRule[] {
  const presentIds = new Set(present.map(({ id }) => id));
  const idByRule = new Map(present.map((rule) => [textOf(rule), rule.id]));
  const indexById = new Map<string, number>();
  for (const [index, { id }] of asked.entries()) {
    if (id === undefined) continue;
    const field = `body.rules.${index}.id`;
    if (!presentIds.has(id)) throw new ValidationError(field, "is no rule of this firewall");
    if (indexById.has(id)) throw new ValidationError(field, `is that of body.rules.${indexById.get(id)} too`);
    indexById.set(id, index);
  }
  const indexByRule = new Map<string, number>();
  return rules.map((rule, index) => {
    const text = textOf(rule);
    const twin = indexByRule.get(text);
    if (twin !== undefined)
      throw new ValidationError(`body.rules.${index}`, `is the same rule as body.rules.${twin}`);
    indexByRule.set(text, index);
    const own = asked[index]?.id;
    const same = idByRule.get(text);
    if (own !== undefined) return { id: own, ...rule };
    return { id: same !== undefined && !indexById.has(same) ? same : newId(), ...rule };
  });
}

/** Equal for identical rules, and for no others. */
const textOf = (rule: NormalRule): string =>
  JSON.stringify([
    rule.direction,
    rule.action,
    rule.protocol,
    rule.description,
    rule.state,
    rule.destination_port,
    rule.source_port,
    rule.source,
    rule.destination,
    rule.icmp_type,
    rule.icmp_code,
  ]);

function compare(before: Firewall, rules: readonly FirewallRule[]): Replacement {
  const former = new Map(before.rules.map((rule) => [rule.id, rule]));
  const ids = new Set(rules.map(({ id }) => id));
  const positions = Object.fromEntries(rules.map(({ id }, index) => [id, index + 1]));
  const inserted = rules.filter(({ id }) => !former.has(id));
  const deleted = before.rules.filter(({ id }) => !ids.has(id));
  const isMoved = rules.some(({ id }, index) => before.rules[index]?.id !== id);
  const updated = rules.filter((rule) => {
    const known = former.get(rule.id);
    return known !== undefined && (isMoved || !identical(known, rule));
  });
  if (inserted.length + deleted.length + updated.length === 0)
    return { firewall: before, inserted, updated, deleted, events: [] };
  return {
    firewall: {
      ...before,
      attached: true,
      closed: before.closed || rules.some(closes),
      revision: before.revision + 1,
      rules,
      positions: isMoved ? positions : before.positions,
      lastPosition: isMoved ? rules.length : before.lastPosition,
    },
    inserted,
    updated,
    deleted,
    events: [...deleted.map(removal), ...rules.flatMap((rule) => eventsOf(former.get(rule.id), rule))],
  };
}

const removal = (rule: FirewallRule): RuleEvent => ({ type: "firewall.rule_removed", rule });

/** A rule that says something else under its id is another rule to whoever reads the log. */
function eventsOf(known: FirewallRule | undefined, rule: FirewallRule): RuleEvent[] {
  const addition: RuleEvent = { type: "firewall.rule_added", rule };
  if (known === undefined) return [addition];
  if (identical(known, rule)) return [];
  if (!identical({ ...known, state: rule.state }, rule)) return [removal(known), addition];
  return [{ type: rule.state === "enabled" ? "firewall.rule_enabled" : "firewall.rule_disabled", rule }];
}
