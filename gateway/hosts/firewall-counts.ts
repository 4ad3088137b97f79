import type { Bus } from "../../actors/runtime/ports.ts";
import { FirewallCounts, type FirewallListing, type ListedRule } from "../../schemas/hosting/firewall.ts";
import { storableJsonOf } from "../../schemas/received.ts";
import { agentSubject } from "../../schemas/subjects.ts";

/** How long a listing waits for its host, which reads its counters in some 20 ms. */
const COUNTED_WITHIN_MS = 250;

/** About 80 characters for each rule, of which a firewall has some thousands at most. */
const ANSWER_LENGTH_MAX = 1_000_000;
const readCounts = storableJsonOf(FirewallCounts, ANSWER_LENGTH_MAX);

/** Adds the counters of the host to the rules of a listing. They are null when the host does not reply. */
export type FirewallCountsOf = (
  container: { readonly id: string; readonly server_name: string },
  listing: Pick<FirewallListing, "ingress" | "egress">,
) => Promise<Pick<FirewallListing, "ingress" | "egress">>;

/** Asks the host's agent at each listing that has enabled rules. */
export function firewallCounts(
  request: (subject: string, text: string, timeoutMs: number) => Promise<string>,
  dropped: Bus["dropped"] = () => {},
): FirewallCountsOf {
  return async ({ id, server_name }, { ingress, egress }) => {
    if (![...ingress, ...egress].some((rule) => rule.state === "enabled")) return { ingress, egress };
    const counts = await request(agentSubject(server_name, "firewall-counts"), id, COUNTED_WITHIN_MS)
      .then((answer): FirewallCounts => {
        const received = readCounts(answer);
        if ("value" in received) return received.value;
        dropped("firewall-counts", `the reply of ${server_name} is ${received.reason}`);
        return {};
      })
      .catch((): FirewallCounts => ({}));
    const withCounts = (rule: ListedRule): ListedRule => {
      // Only the counters are taken from the host's reply; a host does not define rules.
      const { packets = null, bytes = null } = counts[rule.id] ?? {};
      return { ...rule, packets, bytes };
    };
    return { ingress: ingress.map(withCounts), egress: egress.map(withCounts) };
  };
}
