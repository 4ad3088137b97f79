import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { CursorPagination, cursorQuery } from "../paging.ts";
import { Id, Strict } from "../primitives.ts";
import { sorting } from "../sorting.ts";
import { Text } from "../text.ts";

/** Firewall rules of one container (spec, control plane §2 "Firewall rule", §4.11). */

export const Direction = Type.Union([Type.Literal("ingress"), Type.Literal("egress")]);
export type Direction = Static<typeof Direction>;

export const Action = Type.Union([Type.Literal("allow"), Type.Literal("reject"), Type.Literal("drop")], {
  description: "`reject` denies with a response, `drop` denies silently",
});
export const Protocol = Type.Union([Type.Literal("tcp"), Type.Literal("udp"), Type.Literal("icmp4")]);
export const RuleState = Type.Union([Type.Literal("enabled"), Type.Literal("disabled")]);

const Ports = Text({
  minLength: 1,
  maxLength: 255,
  description: "one port, a range such as 80-90, or a comma list",
  examples: ["80,443,8000-8100"],
});
const Network = Text({
  minLength: 1,
  // The longest network has 18 characters; white space around it is accepted.
  maxLength: 64,
  description: "IPv4 address or CIDR; 0.0.0.0/0 means any",
  examples: ["10.0.0.0/8"],
});
const IcmpNumber = Type.String({ pattern: "^[0-9]{1,3}$", description: "0 to 255" });

const Description = Text({ maxLength: 255 });

const optionalProperties = {
  destination_port: Type.Optional(Ports),
  source_port: Type.Optional(Ports),
  icmp_type: Type.Optional(IcmpNumber),
  icmp_code: Type.Optional(IcmpNumber),
};
const ruleProperties = {
  action: Action,
  protocol: Protocol,
  description: Description,
  state: Type.Optional(RuleState),
  ...optionalProperties,
};
/** The other side's address: an ingress rule has a source, an egress rule a destination, and neither has both. */
const from = { source: Type.Optional(Network) };
const to = { destination: Type.Optional(Network) };

export const AddIngressRule = Strict({ ...ruleProperties, ...from });
export const AddEgressRule = Strict({ ...ruleProperties, ...to });
/** A rule of either direction as requested. */
export const AddRule = Strict({ ...ruleProperties, ...from, ...to });
export type AddRule = Static<typeof AddRule>;

/** A rule of a replacement: with the id of a rule that is there it takes that rule's place. */
const ReplacedRule = Strict({
  id: Type.Optional(Id),
  direction: Direction,
  ...ruleProperties,
  ...from,
  ...to,
});
export type ReplacedRule = Static<typeof ReplacedRule>;

/** The most that an operator may allow a container (`firewall_rules_per_container`). */
const RULES_MAX = 10_000;
export const ReplaceRules = Strict({ rules: Type.Array(ReplacedRule, { maxItems: RULES_MAX }) });

export const SetRuleState = Strict({ state: RuleState });
export const RuleParams = Strict({ id: Id, rule_id: Id });

/** A filter of rules: it matches rules that equal it in every given field, compared in normal form. */
const filterProperties = {
  action: Type.Optional(Action),
  protocol: Type.Optional(Protocol),
  description: Type.Optional(Description),
  ...optionalProperties,
};
const wanted = { state: RuleState };

export const ToggleIngressRule = Strict({ ...wanted, ...filterProperties, ...from });
export const ToggleEgressRule = Strict({ ...wanted, ...filterProperties, ...to });

const removal = {
  all: Type.Optional(Type.Boolean({ description: "remove every matching rule, and not only the first" })),
  state: Type.Optional(
    Type.Union([...RuleState.anyOf], {
      description: "`enabled` by default; with `all` and no other field, rules of both states",
    }),
  ),
};

export const RemoveIngressRules = Strict({ ...removal, ...filterProperties, ...from });
export const RemoveEgressRules = Strict({ ...removal, ...filterProperties, ...to });

export const RuleFilter = Strict({
  state: Type.Optional(RuleState),
  ...filterProperties,
  ...from,
  ...to,
});
export type RuleFilter = Static<typeof RuleFilter>;

/**
 * A rule in normal form: ports sorted and merged, networks masked, "any" left out. Two rules are identical when
 * everything but `id` and the counters is equal.
 */
export const FirewallRule = Type.Object({
  id: Id,
  direction: Direction,
  action: Action,
  protocol: Protocol,
  description: Type.String(),
  state: RuleState,
  destination_port: Type.Optional(Type.String()),
  source_port: Type.Optional(Type.String()),
  source: Type.Optional(Type.String()),
  destination: Type.Optional(Type.String()),
  icmp_type: Type.Optional(Type.String()),
  icmp_code: Type.Optional(Type.String()),
});
export type FirewallRule = Static<typeof FirewallRule>;

