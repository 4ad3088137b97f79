import { readFile } from "node:fs/promises";
import { isIP, isIPv4 } from "node:net";

/** Where names are resolved: containers ask their host, and the host asks its name servers. */

/**
 * The resolv.conf of a container. A name without a dot is asked for as it is before it is looked for in the host's domains: it is
 * that of another container.
 *
 * @param address of the host's side of its link
 */
export async function resolvConf(address: string): Promise<string> {
  const lines = (await readLines("/etc/resolv.conf")).filter((line) => /^(search|options)\s/.test(line));
  return [`nameserver ${address}`, ...lines, "options ndots:0", ""].join("\n");
}

/**
 * The name servers that the host's containers could ask themselves: none on its loopback interface.
 *
 * @param dns name servers that the operator chose instead
 */
export async function reachableNameServers(dns: readonly string[]): Promise<string[]> {
  if (dns.length > 0) return [...dns];
  for (const path of ["/etc/resolv.conf", "/run/systemd/resolve/resolv.conf"]) {
    const found = (await nameServersIn(path)).filter((address) => isIPv4(address) && !isLoopback(address));
    if (found.length > 0) return found;
  }
  return [];
}

/** The name servers that the host itself asks for its containers. */
export async function upstreamsOf(dns: readonly string[]): Promise<string[]> {
  return dns.length > 0 ? [...dns] : nameServersIn("/etc/resolv.conf");
}

const isLoopback = (address: string) => address.startsWith("127.") || address === "::1";

async function nameServersIn(path: string): Promise<string[]> {
  const named = (await readLines(path)).map((line) => /^nameserver\s+(\S+)/.exec(line)?.[1] ?? "");
  return [...new Set(named)].filter((address) => isIP(address) !== 0);
}

async function readLines(path: string): Promise<string[]> {
  return (await readFile(path, "utf8").catch(() => "")).split("\n");
}
