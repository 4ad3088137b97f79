import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** Addresses that a session must not reach through this service: the servers there trust this machine. */
const NEVER = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  // Link-local, and with it the metadata services of clouds.
  ["169.254.0.0", 16],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  NEVER.addSubnet(net, prefix, "ipv4");
}
for (const [net, prefix] of [
  ["::", 128],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  NEVER.addSubnet(net, prefix, "ipv6");
}
/** Metadata services outside of the link-local ranges. */
NEVER.addAddress("fd00:ec2::254", "ipv6");
NEVER.addAddress("100.100.100.200", "ipv4");
NEVER.addAddress("168.63.129.16", "ipv4");

/** This machine's own addresses, as they are now. */
function hostAddresses(): BlockList {
  const list = new BlockList();
  list.addSubnet("127.0.0.0", 8, "ipv4");
  list.addAddress("::1", "ipv6");
  for (const { address, family } of Object.values(networkInterfaces()).flatMap((all) => all ?? [])) {
    list.addAddress(address.replace(/%.*$/, ""), family === "IPv4" ? "ipv4" : "ipv6");
  }
  return list;
}

/** Whether a session may connect to an address. */
export function mayReach(address: string, options: { own: boolean }): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(canonical(address))?.[1];
  const plain = mapped ?? address;
  const family = isIP(plain) === 4 ? "ipv4" : "ipv6";
  return !NEVER.check(plain, family) && (options.own || !hostAddresses().check(plain, family));
}

/** IPv4 addresses in IPv6 can also be written in hexadecimal, and with the translation prefix of RFC 6052. */
function canonical(address: string): string {
  const hex = /^(?:::ffff:|64:ff9b::)([\da-f]{1,4}):([\da-f]{1,4})$/i.exec(
    isIP(address) === 6 ? (URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1) ?? address) : address,
  );
  if (hex === null) return address;
  const [high, low] = [hex[1], hex[2]].map((part) => Number.parseInt(part ?? "0", 16)) as [number, number];
  return `::ffff:${high >> 8}.${high & 0xff}.${low >> 8}.${low & 0xff}`;
}

/**
 * The address to connect to for a host. The name is resolved only once, so that a second DNS reply cannot lead
 * elsewhere. Null when no address is allowed.
 */
export async function addressOf(host: string, options: { own: boolean }): Promise<string | null> {
  const found = isIP(host) ? [{ address: host }] : await lookup(host, { all: true }).catch(() => []);
  return found.find(({ address }) => mayReach(address, options))?.address ?? null;
}
