import { BlockList, isIP } from "node:net";

// A list for each: in one, a mapped address of the other family would be found as well.
const PRIVATE = { ipv4: new BlockList(), ipv6: new BlockList() };
const NETWORKS_4 =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4";
// With what stands for an IPv4 address: those of 6to4, NAT64, and the mapped and translated ones.
const NETWORKS_6 =
  "::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/32 2001:db8::/32 2002::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8";
for (const [list, family] of [
  [NETWORKS_4, "ipv4"],
  [NETWORKS_6, "ipv6"],
] as const) {
  for (const network of list.split(" ")) {
    const [address = "", bits] = network.split("/");
    PRIVATE[family].addSubnet(address, Number(bits), family);
  }
}

/** Whether an address is one that the whole internet knows. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  return !PRIVATE[family].check(address, family);
}
