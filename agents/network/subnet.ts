import { readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { isVeth, UNREACHABLE_METRIC } from "./host-network.ts";

/** Checks whether a subnet can be used for containers: the host must not use it for anything else. */

/** A network in use, in CIDR form, with its use for the text "… which is <use>". */
export interface UsedNetwork {
  readonly network: string;
  readonly use: string;
}

/** Special-purpose networks (RFC 6890). */
const RESERVED: readonly UsedNetwork[] = [
  { network: "0.0.0.0/8", use: "reserved for this network" },
  { network: "127.0.0.0/8", use: "the loopback network" },
  { network: "169.254.0.0/16", use: "the link-local network" },
  { network: "224.0.0.0/4", use: "for multicast" },
  { network: "240.0.0.0/4", use: "reserved" },
];

/** Why a subnet cannot be used for containers; null if it can. @param subnet in CIDR form, valid for `AddressPool` */
export function subnetProblem(subnet: string, taken: readonly UsedNetwork[]): string | null {
  const found = [...RESERVED, ...taken].find(({ network }) => overlap(network, subnet));
  return found === undefined ? null : `${subnet} overlaps ${found.network}, which is ${found.use}`;
}

/** A network, and the interface to which it is routed. */
type RoutedNetwork = UsedNetwork & { readonly name: string };

/** The addresses and routes of this host, without those of containers. */
export async function networksOfHost(): Promise<UsedNetwork[]> {
  const own = Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ family }) => family === "IPv4")
      .map(({ cidr, address }) => ({
        name,
        network: cidr ?? `${address}/32`,
        use: `this host's on ${name}`,
      })),
  );
  return [...own, ...(await routes())].filter(({ name }) => !isVeth(name));
}

/** The addresses of containers that run on this host, whichever agent started them. */
export async function containersOfHost(): Promise<RoutedNetwork[]> {
  return (await routes()).filter(({ name }) => isVeth(name));
}

async function routes(): Promise<RoutedNetwork[]> {
  const lines = (await readFile("/proc/net/route", "utf8").catch(() => "")).split("\n").slice(1);
  return lines.map(readRoute).filter((route) => route !== null);
}

/**
 * Reads a line of /proc/net/route; null for the default route, which every network overlaps, for agents' unreachable
 * routes, and for lines that are not routes.
 */
function readRoute(line: string): RoutedNetwork | null {
  const [name, destination, , , , , metric, mask] = line.split("\t");
  if (name === undefined || destination === undefined || mask === undefined) return null;
  if (name === "*" && Number(metric) === UNREACHABLE_METRIC) return null;
  const octets = (hex: string) =>
    (hex.match(/../g) ?? []).reverse().map((octet) => Number.parseInt(octet, 16));
  const prefix = octets(mask).reduce((bits, octet) => bits + octet.toString(2).replaceAll("0", "").length, 0);
  if (prefix === 0) return null;
  return { name, network: `${octets(destination).join(".")}/${prefix}`, use: `reached through ${name}` };
}

function overlap(one: string, other: string): boolean {
  const [[a, prefixA], [b, prefixB]] = [ipaddr.IPv4.parseCIDR(one), ipaddr.IPv4.parseCIDR(other)];
  return a.match(b, Math.min(prefixA, prefixB));
}
