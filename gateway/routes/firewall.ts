import { Elysia } from "elysia";
import { readFirewall } from "../../actors/firewall/queries.ts";
import type { Caller } from "../../schemas/auth.ts";
import type { Container } from "../../schemas/container.ts";
import {
  AddIngressRule,
  FirewallAddReply,
  FirewallListingReply,
  FirewallResetReply,
} from "../../schemas/firewall.ts";
import type { ContainerAct } from "../../schemas/permissions.ts";
import { IdParams } from "../../schemas/primitives.ts";
import type { Berth } from "../berth.ts";
import { errors, ok } from "../plugins/envelope.ts";
import { signedIn } from "../plugins/signed-in.ts";
import { reachableContainer } from "./container.ts";

/** The firewall of a container (spec, control plane §4.11). Replies say whether the host enforces them already. */
export const firewallRoutes = (berth: Berth) => {
  const { db, actors, tokens, appliedFirewalls, firewallLimits } = berth;
  const reachable = (caller: Caller, act: ContainerAct, id: string) =>
    reachableContainer(berth, caller, act, id);
  const ownerOf = ({ user_id, project_id }: Container) => ({ user_id, project_id });

  return new Elysia({ prefix: "/api/v1/containers/:id/firewall", detail: { tags: ["Firewall"] } })
    .use(signedIn(tokens))
    .get(
      "/rules",
      async ({ caller, params }) => {
        const container = await reachable(caller, "read", params.id);
        const listing = await readFirewall(db, container.id, firewallLimits);
        const firewall = appliedFirewalls.newest(container.id, listing.firewall);
        return ok("Firewall rules", { ...listing, firewall });
      },
      {
        params: IdParams,
        response: { 200: FirewallListingReply, ...errors("CONTAINER_NOT_FOUND") },
        detail: { summary: "Rules of both directions, their limits, and what the host enforces" },
      },
    )
    .post(
      "/ingress",
      async ({ caller, params, body, operation }) => {
        const container = await reachable(caller, "firewall", params.id);
        const { result, firewall } = await appliedFirewalls.follow(container, async () => {
          const { value } = await actors
            .firewall(container.id)
            .add({ ...ownerOf(container), direction: "ingress", rule: body }, operation);
          return value;
        });
        return result.existed
          ? ok("Rule already exists", {})
          : ok("Rule added", { ...result.rule, firewall });
      },
      {
        params: IdParams,
        body: AddIngressRule,
        response: {
          200: FirewallAddReply,
          ...errors(
            "CONTAINER_NOT_FOUND",
            "FIREWALL_RULE_LIMIT",
            "FIREWALL_BYTE_LIMIT",
            "IDEMPOTENCY_KEY_REUSED",
          ),
        },
        detail: {
          summary: "Add an ingress rule",
          description:
            "The first rule attaches the firewall: from then on incoming packets that no rule allows are rejected, as " +
            "`defaults` of the listing says. Drop goes before reject, reject before allow, in whatever order rules were " +
            "added. The reply waits a second at most for the host; `firewall` says how far it is with the revision of " +
            "this rule. A request that comes again under its key answers the rule that it made, with the reading of now.",
        },
      },
    )
    .post(
      "/reset",
      async ({ caller, params, operation }) => {
        const container = await reachable(caller, "firewall", params.id);
        const { firewall } = await appliedFirewalls.follow(container, async () => {
          const { value } = await actors.firewall(container.id).reset(ownerOf(container), operation);
          return value;
        });
        return ok("Firewall reset", { rules: { ingress: [], egress: [] }, firewall });
      },
      {
        params: IdParams,
        response: { 200: FirewallResetReply, ...errors("CONTAINER_NOT_FOUND") },
        detail: { summary: "Remove every rule and detach the firewall: the container is open again" },
      },
    );
};
