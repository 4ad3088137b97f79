import { Value } from "@sinclair/typebox/value";
import { FirewallCounts, type FirewallListing, type ListedRule } from "../../schemas/hosting/firewall.ts";
import { agentSubject } from "../../schemas/subjects.ts";

/** How long a listing waits for its host: one that is well reads its counters in some 20 ms. */
const COUNTED_WITHIN_MS = 250;

/** What the rules of a listing have counted. Null where the host does not say. */
export type FirewallCountsOf = (
  container: { readonly id: string; readonly server_name: string },
  listing: Pick<FirewallListing, "ingress" | "egress">,
) => Promise<Pick<FirewallListing, "ingress" | "egress">>;

/** Asks the host's agent at each listing, and only for those that have something to count. */
export function firewallCounts(
  request: (subject: string, text: string, timeoutMs: number) => Promise<string>,
): FirewallCountsOf {
  return async ({ id, server_name }, { ingress, egress }) => {
    if (![...ingress, ...egress].some((rule) => rule.state === "enabled")) return { ingress, egress };
    const counts = await request(agentSubject(server_name, "firewall-counts"), id, COUNTED_WITHIN_MS)
      .then(countsOf)
      .catch((): FirewallCounts => ({}));
    const withCounts = (rule: ListedRule): ListedRule => {
      // Nothing else of a host's answer: it must not say what a rule is.
      const { packets = null, bytes = null } = counts[rule.id] ?? {};
      return { ...rule, packets, bytes };
    };
    return { ingress: ingress.map(withCounts), egress: egress.map(withCounts) };
  };
}

function countsOf(text: string): FirewallCounts {
  const counts: unknown = JSON.parse(text);
  return Value.Check(FirewallCounts, counts) ? counts : {};
}
