import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { run } from "../exec/command.ts";
import { AddressPool } from "./addresses.ts";
import type { CommitMonitor } from "./nft/commit-monitor.ts";
import type { EgressPolicy } from "./nft/host-rules.ts";
import { HostTable } from "./nft/host-table.ts";

/** The host's side of containers' links, in the `namespaces` driver. */

/** Name of the host's end of a container's link: at most 15 characters, the kernel's limit. */
export const vethOf = (containerId: string) => `bv${containerId.slice(-13)}`;

/** Whether a name is that of a container's link. */
export const isVeth = (name: string) => /^bv[0-9a-f]{13}$/.test(name);

/** The metric of the unreachable routes for agents' subnets: a number that nothing else is likely to use. */
export const UNREACHABLE_METRIC = 770_077;

const FORWARDING = "/proc/sys/net/ipv4/ip_forward";
/** All routes of the main table with their metrics, and the prefixes of all tables. */
const ROUTES = ["/proc/net/route", "/proc/net/fib_trie"];
/** After this time the routes are read by `ip` again, in case these files did not tell of a change. */
const BACKSTOP_MS = 60_000;

/**
 * The host's network for containers of one subnet: they connect out under the host's address, and cannot reach what
 * is denied to them.
 */
export class HostNetwork {
  readonly #subnet: string;
  /** Addresses of the host itself, towards its containers. */
  readonly #own: readonly string[];
  readonly #table: HostTable;
  /** The kernel's routes when all of ours were among them: while nobody changes them, no program has to read them. */
  #inSync = "";
  #inSyncUntilMs = 0;

  constructor(subnet: string) {
    this.#subnet = subnet;
    const { edge, gateway } = new AddressPool(subnet);
    this.#own = [edge, gateway];
    this.#table = new HostTable(subnet);
  }

  /**
   * Prepares the network. Addresses without a running container are unreachable: otherwise packets for a stopped one
   * would leave by the default route.
   */
  async prepare(policy: EgressPolicy): Promise<void> {
    await writeFile(FORWARDING, "1");
    await this.#table.apply(policy);
    await run(["ip", "route", "replace", ...routeOf(this.#subnet)]);
    for (const address of this.#own) await run(["ip", "route", "replace", ...localRouteOf(address)]);
  }

  /** Removes what `prepare` made. Forwarding stays on: others of this host may rely on it. */
  async release(): Promise<void> {
    await this.#table.remove();
    const { isRouted, local } = await readRoutes(this.#subnet, this.#own);
    if (isRouted) await run(["ip", "route", "del", ...routeOf(this.#subnet)]);
    for (const address of local) await run(["ip", "route", "del", ...localRouteOf(address)]);
  }

  /** Describes, for a log, what other programs have changed since `prepare`; empty if nothing. */
  async differences(policy: EgressPolicy, monitor?: CommitMonitor): Promise<string[]> {
    const found: string[] = [];
    if (readFileSync(FORWARDING, "utf8").trim() === "0") found.push("forwarding");
    if (!(await this.#table.isInSync(policy, monitor))) found.push(`inet ${this.#table.name}`);
    return [...found, ...(await this.#missingRoutes())];
  }

  async #missingRoutes(): Promise<string[]> {
    const present = ROUTES.map((file) => readFileSync(file, "utf8")).join("");
    if (present === this.#inSync && performance.now() < this.#inSyncUntilMs) return [];
    const { isRouted, local } = await readRoutes(this.#subnet, this.#own);
    const missing = this.#own
      .filter((address) => !local.has(address))
      .map((address) => `local route ${address}`);
    if (!isRouted) missing.unshift(`route ${this.#subnet}`);
    // What was read before the program did: a change meanwhile differs from it.
    this.#inSync = missing.length === 0 ? present : "";
    this.#inSyncUntilMs = performance.now() + BACKSTOP_MS;
    return missing;
  }
}

const routeOf = (subnet: string) => ["unreachable", subnet, "metric", String(UNREACHABLE_METRIC)];

/**
 * The route that makes an address the host's own, without assigning it to a link, where it would show among the
 * host's addresses.
 */
const localRouteOf = (address: string) => ["local", `${address}/32`, "dev", "lo", "table", "local"];

/** The routes that `prepare` makes, as far as they are there. One program for all: this is looked at again and again. */
async function readRoutes(
  subnet: string,
  addresses: readonly string[],
): Promise<{ isRouted: boolean; local: ReadonlySet<string> }> {
  const queries = [
    `route show exact ${subnet} type unreachable`,
    ...addresses.map((address) => `route show table local exact ${address}/32 type local`),
  ];
  const lines = (await run(["ip", "-batch", "-"], `${queries.join("\n")}\n`)).split("\n");
  const isUnreachable = new RegExp(`^unreachable .* metric ${UNREACHABLE_METRIC}\\b`);
  return {
    isRouted: lines.some((line) => isUnreachable.test(line)),
    local: new Set(addresses.filter((address) => lines.some((line) => line.startsWith(`local ${address} `)))),
  };
}

/** Gives the network namespace of process `pid` its `eth0`, and routes `address` to it. */
export async function createVeth(veth: string, address: string, gateway: string, pid: number): Promise<void> {
  await deleteVeth(veth);
  await run(["ip", "link", "add", veth, "type", "veth", "peer", "name", "eth0", "netns", String(pid)]);
  const settings = `/proc/sys/net/ipv4/conf/${veth}`;
  // Packets with another sender than the container's own address are not taken in, firewall or not. The host may have set
  // 2 for all links, which is weaker and wins: the host's table has a rule for that (`hostRules`).
  await writeFile(`${settings}/rp_filter`, "1");
  await writeFile(`${settings}/accept_redirects`, "0");
  // Containers have no IPv6; otherwise the kernel would give the link an address that no rule covers.
  const ipv6 = `/proc/sys/net/ipv6/conf/${veth}/disable_ipv6`;
  if (existsSync(ipv6)) await writeFile(ipv6, "1");
  await run(
    ["ip", "-batch", "-"],
    `addr add ${gateway}/32 dev ${veth}\nlink set ${veth} up\nroute add ${address}/32 dev ${veth}\n`,
  );
}

/** Removes a link with both its ends, if it exists. */
export async function deleteVeth(veth: string): Promise<void> {
  const path = `/sys/class/net/${veth}`;
  if (!existsSync(path)) return;
  await run(["ip", "link", "del", veth]).catch((error) => {
    // The link vanishes with the container's namespace, which the kernel may be removing right now.
    if (existsSync(path)) throw error;
  });
}

/** The container's end of its link, from outside: no program of the container's may change it. */
export async function configureLink(address: string, gateway: string, pid: number): Promise<void> {
  await run(
    ["nsenter", `--net=/proc/${pid}/ns/net`, "ip", "-batch", "-"],
    `link set lo up\naddr add ${address}/32 dev eth0\nlink set eth0 up\nroute add ${gateway} dev eth0 scope link\nroute add default via ${gateway}\n`,
  );
}
