import { Elysia } from "elysia";
import {
  FirewallRemoveReply,
  FirewallReplaceReply,
  FirewallToggleReply,
  ReplaceRules,
  RuleParams,
  SetRuleState,
} from "../../../schemas/hosting/firewall.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";
import { requireIfMatch, versionTag } from "../../http/if-match.ts";
import { reachableContainer } from "./container.ts";
import { firewallChange } from "./firewall-change.ts";

/** Changes of rules by their ids, and of all rules at once. */
export const firewallRuleRoutes = (context: GatewayContext) => {
  const changeFirewall = firewallChange(context);
  return new Elysia()
    .use(signedIn(context.credentials, "resources.write", { realm: true }))
    .put(
      "/rules",
      async ({ caller, params, body, operation, request, set }) => {
        const container = await reachableContainer(context, caller, "firewall", params.id);
        const revisions = requireIfMatch(request);
        const { result, firewall } = await changeFirewall(
          container,
          caller,
          operation,
          (actor, owner, options) => actor.replace_rules({ ...owner, revisions, ...body }, options),
        );
        set.headers.etag = versionTag(result.revision);
        return ok("Rules replaced", {
          ingress: result.rules.filter(({ direction }) => direction === "ingress"),
          egress: result.rules.filter(({ direction }) => direction === "egress"),
          rule_count: result.rules.length,
          firewall,
        });
      },
      {
        params: IdParams,
        body: ReplaceRules,
        response: {
          200: FirewallReplaceReply,
          ...errors(
            "CONTAINER_NOT_FOUND",
            "PRECONDITION_FAILED",
            "PRECONDITION_REQUIRED",
            "QUOTA_EXCEEDED",
            "FIREWALL_BYTE_LIMIT",
            "IDEMPOTENCY_KEY_REUSED",
          ),
        },
        detail: {
          summary: "Replace all rules of both directions",
          description:
            "All rules become those of the body in one revision, and the host applies them at once: no packet meets a part of them. `If-Match` names " +
            "the revision that was read (the `ETag` of the listing). A rule with the `id` of one that is there takes its place; a rule without an `id` that is identical to one " +
            "keeps that one's. Rules that keep their `id` and say the same keep their counters. Rules that are there already change nothing, and the revision stays. " +
            "An empty list removes every rule and leaves the firewall attached: `reset` opens the container.",
          "x-if-match": true,
        },
      },
    )
    .patch(
      "/rules/:rule_id",
      async ({ caller, params, body, operation }) => {
        const container = await reachableContainer(context, caller, "firewall", params.id);
        const { result, firewall } = await changeFirewall(
          container,
          caller,
          operation,
          (actor, owner, options) =>
            actor.set_rule_state({ ...owner, rule_id: params.rule_id, ...body }, options),
        );
        const { rule } = result;
        const { direction, state: new_state } = rule;
        return ok(`Rule ${new_state}`, { direction, new_state, updated: rule, firewall });
      },
      {
        params: RuleParams,
        body: SetRuleState,
        response: {
          200: FirewallToggleReply,
          ...errors(
            "CONTAINER_NOT_FOUND",
            "FIREWALL_RULE_NOT_FOUND",
            "FIREWALL_RULE_EXISTS",
            "IDEMPOTENCY_KEY_REUSED",
          ),
        },
        detail: {
          summary: "Enable or disable the rule of this id",
          description:
            "Meets this rule and no other. A rule that is in the state already stays as it is. One that would become identical to another rule is not changed (FIREWALL_RULE_EXISTS).",
        },
      },
    )
    .delete(
      "/rules/:rule_id",
      async ({ caller, params, operation }) => {
        const container = await reachableContainer(context, caller, "firewall", params.id);
        const { result, firewall } = await changeFirewall(
          container,
          caller,
          operation,
          (actor, owner, options) => actor.remove_rule({ ...owner, rule_id: params.rule_id }, options),
        );
        const { rule } = result;
        return ok("Rule removed", { direction: rule.direction, removed_count: 1, removed: [rule], firewall });
      },
      {
        params: RuleParams,
        response: {
          200: FirewallRemoveReply,
          ...errors("CONTAINER_NOT_FOUND", "FIREWALL_RULE_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED"),
        },
        detail: {
          summary: "Remove the rule of this id",
          description: "Removes this rule and no other. The firewall stays attached, as after every removal.",
        },
      },
    );
};
