import { Type } from "@sinclair/typebox";
import { FirewallStatus } from "../../schemas/desired.ts";
import type { EventType } from "../../schemas/events.ts";
import { AddIngressRule, Direction, FirewallRule } from "../../schemas/firewall.ts";
import { Id, Strict } from "../../schemas/primitives.ts";
import { DESIRED_TOPIC } from "../desired.ts";
import { recordEvent } from "../event/record.ts";
import { actor, type Context, command, type Row } from "../runtime/definition.ts";
import { normalForm } from "./normal-form.ts";
import { loadFirewalls } from "./queries.ts";
import { addRule, type Firewall, type FirewallLimits, NO_FIREWALL, reset } from "./rules.ts";

/** Whose log the events go to: the gateway has found the container to be the caller's. */
const Owner = { user_id: Id, project_id: Id };

const AddInput = Strict({ ...Owner, direction: Direction, rule: AddIngressRule });
const Revision = Type.Object({ revision: Type.Integer() });

/** All that can happen to a container's firewall. Keyed by container. */
export const firewallActor = (limits: FirewallLimits) =>
  actor("firewall", {
    table: "firewalls",
    key: "container_id",
    load: loadFirewalls,
    empty: (): Firewall | null => null,
    row: (firewall, containerId, now) =>
      firewall && {
        container_id: containerId,
        attached: firewall.attached,
        revision: firewall.revision,
        applied_revision: firewall.appliedRevision,
        enforced: firewall.enforced,
        error: firewall.error,
        updated_at: now,
      },
    on: {
      add: command(
        AddInput,
        Type.Object({ rule: FirewallRule, existed: Type.Boolean(), revision: Type.Integer() }),
        (state: Firewall | null, input, ctx: Context<Firewall | null>) => {
          const before = state ?? NO_FIREWALL;
          const rule = normalForm({ ...input.rule, direction: input.direction });
          const added = addRule(before, rule, ctx.newId(), limits);
          if (!added.existed) {
            ctx.become(added.firewall);
            ctx.insert("firewall_rules", ruleRow(ctx.actorId, added.firewall.lastPosition, added.rule));
            ctx.emit(DESIRED_TOPIC, { kind: "firewall", id: ctx.actorId });
            if (!before.attached) event(ctx, "firewall.attached", input, {});
            event(ctx, "firewall.rule_added", input, { rule: added.rule });
          }
          return { rule: added.rule, existed: added.existed, revision: added.firewall.revision };
        },
        // Whoever owns the container by the time of a replay, the rule is what was asked for.
        { fingerprint: ({ direction, rule }) => JSON.stringify([direction, rule]) },
      ),

      reset: command(
        Strict(Owner),
        Revision,
        (state: Firewall | null, input, ctx: Context<Firewall | null>) => {
          const before = state ?? NO_FIREWALL;
          const after = reset(before);
          if (after !== before) {
            ctx.become(after);
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
        FirewallStatus,
        Revision,
        (firewall: Firewall | null, status, ctx: Context<Firewall | null>) => {
          if (firewall === null) return { revision: 0 };
          const appliedRevision = Math.min(
            Math.max(status.revision, firewall.appliedRevision),
            firewall.revision,
          );
          const same =
            appliedRevision === firewall.appliedRevision &&
            status.enforced === firewall.enforced &&
            status.error === firewall.error;
          if (!same)
            ctx.become({ ...firewall, appliedRevision, enforced: status.enforced, error: status.error });
          return { revision: appliedRevision };
        },
      ),

      /** The container is gone, and the record of its firewall goes too. */
      discard: command(
        Strict({}),
        Type.Object({}),
        (firewall: Firewall | null, _input, ctx: Context<Firewall | null>) => {
          if (firewall === null) return {};
          ctx.become(null);
          for (const rule of firewall.rules) ctx.remove("firewall_rules", { id: rule.id });
          return {};
        },
      ),
    },
  });

function event(
  ctx: Context<Firewall | null>,
  event_type: EventType,
  owner: { user_id: string; project_id: string },
  data: Record<string, unknown>,
): void {
  recordEvent(ctx, {
    event_type,
    resource_id: ctx.actorId,
    user_id: owner.user_id,
    project_id: owner.project_id,
    container_id: ctx.actorId,
    data,
  });
}

const ruleRow = (containerId: string, position: number, rule: FirewallRule): Row => ({
  id: rule.id,
  container_id: containerId,
  position,
  direction: rule.direction,
  action: rule.action,
  protocol: rule.protocol,
  description: rule.description,
  state: rule.state,
  destination_port: rule.destination_port ?? null,
  source_port: rule.source_port ?? null,
  source: rule.source ?? null,
  destination: rule.destination ?? null,
  icmp_type: rule.icmp_type ?? null,
  icmp_code: rule.icmp_code ?? null,
});
