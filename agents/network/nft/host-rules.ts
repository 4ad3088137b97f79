import { isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";
import { resolvers } from "../resolvers.ts";
import { connectionRules } from "./connections.ts";
import { chain, hook, inet, removal } from "./text.ts";

/** The host's rules for all containers, which apply before each container's own firewall. */

/** The operator's settings for these rules. */
export interface EgressPolicy {
  /** Name servers for containers; none: the host's. */
  readonly dns: readonly string[];
  /** Networks that containers cannot reach, in addition to those that are always denied. */
  readonly denied: readonly string[];
  /** The limit of tracked connections of a container. */
  readonly connections: number;
}

/** Links of containers, whichever agent of this machine made them. */
const CONTAINERS = '"bv*"';

/** The network of cloud metadata services, which give out the machine's credentials. Containers must not reach it. */
const LINK_LOCAL = "169.254.0.0/16";

const DNS = ["udp", "tcp"];

/**
 * The table's name. It contains the subnet, so that several agents on one machine do not overwrite each other's
 * tables.
 */
export const hostTableName = (subnet: string) => `berth_nat_${subnet.replaceAll(/[./]/g, "_")}`;

/** Compiles the removal of the table, whether or not it exists. */
export const removeHostTable = (subnet: string) => removal(inet(hostTableName(subnet)));

/**
 * Compiles the table: containers connect out under the host's address, and cannot reach the host (not even services
 * on all of its addresses) or denied networks. They have no IPv6.
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

    // Packets with a forged source address are dropped before connection tracking. An address belongs to the link to
    // which it is routed.
    chain(t, "sources", [
      hook("prerouting", "raw"),
      `iifname ${CONTAINERS} fib saddr . iif oif missing counter drop`,
    ]),

    // To the host itself: only replies to its own connections, and related errors.
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
