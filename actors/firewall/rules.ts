import { DomainError } from "../../schemas/errors.ts";
import type { FirewallRule } from "../../schemas/firewall.ts";
import { identical, type NormalRule } from "./normal-form.ts";

/** A container's firewall as its actor holds it. `revision` counts what its host must follow. */
export interface Firewall {
  readonly attached: boolean;
  readonly revision: number;
  readonly appliedRevision: number;
  readonly enforced: boolean;
  readonly error: string | null;
  /** In the order in which they were added. */
  readonly rules: readonly FirewallRule[];
  /** Position of the rule that was added last. */
  readonly lastPosition: number;
}

/** A container without a firewall: open. */
export const NO_FIREWALL: Firewall = {
  attached: false,
  revision: 0,
  appliedRevision: 0,
  enforced: false,
  error: null,
  rules: [],
  lastPosition: 0,
};

/** What an attached firewall does with packets that no rule matches. */
export const DEFAULTS = { ingress: "reject", egress: "allow" } as const;

export interface FirewallLimits {
  /** Rules of a container, both directions together. */
  readonly maxRules: number;
  /** Bytes of its rules as they are stored, `byteCount`. */
  readonly maxBytes: number;
}

/** Size of rules, in bytes of their JSON. */
export const byteCount = (rules: readonly FirewallRule[]): number =>
  rules.reduce((sum, rule) => sum + Buffer.byteLength(JSON.stringify(rule)), 0);

/**
 * Adds a rule, unless an identical one is there.
 * @throws FIREWALL_RULE_LIMIT, FIREWALL_BYTE_LIMIT with the limit in `data`.
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
    throw new DomainError(
      "FIREWALL_RULE_LIMIT",
      `the container has the most rules it may have, ${limits.maxRules}`,
      {
        max_rules: limits.maxRules,
      },
    );
  }
  const added: FirewallRule = { id, ...rule };
  const rules = [...firewall.rules, added];
  if (byteCount(rules) > limits.maxBytes) {
    throw new DomainError(
      "FIREWALL_BYTE_LIMIT",
      `the container's rules would grow past ${limits.maxBytes} bytes`,
      {
        max_bytes: limits.maxBytes,
      },
    );
  }
  return {
    firewall: {
      ...firewall,
      attached: true,
      revision: firewall.revision + 1,
      rules,
      lastPosition: firewall.lastPosition + 1,
    },
    rule: added,
    existed: false,
  };
}

/** Removes every rule and detaches the container, which is open from then on (spec §3 "Firewall rule"). */
export function reset(firewall: Firewall): Firewall {
  if (!firewall.attached) return firewall;
  return { ...firewall, attached: false, revision: firewall.revision + 1, rules: [], lastPosition: 0 };
}
