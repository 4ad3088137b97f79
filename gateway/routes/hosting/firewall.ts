import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { readFirewall } from "../../../actors/hosting/firewall/queries.ts";
import type { Caller } from "../../../schemas/accounts/auth.ts";
import {
  AddEgressRule,
  AddIngressRule,
  FirewallAddReply,
  FirewallListingReply,
  FirewallRemoveReply,
  FirewallResetReply,
  FirewallToggleReply,
  RemoveEgressRules,
  RemoveIngressRules,
  RULES_PAGE,
  RULES_SORT,
  RulesQuery,
  ToggleEgressRule,
  ToggleIngressRule,
} from "../../../schemas/hosting/firewall.ts";
import type { ContainerAct } from "../../../schemas/permissions.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";
import { versionTag } from "../../http/if-match.ts";
import { cursorPagination, listPage } from "../../http/paging.ts";
import { reachableContainer } from "./container.ts";
import { firewallChange } from "./firewall-change.ts";
import { firewallRuleRoutes } from "./firewall-rule.ts";

const BODIES = {
  ingress: { add: AddIngressRule, toggle: ToggleIngressRule, remove: RemoveIngressRules },
  egress: { add: AddEgressRule, toggle: ToggleEgressRule, remove: RemoveEgressRules },
} as const;

/**
 * The firewall of a container (spec, control plane §4.11). Replies say whether the host has applied the change
 * already.
 */
