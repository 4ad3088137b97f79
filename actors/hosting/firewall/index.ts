import { Type } from "@sinclair/typebox";
import { serverAudience } from "../../../schemas/audiences.ts";
import type { EventType } from "../../../schemas/events.ts";
import { FirewallStatus } from "../../../schemas/hosting/desired.ts";
import {
  AddRule,
  Direction,
  FirewallRule,
  ReplaceRules,
  RuleFilter,
  RuleState,
} from "../../../schemas/hosting/firewall.ts";
import { Id, Nullable, Strict } from "../../../schemas/primitives.ts";
import { recordEvent } from "../../platform/record-event.ts";
import type { FirewallLimits } from "../../platform/settings.ts";
import { actor, type Context, command, type Row } from "../../runtime/definition.ts";
import { DESIRED_TOPIC, type DesiredRef } from "../host/desired.ts";
import { normalForm } from "./normal-form.ts";
import { replaceRules } from "./replace.ts";
import {
  addRule,
  byteCount,
  type Firewall,
  NO_FIREWALL,
  removeRule,
  removeRules,
  report,
  reset,
  setRuleState,
  toggleRule,
} from "./rules.ts";
import { firewallRuleTable, firewallTable } from "./table.ts";

/** Rules up to this size go along with their effect. Larger ones are read when they are published: each effect is a row of the outbox. */
const CARRIED_BYTES_MAX = 8 * 1024;

type State = Firewall | null;
type Ctx = Context<State>;

/** The owner of the log for the events, and the caller, whose access the gateway has checked. */
const Owner = { user_id: Id, project_id: Id, server_id: Id, by: Type.Optional(Id) };

const AddInput = Strict({ ...Owner, direction: Direction, rule: AddRule });
const ToggleInput = Strict({ ...Owner, direction: Direction, state: RuleState, filter: RuleFilter });
const RemoveInput = Strict({ ...Owner, direction: Direction, all: Type.Boolean(), filter: RuleFilter });
/** `revisions`: those that the caller has seen; null: any. */
const ReplaceInput = Strict({
  ...Owner,
  revisions: Nullable(Type.Array(Type.Integer())),
  ...ReplaceRules.properties,
});
const RuleRef = { ...Owner, rule_id: Id };
const ReportInput = Strict({ ...Owner, status: FirewallStatus });
const Revision = Type.Object({ revision: Type.Integer() });

