import type { Direction, FirewallRule, RuleFilter } from "../../../schemas/hosting/firewall.ts";
import { icmpNumber, normalNetwork, normalPorts, normalSourcePorts } from "./normal-form.ts";

/**
 * Finds the rules that a change refers to (spec, control plane §4.11): those that match every given field. Fields are
 * compared in normal form; a value for "any", such as `0.0.0.0/0`, matches rules without that field.
 */

/** The given fields in normal form. The value undefined matches rules without the field. */
type NormalFilter = ReadonlyMap<keyof FirewallRule, string | undefined>;

const NORMAL: { readonly [F in keyof RuleFilter]?: (field: string, text: string) => string | undefined } = {
  destination_port: normalPorts,
  source_port: normalSourcePorts,
  source: normalNetwork,
  destination: normalNetwork,
  icmp_type: icmpNumber,
  icmp_code: icmpNumber,
};

/**
 * The predicate for a filter.
 *
 * @throws ValidationError naming the field of the body with an invalid form
 */
export function matcher(direction: Direction, filter: RuleFilter): (rule: FirewallRule) => boolean {
  const wanted = normalFilter(filter);
  return (rule) =>
    rule.direction === direction && wanted.entries().every(([field, value]) => rule[field] === value);
}

function normalFilter(filter: RuleFilter): NormalFilter {
  const given = (Object.entries(filter) as [keyof RuleFilter, string | undefined][]).filter(
    (entry): entry is [keyof RuleFilter, string] => entry[1] !== undefined,
  );
  return new Map(given.map(([field, text]) => [field, inNormalForm(field, text)]));
}

function inNormalForm(field: keyof RuleFilter, text: string): string | undefined {
  const normal = NORMAL[field];
  return normal === undefined ? text : normal(`body.${field}`, text);
}
