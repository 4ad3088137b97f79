import { networkInterfaces } from "node:os";
import { isIpv4 } from "../addresses.ts";
import { resolvers } from "../resolvers.ts";
import { connectionRules } from "./connections.ts";

/** What no container of a host reaches, whatever its own firewall says. */

/** What the operator has settled about that. */
export interface Reach {
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
export const tableOf = (subnet: string) => `berth_nat_${subnet.replaceAll(/[./]/g, "_")}`;

/** Removes the table, whether it is there or not; and the one of another family that earlier agents made. */
export const removalOf = (subnet: string) =>
  ["inet", "ip"]
    .map((family) => `${family} ${tableOf(subnet)}`)
    .map((table) => `add table ${table}\ndelete table ${table}\n`)
    .join("");

/**
 * The text for one `nft -f -`: containers leave under the host's address, and neither reach the host (what it binds to all of its
 * addresses is not meant for them) nor what is denied to them. They have no IPv6.
 */
export async function hostRules(subnet: string, { dns, denied, connections }: Reach): Promise<string> {
  const table = `inet ${tableOf(subnet)}`;
  const named = await nameServers(dns);
  const own = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
  const mine = named.filter((address) => own.includes(address));
  const namesOf = (chain: string, servers: readonly string[]) =>
    servers.length === 0
      ? []
      : DNS.map((protocol) => {
          return `add rule ${table} ${chain} ip daddr { ${servers.join(", ")} } ${protocol} dport 53 accept`;
        });
  return [
    `${removalOf(subnet)}add table ${table}`,
    `add chain ${table} postrouting { type nat hook postrouting priority srcnat; policy accept; }`,
    `add rule ${table} postrouting ip saddr ${subnet} ip daddr != ${subnet} masquerade`,

    // Under another's address nothing gets as far as connection tracking. An address belongs to the link that it is routed to.
    `add chain ${table} sources { type filter hook prerouting priority raw; policy accept; }`,
    `add rule ${table} sources iifname ${CONTAINERS} fib saddr . iif oif missing counter drop`,

    // To the host itself: answers to what it asked of them, and errors about it.
    `add chain ${table} input { type filter hook input priority filter; policy accept; }`,
    `add chain ${table} from_containers`,
    `add rule ${table} input iifname ${CONTAINERS} jump from_containers`,
    `add rule ${table} from_containers meta nfproto ipv6 drop`,
    `add rule ${table} from_containers ct state established ct direction reply accept`,
    `add rule ${table} from_containers ct state related accept`,
    ...namesOf("from_containers", mine),
    `add rule ${table} from_containers meta l4proto tcp reject with tcp reset`,
    `add rule ${table} from_containers reject with icmp type admin-prohibited`,

    // Through the host. In some clouds the name server has a link-local address.
    `add chain ${table} forward { type filter hook forward priority filter; policy accept; }`,
    `add chain ${table} beyond`,
    `add rule ${table} forward iifname ${CONTAINERS} jump beyond`,
    `add rule ${table} beyond meta nfproto ipv6 drop`,
    `add rule ${table} beyond ct state established ct direction reply accept`,
    ...namesOf("beyond", named),
    ...[LINK_LOCAL, ...denied].map(
      (network) => `add rule ${table} beyond ip daddr ${network} reject with icmp type admin-prohibited`,
    ),

    ...connectionRules(table, CONTAINERS, subnet, connections),
    "",
  ].join("\n");
}

/** Those that containers are told of. */
async function nameServers(dns: readonly string[]): Promise<string[]> {
  const named = (await resolvers(dns)).matchAll(/^nameserver\s+(\S+)/gm);
  return [...new Set([...named].map(([, address = ""]) => address))].filter(isIpv4);
}
