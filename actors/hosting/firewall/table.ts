import type { FirewallRule } from "../../../schemas/hosting/firewall.ts";
import { boolean, nullable, optional, safeInteger, text } from "../../runtime/columns.ts";
import { children, childTable, related, rootTable } from "../../runtime/table.ts";
import type { Firewall } from "./rules.ts";

type PositionedRule = FirewallRule & { readonly position: number };

export const firewallRuleTable = childTable<PositionedRule>("firewall_rules", {
  parent: "container_id",
  fields: {
    id: text("id"),
    position: safeInteger("position"),
    direction: text("direction"),
    action: text("action"),
    protocol: text("protocol"),
    description: text("description"),
    state: text("state"),
    destination_port: optional(text("destination_port")),
    source_port: optional(text("source_port")),
    source: optional(text("source")),
    destination: optional(text("destination")),
    icmp_type: optional(text("icmp_type")),
    icmp_code: optional(text("icmp_code")),
  },
});

const rulesInOrder = children(firewallRuleTable, { orderBy: ["position"] });

export const firewallTable = rootTable<Firewall>("firewalls", {
  key: "container_id",
  changedAt: "updated_at",
  fields: {
    attached: boolean("attached"),
    closed: boolean("closed"),
    revision: safeInteger("revision"),
    appliedRevision: safeInteger("applied_revision"),
    enforced: boolean("enforced"),
    error: nullable(text("error")),
    rules: related(rulesInOrder, (rules) => rules.map(({ position: _, ...rule }) => rule)),
    positions: related(rulesInOrder, (rules) =>
      Object.fromEntries(rules.map(({ id, position }) => [id, position])),
    ),
    lastPosition: related(rulesInOrder, (rules) => rules.at(-1)?.position ?? 0),
  },
});
