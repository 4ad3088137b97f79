import { isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";
import { resolvers } from "../resolvers.ts";
import { connectionRules } from "./connections.ts";
import { chain, hook, inet, removal } from "./text.ts";

/** What no container of a host reaches, whatever its own firewall says. */

/** What the operator has settled about that. */
export interface EgressPolicy {
  /** Name servers for containers; none: the host's. */
  readonly dns: readonly string[];
  /** Networks that containers do not reach, besides those that none may. */
  readonly denied: readonly string[];
  /** How many connections the host keeps track of for a container. */
  readonly connections: number;
}

/** Links of containers, whichever agent of this machine made them. */
const CONTAINERS = '"bv*"';

/** Where clouds say who a machine is and give out its credentials. No container is the machine. */
const LINK_LOCAL = "169.254.0.0/16";

const DNS = ["udp", "tcp"];

/** After the subnet, so that several agents on one machine, each with a subnet of its own, do not undo each other's. */
export const hostTableName = (subnet: string) => `berth_nat_${subnet.replaceAll(/[./]/g, "_")}`;

/** Removes the table, whether it is there or not. */
export const removeHostTable = (subnet: string) => removal(inet(hostTableName(subnet)));

/**
 * The text for one load: containers leave under the host's address, and neither reach the host (what it binds to all of its
 * addresses is not meant for them) nor what is denied to them. They have no IPv6.
 */
export async function hostRules(subnet: string, { dns, denied, connections }: EgressPolicy): Promise<string> {
  const t = inet(hostTableName(subnet));
  const named = await nameServers(dns);
  const own = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
  const mine = named.filter((address) => own.includes(address));
  return [
    `${removeHostTable(subnet)}add table ${t}`,
    chain(t, "postrouting", [
      hook("postrouting", "srcnat", "nat"),
      `ip saddr ${subnet} ip daddr != ${subnet} masquerade`,
    ]),

    // Under another's address nothing gets as far as connection tracking. An address belongs to the link that it is routed to.
    chain(t, "sources", [
      hook("prerouting", "raw"),
      `iifname ${CONTAINERS} fib saddr . iif oif missing counter drop`,
    ]),

    // To the host itself: answers to what it asked of them, and errors about it.
    chain(t, "from_containers", [
      "meta nfproto ipv6 drop",
      "ct state established ct direction reply accept",
      "ct state related accept",
      ...acceptDns(mine),
      "meta l4proto tcp reject with tcp reset",
      "reject with icmp type admin-prohibited",
    ]),
    chain(t, "input", [hook("input", "filter"), `iifname ${CONTAINERS} jump from_containers`]),

    // Through the host. In some clouds the name server has a link-local address.
    chain(t, "beyond", [
      "meta nfproto ipv6 drop",
      "ct state established ct direction reply accept",
      ...acceptDns(named),
      ...[LINK_LOCAL, ...denied].map(
        (network) => `ip daddr ${network} reject with icmp type admin-prohibited`,
      ),
    ]),
    chain(t, "forward", [hook("forward", "filter"), `iifname ${CONTAINERS} jump beyond`]),

    ...connectionRules(t, CONTAINERS, subnet, connections),
    "",
  ].join("\n");
}

const acceptDns = (servers: readonly string[]) =>
  servers.length === 0
    ? []
    : DNS.map((protocol) => `ip daddr { ${servers.join(", ")} } ${protocol} dport 53 accept`);

/** The name servers in containers' resolv.conf. */
async function nameServers(dns: readonly string[]): Promise<string[]> {
  const named = (await resolvers(dns)).matchAll(/^nameserver\s+(\S+)/gm);
  return [...new Set([...named].map(([, address = ""]) => address))].filter(isIPv4);
}
