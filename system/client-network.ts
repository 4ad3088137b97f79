import ipaddr from "ipaddr.js";

/**
 * The network that counts as one client for limits: an IPv4 address, or the /64 of an IPv6 address, since a customer
 * usually gets a whole /64. Text that is not an address is returned unchanged.
 *
 * @param address in its canonical form, as sockets report it: `10.1` counts as `10.0.0.1`
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  // Reads `::ffff:192.0.2.1` as the IPv4 address that it contains.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(":")}::/64`;
}

/** Whether a connection comes from this host, possibly from a proxy that serves many clients. */
export const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
