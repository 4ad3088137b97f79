import { readFileSync } from "node:fs";
import { chain, hook } from "./text.ts";

/**
 * Limits the tracked connections of a container. The kernel has one table for all: when it is full, no new connection
 * is possible.
 */

const TABLE_MAX = "/proc/sys/net/netfilter/nf_conntrack_max";
/** The share of one container: the table has room for 32 containers at their limit. */
const SHARE = 1 / 32;
/** Less is too little for a server that is in use. */
const CONNECTIONS_MIN = 1_024;
/** The upper limit: the kernel scans a container's open connections whenever another is opened. */
const CONNECTIONS_MAX = 8_192;
/** If the kernel does not report its size: half of the size with 4 GB of memory or more. */
const TABLE_SIZE_DEFAULT = 131_072;

/** The kernel does not count what has been closed, and keeps it: by default for 120 s after the end of a TCP connection. */
const CLOSED_SECONDS = 10;
/** Limits new connections a second, so that recently closed connections are about as many as open ones at most. */
const RATE_SHARE = 1 / 10;

/** The largest number of addresses of a subnet. */
export const ADDRESSES_MAX = 65_536;

/** The default limit. */
export function defaultConnectionLimit(tableMax = readTableMax()): number {
  return Math.min(Math.max(Math.floor(tableMax * SHARE), CONNECTIONS_MIN), CONNECTIONS_MAX);
}

function readTableMax(): number {
  try {
    // 0 means a table without a limit.
    return Number(readFileSync(TABLE_MAX, "utf8")) || Number.POSITIVE_INFINITY;
  } catch {
    // The kernel loads connection tracking with the first rule that needs it.
    return TABLE_SIZE_DEFAULT;
  }
}

/**
 * The part of the host's table that bounds containers' connections. Only a connection's first packet gets as far as counting, after all
 * firewalls: what is refused is not kept track of. A connection between two containers counts for the one that opens it, since
 * anybody could use up another's otherwise.
 *
 * @param containers nft's pattern for the names of their links
 * @param subnet of those of this agent
 * @param bound of open connections that a container opens, and of those that come to it from elsewhere
 */
export function connectionRules(table: string, containers: string, subnet: string, bound: number): string[] {
  const pace = Math.max(1, Math.ceil(bound * RATE_SHARE));
  const counted = (side: "from" | "to", address: "saddr" | "daddr") => [
    `add set ${table} ${side}_open { type ipv4_addr; size ${ADDRESSES_MAX}; flags dynamic; }`,
    `add set ${table} ${side}_pace { type ipv4_addr; size ${ADDRESSES_MAX}; flags dynamic,timeout; timeout 1m; }`,
    chain(table, `count_${side}`, [
      'ct timeout set "closed"',
      `add @${side}_open { ip ${address} ct count over ${bound} } goto too_many`,
      `update @${side}_pace { ip ${address} limit rate over ${pace}/second burst ${bound} packets } goto too_many`,
    ]),
  ];
  // By the subnet: each agent of a machine counts its own.
  const first = "ct state new ct status ! confirmed";
  const from = `iifname ${containers} ip saddr ${subnet} ${first} goto count_from`;
  const to = `oifname ${containers} ip daddr ${subnet} ${first} goto count_to`;
  const bounds = { input: [from], forward: [from, `iifname != ${containers} ${to}`], output: [to] };
  return [
    `add ct timeout ${table} closed { protocol tcp; l3proto ip; policy = { time_wait : ${CLOSED_SECONDS}, close : 2 }; }`,
    chain(table, "too_many", [
      "meta l4proto tcp counter reject with tcp reset",
      "counter reject with icmp type admin-prohibited",
    ]),
    ...counted("from", "saddr"),
    ...counted("to", "daddr"),
    ...Object.entries(bounds).map(([name, rules]) =>
      chain(table, `${name}_bound`, [hook(name, "filter + 10"), ...rules]),
    ),
  ];
}

/** A listing of the table without the elements of its sets, which change with every connection. */
export const withoutCounts = (listing: string): string =>
  listing.replace(
    /(\n\tset (?:(?:from|to)_(?:open|pace)|names_pace) \{(?:\n\t\t(?!elements).*)*)\n\t\telements = \{[^}]*\}/g,
    "$1",
  );
