import { networkInterfaces } from "node:os";
import { AddressPool } from "../addresses.ts";
import { reachableNameServers } from "../resolvers.ts";
import { ADDRESSES_MAX, connectionRules } from "./connections.ts";
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

const REFUSE = "reject with icmp type admin-prohibited";

const DNS = ["udp", "tcp"];
/** Questions of one container in a second, on average and at once: a flood delays no other container's. */
const NAMES_PACE = { rate: 200, burst: 400 };

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
  const { gateway } = new AddressPool(subnet);
  const named = await reachableNameServers(dns);
  const own = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
  const mine = named.filter((address) => own.includes(address));
  return [
    `${removeHostTable(subnet)}add table ${t}`,
    chain(t, "postrouting", [
      hook("postrouting", "srcnat", "nat"),
      `ip saddr ${subnet} ip daddr != ${subnet} masquerade`,
    ]),

    // Containers ask the agent for names. While none runs, no socket has the address, and the host's name server gets the question.
    chain(t, "names", [hook("prerouting", "dstnat", "nat"), ...namesWithoutAgent(gateway, named[0])]),

    // Packets with a forged source address are dropped before connection tracking. An address belongs to the link to
    // which it is routed.
    chain(t, "sources", [
      hook("prerouting", "raw"),
      `iifname ${CONTAINERS} fib saddr . iif oif missing counter drop`,
    ]),

    `add set ${t} names_pace { type ipv4_addr; size ${ADDRESSES_MAX}; flags dynamic,timeout; timeout 1m; }`,
    // To the host itself: only replies to its own connections, and related errors.
    chain(t, "from_containers", [
      "meta nfproto ipv6 drop",
      "ct state established ct direction reply accept",
      "ct state related accept",
      `ip daddr ${gateway} meta l4proto { tcp, udp } th dport 53 update @names_pace { ip saddr limit rate over ${NAMES_PACE.rate}/second burst ${NAMES_PACE.burst} packets } drop`,
      ...acceptDns([gateway, ...mine]),
      // Another agent of this machine has rules of its own for its containers' questions.
      `ip saddr != ${subnet} meta l4proto { tcp, udp } th dport 53 return`,
      "meta l4proto tcp reject with tcp reset",
      REFUSE,
    ]),
    chain(t, "input", [hook("input", "filter"), `iifname ${CONTAINERS} jump from_containers`]),

    // Through the host. In some clouds the name server has a link-local address.
    chain(t, "beyond", [
      "meta nfproto ipv6 drop",
      "ct state established ct direction reply accept",
      ...acceptDns(named),
      `ip daddr ${LINK_LOCAL} ${REFUSE}`,
      // Another agent of this machine denies its own containers what it has to.
      `ip saddr != ${subnet} return`,
      // Its neighbours decide by their own firewalls, also in a network that is denied as a whole.
      ...(denied.includes(subnet) ? [] : [`ip daddr ${subnet} return`]),
      ...denied.map((network) => `ip daddr ${network} ${REFUSE}`),
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

const namesWithoutAgent = (gateway: string, nameServer: string | undefined) =>
  nameServer === undefined
    ? []
    : DNS.flatMap((protocol) => {
        const question = `iifname ${CONTAINERS} ip daddr ${gateway} ${protocol} dport 53`;
        return [`${question} socket wildcard 0 accept`, `${question} dnat ip to ${nameServer}`];
      });
