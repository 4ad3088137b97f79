import type { FirewallRule, ListedRule, ReplaceRules } from "../index.ts";
import { FileError } from "./file-error.ts";

/** Firewall rules as a file says them: `ingress` and `egress`, each a list of rules. */

const WHOLE = { path: "", line: null };

export type WantedRule = ReplaceRules["rules"][number];
type Direction = WantedRule["direction"];

const DIRECTIONS = ["ingress", "egress"] as const;
/** Fields that make a rule what it is, in the order in which they are written. */
const FIELDS = [
  "action",
  "protocol",
  "destination_port",
  "source_port",
  "source",
  "destination",
  "icmp_type",
  "icmp_code",
  "description",
  "state",
] as const;

/** The rules of a part of a file. @param file named in errors @throws FileError */
export function rulesOf(content: unknown, file: string): WantedRule[] {
  if (typeof content !== "object" || content === null)
    throw new FileError(file, WHOLE, "ingress and egress are expected, each a list of rules");
  const unknown = Object.keys(content).find((key) => !DIRECTIONS.some((one) => one === key));
  if (unknown !== undefined)
    throw new FileError(file, WHOLE, `there is no "${unknown}", only ingress and egress`);
  return DIRECTIONS.flatMap((direction) => {
    const rules: unknown = (content as Partial<Record<Direction, unknown>>)[direction] ?? [];
    if (!Array.isArray(rules)) throw new FileError(file, WHOLE, `${direction} is not a list`);
    return rules.map((rule, at) => ruleOf(rule, direction, file, `${direction}[${at}]`));
  });
}

/** The content of such a file with these rules. */
export function asFile(rules: readonly FirewallRule[]) {
  const of = (direction: Direction) => rules.filter((rule) => rule.direction === direction).map(fieldsOf);
  return { ingress: of("ingress"), egress: of("egress") };
}

/** What an application of the file changes. A rule that is in both stays, with its id and its counters. */
export function compareRules(present: readonly ListedRule[], wanted: readonly WantedRule[]) {
  const left = [...present];
  const rules = wanted.map((rule) => {
    const at = left.findIndex((one) => textOf(one) === textOf(rule));
    const [same] = at === -1 ? [] : left.splice(at, 1);
    return same === undefined ? rule : { ...rule, id: same.id };
  });
  return { rules, added: rules.filter(({ id }) => id === undefined), removed: left };
}

/** One line that a person reads: `ingress allow tcp to port 443 from 10.0.0.0/8 (web)`. */
export function textOf(rule: Omit<WantedRule, "id">): string {
  const { direction, action, protocol, description, state } = rule;
  const parts = [
    `${direction} ${action} ${protocol}`,
    rule.destination_port && `to port ${rule.destination_port}`,
    rule.source_port && `from port ${rule.source_port}`,
    rule.source && `from ${rule.source}`,
    rule.destination && `to ${rule.destination}`,
    rule.icmp_type && `type ${rule.icmp_type}`,
    rule.icmp_code && `code ${rule.icmp_code}`,
    description && `(${description})`,
    state === "disabled" && "disabled",
  ];
  return parts.filter(Boolean).join(" ");
}

function ruleOf(value: unknown, direction: Direction, file: string, where: string): WantedRule {
  if (typeof value !== "object" || value === null) throw new FileError(file, WHOLE, `${where} is not a rule`);
  const unknown = Object.keys(value).find((key) => !FIELDS.some((field) => field === key));
  if (unknown !== undefined)
    throw new FileError(file, WHOLE, `${where} has no field "${unknown}", only ${FIELDS.join(", ")}`);
  const fields = Object.entries(value).map(([key, one]) => [
    key,
    typeof one === "number" ? String(one) : one,
  ]);
  return { description: "", ...Object.fromEntries(fields), direction } as WantedRule;
}

const fieldsOf = (rule: FirewallRule) =>
  Object.fromEntries(
    FIELDS.map((field) => [field, rule[field]]).filter(
      ([field, value]) => value !== undefined && !(field === "state" && value === "enabled"),
    ),
  );
