import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { AddressPool } from "../addresses.ts";
import { run } from "../command.ts";

/** The host's side of containers' links, in the `namespaces` driver. */

/** Name of the host's end of a container's link: at most 15 characters, the kernel's limit. */
export const vethOf = (containerId: string) => `bv${containerId.slice(-13)}`;

/**
 * Lets containers reach out under the host's address. The table is named after the subnet, so that several agents
 * on one machine, each with a subnet of its own, do not undo each other's.
 */
export async function prepareNetwork({ subnet }: AddressPool): Promise<void> {
  await writeFile("/proc/sys/net/ipv4/ip_forward", "1");
  const table = `ip berth_nat_${subnet.replaceAll(/[./]/g, "_")}`;
  await run(
    ["nft", "-f", "-"],
    [
      `add table ${table}`,
      `delete table ${table}`,
      `add table ${table}`,
      `add chain ${table} postrouting { type nat hook postrouting priority srcnat; policy accept; }`,
      `add rule ${table} postrouting ip saddr ${subnet} ip daddr != ${subnet} masquerade`,
      "",
    ].join("\n"),
  );
}

/** Gives the network namespace of process `pid` its `eth0`, and routes `address` to it. */
export async function connect(veth: string, address: string, gateway: string, pid: number): Promise<void> {
  await disconnect(veth);
  await run(["ip", "link", "add", veth, "type", "veth", "peer", "name", "eth0", "netns", String(pid)]);
  const settings = `/proc/sys/net/ipv4/conf/${veth}`;
  // Packets with another sender than the container's own address are not taken in, firewall or not.
  await writeFile(`${settings}/rp_filter`, "1");
  await writeFile(`${settings}/accept_redirects`, "0");
  // Containers have no IPv6; without this the kernel would give the link an address that no rule looks at.
  const ipv6 = `/proc/sys/net/ipv6/conf/${veth}/disable_ipv6`;
  if (existsSync(ipv6)) await writeFile(ipv6, "1");
  await run(
    ["ip", "-batch", "-"],
    `addr add ${gateway}/32 dev ${veth}\nlink set ${veth} up\nroute add ${address}/32 dev ${veth}\n`,
  );
}

/** Removes a link; both ends go. Fine when there is none. */
export async function disconnect(veth: string): Promise<void> {
  const path = `/sys/class/net/${veth}`;
  if (!existsSync(path)) return;
  await run(["ip", "link", "del", veth]).catch((error) => {
    // It goes by itself with the container's namespace, which the kernel may be taking apart just now.
    if (existsSync(path)) throw error;
  });
}
