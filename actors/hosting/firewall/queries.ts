import type { DesiredFirewall } from "../../../schemas/hosting/desired.ts";
import type {
  Direction,
  FirewallApplied,
  FirewallListing,
  FirewallRule,
  ListedRule,
  RULES_SORT,
} from "../../../schemas/hosting/firewall.ts";
import type { PageOf, Position } from "../../../schemas/paging.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { FirewallLimits } from "../../platform/settings.ts";
import type { CarriedFirewall } from "../host/desired.ts";
import { byteCount, defaultsOf, type Firewall, NO_FIREWALL } from "./rules.ts";
import { firewallTable } from "./table.ts";

/**
 * The desired state of these containers' firewalls. A container without a record is open.
 *
 * @param carried rules that came along and need not be read, by container
 */
export async function readDesiredFirewalls(
  db: Sql,
  containerIds: readonly string[],
  carried: ReadonlyMap<string, CarriedFirewall> = new Map(),
): Promise<DesiredFirewall[]> {
  const unknown = containerIds.filter((id) => !carried.has(id));
  const [firewalls, placements] = await Promise.all([
    unknown.length === 0 ? new Map<string, never>() : firewallTable.load(db, unknown),
    db<{ id: string; server_name: string }[]>`
      SELECT id, server_name FROM containers WHERE id = ANY (${[...containerIds]}::text[])`,
  ]);
  return placements.flatMap(({ id, server_name }) => {
    const firewall = carried.get(id) ?? firewalls.get(id)?.state;
    if (firewall === undefined) return [];
    const { revision, attached, closed, rules } = firewall;
    return [{ revision, server_name, container_id: id, attached, closed, rules: [...rules] }];
  });
}

/** The revision of a container's firewall; 0: it never had one. */
export async function readFirewallRevision(db: Sql, containerId: string): Promise<number> {
  const [row] = await db<
    { revision: bigint }[]
  >`SELECT revision FROM firewalls WHERE container_id = ${containerId}`;
  return Number(row?.revision ?? 0n);
}

/** A page of a container's rules (spec §4.11). Only the host has their counters. */
export async function readFirewall(
  db: Sql,
  containerId: string,
  limits: FirewallLimits,
  page: PageOf<typeof RULES_SORT>,
): Promise<Omit<FirewallListing, "pagination"> & { next: Position | undefined }> {
  const firewall = (await firewallTable.load(db, [containerId])).get(containerId)?.state ?? NO_FIREWALL;
  const positionOf = ({ id }: FirewallRule) => firewall.positions[id] ?? 0;
  const inOrder = page.sort.order === "asc" ? firewall.rules : firewall.rules.toReversed();
  const isLeft = ({ value }: Position, rule: FirewallRule) =>
    page.sort.order === "asc" ? positionOf(rule) > Number(value) : positionOf(rule) < Number(value);
  const left = inOrder.filter((rule) => page.after === undefined || isLeft(page.after, rule));
  const rules = left.slice(0, page.limit);
  const last = rules.at(-1);
  return {
    ingress: uncounted("ingress", rules),
    egress: uncounted("egress", rules),
    next:
      left.length > rules.length && last !== undefined
        ? { value: String(positionOf(last)), id: last.id }
        : undefined,
    rule_count: firewall.rules.length,
    byte_count: byteCount(firewall.rules),
    max_rules: limits.maxRules,
    max_bytes: limits.maxBytes,
    attached: firewall.attached,
    defaults: defaultsOf(firewall),
    firewall: appliedOf(firewall),
  };
}

const uncounted = (direction: Direction, rules: readonly FirewallRule[]): ListedRule[] =>
  rules
    .filter((rule) => rule.direction === direction)
    .map((rule) => ({ ...rule, packets: null, bytes: null }));

const appliedOf = (firewall: Firewall): FirewallApplied => ({
  revision: firewall.revision,
  applied_revision: firewall.appliedRevision,
  applied: firewall.appliedRevision >= firewall.revision,
  // Without any change so far, an open container is what was asked for.
  enforced: firewall.revision === 0 || firewall.enforced,
  error: firewall.error,
});
