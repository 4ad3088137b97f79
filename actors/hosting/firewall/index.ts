import { Type } from "@sinclair/typebox";
import type { EventType } from "../../../schemas/events.ts";
import { FirewallStatus } from "../../../schemas/hosting/desired.ts";
import {
  AddRule,
  Direction,
  FirewallRule,
  RuleFilter,
  RuleState,
} from "../../../schemas/hosting/firewall.ts";
import { Id, Strict } from "../../../schemas/primitives.ts";
import { recordEvent } from "../../platform/record-event.ts";
import type { FirewallLimits } from "../../platform/settings.ts";
import { actor, type Context, command, type Row } from "../../runtime/definition.ts";
import { DESIRED_TOPIC } from "../host/desired.ts";
import { normalForm } from "./normal-form.ts";
import { addRule, type Firewall, NO_FIREWALL, removeRules, report, reset, toggleRule } from "./rules.ts";
import { firewallRuleTable, firewallTable } from "./table.ts";

/** Whose log the events go to, and who asks: the gateway has found the container to be the caller's. */
const Owner = { user_id: Id, project_id: Id, by: Type.Optional(Id) };

const AddInput = Strict({ ...Owner, direction: Direction, rule: AddRule });
const ToggleInput = Strict({ ...Owner, direction: Direction, state: RuleState, filter: RuleFilter });
const RemoveInput = Strict({ ...Owner, direction: Direction, all: Type.Boolean(), filter: RuleFilter });
const ReportInput = Strict({ ...Owner, status: FirewallStatus });
const Revision = Type.Object({ revision: Type.Integer() });

/** All that can happen to a container's firewall. Keyed by container. */
export const firewallActor = (limits: FirewallLimits) =>
  actor("firewall", {
    table: firewallTable,
    empty: (): Firewall | null => null,
    on: {
      add: command(
        AddInput,
        Type.Object({ rule: FirewallRule, existed: Type.Boolean(), revision: Type.Integer() }),
        (state: Firewall | null, input, ctx: Context<Firewall | null>) => {
          const before = state ?? NO_FIREWALL;
          const rule = normalForm({ ...input.rule, direction: input.direction });
          const added = addRule(before, rule, ctx.newId(), limits);
          if (!added.existed) {
            ctx.setState(added.firewall);
            ctx.insert("firewall_rules", ruleRow(ctx.actorId, added.firewall, added.rule));
            ctx.emit(DESIRED_TOPIC, { kind: "firewall", id: ctx.actorId });
            if (!before.attached) event(ctx, "firewall.attached", input, {});
            event(ctx, "firewall.rule_added", input, { rule: added.rule });
          }
          return { rule: added.rule, existed: added.existed, revision: added.firewall.revision };
        },
        // Whoever owns the container by the time of a replay, the rule is what was asked for.
        { fingerprint: ({ direction, rule }) => JSON.stringify([direction, rule]) },
      ),

      toggle: command(
        ToggleInput,
        Type.Object({ rule: FirewallRule, revision: Type.Integer() }),
        (state: Firewall | null, input, ctx: Context<Firewall | null>) => {
          const { firewall, rule, changed } = toggleRule(
            state ?? NO_FIREWALL,
            input.direction,
            input.state,
            input.filter,
          );
          if (changed) {
            ctx.setState(firewall);
            ctx.update("firewall_rules", ruleRow(ctx.actorId, firewall, rule));
            ctx.emit(DESIRED_TOPIC, { kind: "firewall", id: ctx.actorId });
            const type = rule.state === "enabled" ? "firewall.rule_enabled" : "firewall.rule_disabled";
            event(ctx, type, input, { rule });
          }
          return { rule, revision: firewall.revision };
        },
        { fingerprint: ({ direction, state, filter }) => JSON.stringify([direction, state, filter]) },
      ),

      remove: command(
        RemoveInput,
        Type.Object({ removed: Type.Array(FirewallRule), revision: Type.Integer() }),
        (state: Firewall | null, input, ctx: Context<Firewall | null>) => {
          const { direction, filter, all } = input;
          const { firewall, removed } = removeRules(state ?? NO_FIREWALL, direction, filter, all);
          ctx.setState(firewall);
          for (const rule of removed) {
            ctx.remove("firewall_rules", { id: rule.id });
            event(ctx, "firewall.rule_removed", input, { rule });
          }
          ctx.emit(DESIRED_TOPIC, { kind: "firewall", id: ctx.actorId });
          return { removed, revision: firewall.revision };
        },
        { fingerprint: ({ direction, all, filter }) => JSON.stringify([direction, all, filter]) },
      ),

      reset: command(
        Strict(Owner),
        Revision,
        (state: Firewall | null, input, ctx: Context<Firewall | null>) => {
          const before = state ?? NO_FIREWALL;
          const after = reset(before);
          if (after !== before) {
            ctx.setState(after);
            for (const rule of before.rules) ctx.remove("firewall_rules", { id: rule.id });
            ctx.emit(DESIRED_TOPIC, { kind: "firewall", id: ctx.actorId });
            event(ctx, "firewall.reset", input, { removed: before.rules.length });
          }
          return { revision: after.revision };
        },
        { fingerprint: () => "" },
      ),

      /** What its host says that it enforces. */
      report: command(
        ReportInput,
        Revision,
        (firewall: Firewall | null, input, ctx: Context<Firewall | null>) => {
          if (firewall === null) return { revision: 0 };
          const after = report(firewall, input.status);
          if (after === firewall) return { revision: firewall.appliedRevision };
          ctx.setState(after);
          const { appliedRevision: revision, enforced, error } = after;
          if (revision > firewall.appliedRevision)
            event(ctx, "firewall.applied", input, { revision, enforced });
          if (error !== null && error !== firewall.error) {
            event(ctx, "firewall.apply_failed", input, { applied_revision: revision, error });
          }
          return { revision };
        },
      ),

      /** The container is gone, and the record of its firewall goes too. */
      discard: command(
        Strict({}),
        Type.Object({}),
        (firewall: Firewall | null, _input, ctx: Context<Firewall | null>) => {
          if (firewall === null) return {};
          ctx.setState(null);
          for (const rule of firewall.rules) ctx.remove("firewall_rules", { id: rule.id });
          return {};
        },
      ),
    },
  });

function event(
  ctx: Context<Firewall | null>,
  event_type: EventType,
  owner: { user_id: string; project_id: string; by?: string },
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
  });
}

const ruleRow = (containerId: string, { positions }: Firewall, rule: FirewallRule): Row =>
  firewallRuleTable.row(containerId, { ...rule, position: positions[rule.id] ?? 0 });