/** Firewalls. Keyed by container. */
export const firewallActor = (limits: FirewallLimits) =>
  actor("firewall", {
    table: firewallTable,
    empty: (): State => null,
    on: {
      add_rule: command(
        AddInput,
        Type.Object({ rule: FirewallRule, existed: Type.Boolean(), revision: Type.Integer() }),
        (state: State, input, ctx: Ctx) => {
          const before = state ?? NO_FIREWALL;
          const rule = normalForm({ ...input.rule, direction: input.direction });
          const added = addRule(before, rule, ctx.newId(), limits);
          if (!added.existed) {
            ctx.setState(added.firewall);
            ctx.insert("firewall_rules", ruleRow(ctx.actorId, added.firewall, added.rule));
            publishFirewall(ctx, added.firewall);
            if (!before.attached) recordFirewallEvent(ctx, "firewall.attached", input, {});
            recordFirewallEvent(ctx, "firewall.rule_added", input, { rule: added.rule });
          }
          return { rule: added.rule, existed: added.existed, revision: added.firewall.revision };
        },
        // The same key and rule is the same request, also when the container has another owner by the time of a replay.
        { fingerprint: ({ direction, rule }) => JSON.stringify([direction, rule]) },
      ),

      toggle_rule: command(
        ToggleInput,
        Type.Object({ rule: FirewallRule, revision: Type.Integer() }),
        (state: State, input, ctx: Ctx) => {
          const { firewall, rule, changed } = toggleRule(
            state ?? NO_FIREWALL,
            input.direction,
            input.state,
            input.filter,
          );
          if (changed) saveToggled(ctx, input, firewall, rule);
          return { rule, revision: firewall.revision };
        },
        { fingerprint: ({ direction, state, filter }) => JSON.stringify([direction, state, filter]) },
      ),

      remove_rules: command(
        RemoveInput,
        Type.Object({ removed: Type.Array(FirewallRule), revision: Type.Integer() }),
        (state: State, input, ctx: Ctx) => {
          const { direction, filter, all } = input;
          const { firewall, removed } = removeRules(state ?? NO_FIREWALL, direction, filter, all);
          if (removed.length === 0) return { removed, revision: firewall.revision };
          saveRemoved(ctx, input, firewall, removed);
          return { removed, revision: firewall.revision };
        },
        { fingerprint: ({ direction, all, filter }) => JSON.stringify([direction, all, filter]) },
      ),

      /** All rules in one revision, which their host applies as a whole. */
      replace_rules: command(
        ReplaceInput,
        Type.Object({ rules: Type.Array(FirewallRule), revision: Type.Integer() }),
        (state: State, input, ctx: Ctx) => {
          const before = state ?? NO_FIREWALL;
          const replaced = replaceRules(before, input.rules, input.revisions, ctx.newId, limits);
          const { firewall } = replaced;
          if (firewall !== before) {
            ctx.setState(firewall);
            for (const { id } of replaced.deleted) ctx.remove("firewall_rules", { id });
            for (const rule of replaced.inserted)
              ctx.insert("firewall_rules", ruleRow(ctx.actorId, firewall, rule));
            for (const rule of replaced.updated)
              ctx.update("firewall_rules", ruleRow(ctx.actorId, firewall, rule));
            publishFirewall(ctx, firewall);
            if (!before.attached) recordFirewallEvent(ctx, "firewall.attached", input, {});
            for (const { type, rule } of replaced.events) recordFirewallEvent(ctx, type, input, { rule });
          }
          return { rules: [...firewall.rules], revision: firewall.revision };
        },
        { fingerprint: ({ rules, revisions }) => JSON.stringify([rules, revisions]) },
      ),

      set_rule_state: command(
        Strict({ ...RuleRef, state: RuleState }),
        Type.Object({ rule: FirewallRule, revision: Type.Integer() }),
        (state: State, input, ctx: Ctx) => {
          const { firewall, rule, changed } = setRuleState(state ?? NO_FIREWALL, input.rule_id, input.state);
          if (changed) saveToggled(ctx, input, firewall, rule);
          return { rule, revision: firewall.revision };
        },
        { fingerprint: ({ rule_id, state }) => JSON.stringify([rule_id, state]) },
      ),

      remove_rule: command(
        Strict(RuleRef),
        Type.Object({ rule: FirewallRule, revision: Type.Integer() }),
        (state: State, input, ctx: Ctx) => {
          const { firewall, rule } = removeRule(state ?? NO_FIREWALL, input.rule_id);
          saveRemoved(ctx, input, firewall, [rule]);
          return { rule, revision: firewall.revision };
        },
        { fingerprint: ({ rule_id }) => rule_id },
      ),

      reset: command(
        Strict(Owner),
        Revision,
        (state: State, input, ctx: Ctx) => {
          const before = state ?? NO_FIREWALL;
          const after = reset(before);
          if (after !== before) {
            ctx.setState(after);
            for (const rule of before.rules) ctx.remove("firewall_rules", { id: rule.id });
            publishFirewall(ctx, after);
            recordFirewallEvent(ctx, "firewall.reset", input, { removed: before.rules.length });
          }
          return { revision: after.revision };
        },
        { fingerprint: () => "" },
      ),

      /** Handles the host's report on what it enforces. */
      report: command(ReportInput, Revision, (firewall: State, input, ctx: Ctx) => {
        if (firewall === null) return { revision: 0 };
        const after = report(firewall, input.status);
        if (after === firewall) return { revision: firewall.appliedRevision };
        ctx.setState(after);
        const { appliedRevision: revision, enforced, error } = after;
        if (revision > firewall.appliedRevision)
          recordFirewallEvent(ctx, "firewall.applied", input, { revision, enforced });
        if (error !== null && error !== firewall.error) {
          recordFirewallEvent(ctx, "firewall.apply_failed", input, { applied_revision: revision, error });
        }
        return { revision };
      }),

      /** Deletes the record after its container is deleted. */
      discard: command(Strict({}), Type.Object({}), (firewall: State, _input, ctx: Ctx) => {
        if (firewall === null) return {};
        ctx.setState(null);
        for (const rule of firewall.rules) ctx.remove("firewall_rules", { id: rule.id });
        return {};
      }),
    },
  });

interface OwnerInput {
  readonly user_id: string;
  readonly project_id: string;
  readonly server_id: string;
  readonly by?: string;
}

function saveToggled(ctx: Ctx, owner: OwnerInput, firewall: Firewall, rule: FirewallRule): void {
  ctx.setState(firewall);
  ctx.update("firewall_rules", ruleRow(ctx.actorId, firewall, rule));
  publishFirewall(ctx, firewall);
  const type = rule.state === "enabled" ? "firewall.rule_enabled" : "firewall.rule_disabled";
  recordFirewallEvent(ctx, type, owner, { rule });
}

function saveRemoved(
  ctx: Ctx,
  owner: OwnerInput,
  firewall: Firewall,
  removed: readonly FirewallRule[],
): void {
  ctx.setState(firewall);
  for (const rule of removed) {
    ctx.remove("firewall_rules", { id: rule.id });
    recordFirewallEvent(ctx, "firewall.rule_removed", owner, { rule });
  }
  publishFirewall(ctx, firewall);
}

/** Has the rules published to their host. */
function publishFirewall(ctx: Ctx, firewall: Firewall): void {
  const { revision, attached, closed, rules } = firewall;
  const ref: DesiredRef = {
    kind: "firewall",
    id: ctx.actorId,
    ...(byteCount(rules) > CARRIED_BYTES_MAX
      ? {}
      : { carried: { revision, attached, closed, rules: [...rules] } }),
  };
  ctx.emit(DESIRED_TOPIC, ref);
}

function recordFirewallEvent(
  ctx: Ctx,
  event_type: EventType,
  owner: OwnerInput,
  data: Record<string, unknown>,
): void {
  recordEvent(ctx, {
    event_type,
    resource_id: ctx.actorId,
    user_id: owner.user_id,
    project_id: owner.project_id,
    container_id: ctx.actorId,
    by: owner.by,
    data,
    audience: serverAudience(owner.server_id),
  });
}

const ruleRow = (containerId: string, { positions }: Firewall, rule: FirewallRule): Row =>
  firewallRuleTable.row(containerId, { ...rule, position: positions[rule.id] ?? 0 });
