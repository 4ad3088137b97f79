import type { Schemas } from "../../lib/api.ts";

export type Listed = Schemas["ListedRule"];
/** A rule as files hold it, and as the API takes it. */
export type Rule = Schemas["ReplaceRules"]["rules"][number];

export interface RuleDiff {
  readonly added: readonly Rule[];
  readonly removed: readonly Rule[];
  /** How many stay as they are, with their counters. */
  readonly kept: number;
}

/** A rule without its id and counters, which belong to one container. */
export const portable = ({ id, ...rule }: Listed): Rule => withoutCounters(rule);

/** A rule as a replacement keeps it. */
export const withoutCounters = <R extends Omit<Listed, "id">>({ packets: _, bytes: __, ...rule }: R) => rule;

/** @throws Error that says what is wrong with the text */
export function parseRules(text: string): Rule[] {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw new Error("This is not JSON. Export the rules of a container to see the form.");
  }
  const rules = Array.isArray(read) ? read : (read as { rules?: unknown } | null)?.rules;
  if (!Array.isArray(rules))
    throw new Error('The text holds no rules: it is a list, or has one under "rules".');
  const wrong = rules.findIndex(
    (rule) => typeof rule !== "object" || rule === null || !("direction" in rule),
  );
  if (wrong !== -1) throw new Error(`Rule ${wrong + 1} has no "direction": it is "ingress" or "egress".`);
  return rules.map(({ id: _, packets: __, bytes: ___, ...rule }) => ({ description: "", ...rule }) as Rule);
}

/** The rules as a file of the command line has them. */
export const byDirection = (rules: readonly Rule[]) => {
  const of = (wanted: Rule["direction"]) =>
    rules.filter(({ direction }) => direction === wanted).map(({ direction: _, id: __, ...rule }) => rule);
  return { ingress: of("ingress"), egress: of("egress") };
};

/** What a replacement changes. Two rules are the same when all that they say is. */
export function diffRules(present: readonly Listed[], wanted: readonly Rule[]): RuleDiff {
  const left = present.map(portable).map((rule) => ({ rule, key: keyOf(rule) }));
  const added: Rule[] = [];
  for (const { id: _, ...rule } of wanted) {
    const same = left.findIndex(({ key }) => key === keyOf(rule));
    if (same === -1) added.push(rule);
    else left.splice(same, 1);
  }
  return { added, removed: left.map(({ rule }) => rule), kept: wanted.length - added.length };
}

const keyOf = (rule: Rule): string =>
  JSON.stringify(Object.entries({ state: "enabled", ...rule }).sort(([a], [b]) => a.localeCompare(b)));

/** Whether incoming packets that no rule matches are refused: from the first enabled rule for them on. */
export const closes = (rules: readonly Rule[]): boolean =>
  rules.some(({ direction, state = "enabled" }) => direction === "ingress" && state === "enabled");