export const firewallRoutes = (context: GatewayContext) => {
  const { db, credentials, appliedFirewalls, firewallCounts, firewallLimits } = context;
  const reachable = (caller: Caller, act: ContainerAct, id: string) =>
    reachableContainer(context, caller, act, id);
  const changeFirewall = firewallChange(context);

  const ofDirection = <D extends keyof typeof BODIES>(direction: D) =>
    new Elysia()
      .use(signedIn(credentials, "resources.write", { realm: true }))
      .post(
        `/${direction}`,
        async ({ caller, params, body, operation }) => {
          const container = await reachable(caller, "firewall", params.id);
          const { result, firewall } = await changeFirewall(
            container,
            caller,
            operation,
            (actor, owner, options) => actor.add_rule({ ...owner, direction, rule: body }, options),
          );
          return result.existed
            ? ok("Rule already exists", {})
            : ok("Rule added", { ...result.rule, firewall });
        },
        {
          params: IdParams,
          body: BODIES[direction].add,
          response: {
            200: FirewallAddReply,
            ...errors(
              "CONTAINER_NOT_FOUND",
              "QUOTA_EXCEEDED",
              "FIREWALL_BYTE_LIMIT",
              "IDEMPOTENCY_KEY_REUSED",
            ),
          },
          detail: {
            summary: `Add an ${direction} rule`,
            description:
              "The first enabled ingress rule closes the container: from then on, incoming packets are rejected unless a rule allows them. " +
              "An egress rule and a disabled rule close nothing, and outgoing packets pass unless a rule denies them (`defaults` of the listing). " +
              "The host's edge can always connect to the container: an alias is an opening that its owner made. Drop is checked before reject and reject before allow; " +
              "the order in which rules were added does not matter. The reply waits at most one second for the host; `firewall` says whether " +
              "the host has applied the revision with this rule.",
          },
        },
      )
      .patch(
        `/${direction}`,
        async ({ caller, params, body, operation }) => {
          const container = await reachable(caller, "firewall", params.id);
          const { state, ...filter } = body;
          const { result, firewall } = await changeFirewall(
            container,
            caller,
            operation,
            (actor, owner, options) => actor.toggle_rule({ ...owner, direction, state, filter }, options),
          );
          const { rule } = result;
          return ok(`Rule ${rule.state}`, { direction, new_state: rule.state, updated: rule, firewall });
        },
        {
          params: IdParams,
          body: BODIES[direction].toggle,
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
            summary: `Enable or disable an ${direction} rule`,
            description:
              "Changes the oldest rule that matches every given field and is not in `state` yet. Fields are compared in normal form (`443, 80` is `80,443`; " +
              "`10.0.0.5/8` is `10.0.0.0/8`; `0.0.0.0/0` is a rule without an address). When all matching rules are in `state` already, nothing changes " +
              "and the reply has the oldest one. A rule that would become identical to another rule is not changed (FIREWALL_RULE_EXISTS). " +
              "The counters of a rule that is enabled again start at zero.",
          },
        },
      )
      .delete(
        `/${direction}`,
        async ({ caller, params, body, operation }) => {
          const container = await reachable(caller, "firewall", params.id);
          const { all = false, ...filter } = body ?? {};
          const { result, firewall } = await changeFirewall(
            container,
            caller,
            operation,
            (actor, owner, options) => actor.remove_rules({ ...owner, direction, all, filter }, options),
          );
          const { removed } = result;
          return ok(removalMessage(removed.length), {
            direction,
            removed_count: removed.length,
            removed,
            firewall,
          });
        },
        {
          params: IdParams,
          body: Type.Optional(BODIES[direction].remove),
          response: {
            200: FirewallRemoveReply,
            ...errors("CONTAINER_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED"),
          },
          detail: {
            summary: `Remove ${direction} rules`,
            description:
              "Removes the oldest rule that matches every given field, or with `all` every matching rule; without `state`, enabled rules match. " +
              "`all` without another field removes every rule of this direction, enabled or not. Where nothing matches, nothing changes and " +
              "`removed_count` is 0. The firewall stays attached: without any rule, " +
              "incoming packets are rejected as before; `reset` opens the container. No body is the same as `{}`: the oldest enabled rule is " +
              "removed. Behind a proxy that drops the bodies of DELETE requests, use `reset` or another way.",
          },
        },
      );

  const reading = new Elysia().use(signedIn(credentials, "resources.read", { realm: true })).get(
    "/rules",
    async ({ caller, params, query, set }) => {
      const container = await reachable(caller, "read", params.id);
      const page = listPage(`firewall-rules ${container.id}`, query, RULES_PAGE, RULES_SORT);
      const { next, ...listing } = await readFirewall(db, container.id, firewallLimits, page);
      const firewall = appliedFirewalls.newest(container.id, listing.firewall);
      const counted = await firewallCounts(container, listing);
      set.headers.etag = versionTag(listing.firewall.revision);
      return ok("Firewall rules", {
        ...listing,
        ...counted,
        firewall,
        pagination: cursorPagination(page, next),
      });
    },
    {
      params: IdParams,
      query: RulesQuery,
      response: { 200: FirewallListingReply, ...errors("CONTAINER_NOT_FOUND") },
      detail: {
        summary: "Rules of both directions, their limits, and what the host enforces",
        description:
          "`packets` and `bytes` of each rule are read from the host for each listing, which waits at most a quarter of a " +
          "second for them. A rule counts the packets that it decided about: of a flow that was allowed, those of the side " +
          "that opened it. The `ETag` is the revision of the rules, for `If-Match` of a replacement; it does not change with the counters.",
      },
    },
  );

  const writing = new Elysia().use(signedIn(credentials, "resources.write", { realm: true })).post(
    "/reset",
    async ({ caller, params, operation }) => {
      const container = await reachable(caller, "firewall", params.id);
      const { firewall } = await changeFirewall(container, caller, operation, (actor, owner, options) =>
        actor.reset(owner, options),
      );
      return ok("Firewall reset", { rules: { ingress: [], egress: [] }, firewall });
    },
    {
      params: IdParams,
      response: { 200: FirewallResetReply, ...errors("CONTAINER_NOT_FOUND") },
      detail: { summary: "Remove every rule and detach the firewall: the container is open again" },
    },
  );

  return new Elysia({ prefix: "/api/v1/containers/:id/firewall", detail: { tags: ["Firewall"] } })
    .use(reading)
    .use(writing)
    .use(firewallRuleRoutes(context))
    .use(ofDirection("ingress"))
    .use(ofDirection("egress"));
};

const removalMessage = (count: number): string => {
  if (count === 0) return "No rule matches";
  return count === 1 ? "Rule removed" : "Rules removed";
};