/** The reply of a host's agent: counters by rule, of the rules in force. */
export const FirewallCounts = Type.Record(
  Id,
  Type.Object({ packets: Type.Integer({ minimum: 0 }), bytes: Type.Integer({ minimum: 0 }) }),
);
export type FirewallCounts = Static<typeof FirewallCounts>;

const Count = (what: string) =>
  Type.Union([Type.Integer(), Type.Null()], {
    description: `${what} that this rule decided; null while it is not in force, or its host does not answer`,
  });

export const ListedRule = Type.Composite([
  FirewallRule,
  Type.Object({ packets: Count("packets"), bytes: Count("bytes") }),
]);
export type ListedRule = Static<typeof ListedRule>;

/**
 * Whether the host's kernel enforces the rules. For one revision, read through one gateway, `applied` never goes back
 * to false.
 */
export const FirewallApplied = Type.Object({
  revision: Type.Integer({
    description:
      "the revision that this is about: in the reply to a change that of the change, else the newest",
  }),
  applied_revision: Type.Integer({ description: "the highest up to `revision` that the host has applied" }),
  applied: Type.Boolean({
    description:
      "the host has applied `revision` or a later one. False: not yet, as far as is known; it catches up by itself. " +
      "For one revision it never turns from true to false on the same gateway; another gateway may learn of it a moment later",
  }),
  enforced: Type.Boolean({
    description:
      "whether the requested rules are in force. True also before the first request (`revision` 0): the container is open, as it should be. " +
      "False: rules were requested, and the host cannot filter packets, has not reported yet that it does, or found its rules changed and cannot restore them (`error` says why)",
  }),
  error: Type.Union([Type.String(), Type.Null()], { description: "why the host could not apply it" }),
});
export type FirewallApplied = Static<typeof FirewallApplied>;

/** All rules of nearly every container: an operator may allow up to 10,000. */
export const RULES_PAGE = { standard: 1_000, max: 1_000 };
/** Rules in the order in which they were added. */
export const RULES_SORT = sorting("position", { position: "integer" });
export const RulesQuery = Strict(cursorQuery(RULES_PAGE, RULES_SORT));

export const FirewallListing = Type.Object({
  ingress: Type.Array(ListedRule),
  egress: Type.Array(ListedRule),
  rule_count: Type.Integer({ description: "rules of both directions, on all pages" }),
  byte_count: Type.Integer({
    description: "size of the serialised rules; a rule has the same size in both states",
  }),
  max_rules: Type.Integer(),
  max_bytes: Type.Integer(),
  attached: Type.Boolean({
    description:
      "whether the container has a firewall, from its first rule until `reset`; `defaults` says what it closes",
  }),
  defaults: Type.Object(
    { ingress: Action, egress: Action },
    {
      description:
        "what happens to a packet that no rule matches: `allow` both ways at first; from the first enabled ingress rule on, and until " +
        "`reset`, `reject` incoming. Outgoing packets always pass unless a rule denies them",
    },
  ),
  firewall: FirewallApplied,
  pagination: CursorPagination,
});
export type FirewallListing = Static<typeof FirewallListing>;

export const FirewallListingReply = Reply(FirewallListing);
/** `data` is the new rule with `firewall`, or `{}` with the message "Rule already exists". */
export const FirewallAddReply = Reply(
  Type.Union([Type.Composite([FirewallRule, Type.Object({ firewall: FirewallApplied })]), Type.Object({})]),
);
export const FirewallToggleReply = Reply(
  Type.Object({
    direction: Direction,
    new_state: RuleState,
    updated: FirewallRule,
    firewall: FirewallApplied,
  }),
);
export const FirewallRemoveReply = Reply(
  Type.Object({
    direction: Direction,
    removed_count: Type.Integer(),
    removed: Type.Array(FirewallRule),
    firewall: FirewallApplied,
  }),
);
export const FirewallResetReply = Reply(
  Type.Object({
    rules: Type.Object({ ingress: Type.Array(FirewallRule), egress: Type.Array(FirewallRule) }),
    firewall: FirewallApplied,
  }),
);

export const FirewallReplaceReply = Reply(
  Type.Object({
    ingress: Type.Array(FirewallRule),
    egress: Type.Array(FirewallRule),
    rule_count: Type.Integer(),
    firewall: FirewallApplied,
  }),
);
