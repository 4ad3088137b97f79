import { BlockList, isIP } from "node:net";
import { networkOf } from "../../system/client-network.ts";

export interface Connection {
  readonly request: Request;
  readonly server: { requestIP(request: Request): { address: string } | null } | null;
}

/** The client's network address as a key for limits: an IPv4 address, or the /64 of an IPv6 address. */
export type AddressOf = (connection: Connection) => string;

/** A chain of proxies is short; a longer header is forged. */
const HOPS_MAX = 32;

/**
 * Makes the function that reads a client's address. If the connection comes from a trusted proxy, the address is the
 * right-most one in `X-Forwarded-For` that is not a trusted proxy's; addresses further left may be forged by the
 * client.
 *
 * @param trusted addresses and networks of the proxies in front of this gateway, such as `10.0.0.0/8,::1`; empty for
 * none
 * @throws Error that names the part which is neither an address nor a network
 */
export function clientAddresses(trusted: string): AddressOf {
  const proxies = new BlockList();
  for (const text of trusted.split(",").map((part) => part.trim())) if (text !== "") add(proxies, text);
  const isTrusted = (address: string) => proxies.check(address, family(address));

  return ({ server, request }) => {
    let address = plain(server?.requestIP(request)?.address ?? "");
    if (isIP(address) === 0) return "unknown";
    const forwarded = isTrusted(address) ? request.headers.get("x-forwarded-for") : null;
    for (const hop of (forwarded?.split(",") ?? []).slice(-HOPS_MAX).reverse()) {
      const before = plain(hop.trim());
      // A trusted proxy may write "unknown": then its own address stands for the client.
      if (isIP(before) === 0) break;
      address = before;
      if (!isTrusted(address)) break;
    }
    return networkOf(address);
  };
}

const family = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

function add(proxies: BlockList, text: string): void {
  const [, address = "", prefix] = /^([^/]+?)(?:\/([0-9]{1,3}))?$/.exec(text) ?? [];
  const bits = isIP(address) === 6 ? 128 : 32;
  const length = prefix === undefined ? bits : Number(prefix);
  if (isIP(address) === 0 || length > bits) throw new Error(`"${text}" is neither an address nor a network`);
  proxies.addSubnet(address, length, family(address));
}

/** The address without a port or brackets, which some proxies add, and without an IPv6 prefix or zone. */
function plain(address: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::[0-9]+)?$/.exec(address) ?? [];
  const [, withPort] = /^([0-9.]+):[0-9]+$/.exec(address) ?? [];
  return (bracketed ?? withPort ?? address).replace(/%.*$/, "").replace(/^::ffff:(?=[0-9.]+$)/i, "");
}
