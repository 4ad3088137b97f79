import { BlockList, isIP } from "node:net";
import { networkOf } from "../../system/client-network.ts";

export interface Connection {
  readonly request: Request;
  readonly server: { requestIP(request: Request): { address: string } | null } | null;
}

/** The client's network address as a key for limits: an IPv4 address, or the /64 of an IPv6 address. */
export type AddressOf = (connection: Connection) => string;

/** A chain of proxies is short; who sends a longer header makes it up. */
const HOPS_MAX = 32;

/**
 * How the address of a client is read. Where the connection comes from a trusted proxy it is the right-most address of
 * `X-Forwarded-For` that no trusted proxy has: what stands further left the client may have written itself.
 *
 * @param trusted addresses and networks of the proxies before this gateway, such as `10.0.0.0/8,::1`; none when empty
 * @throws Error naming what is no address and no network
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
      // A trusted proxy wrote no address here ("unknown"): the proxy itself is all that is known.
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
  if (isIP(address) === 0 || length > bits) throw new Error(`"${text}" is no address and no network`);
  proxies.addSubnet(address, length, family(address));
}

/** Without what some proxies add, a port or brackets, and without an IPv6 wrapping or zone. */
function plain(address: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::[0-9]+)?$/.exec(address) ?? [];
  const [, withPort] = /^([0-9.]+):[0-9]+$/.exec(address) ?? [];
  return (bracketed ?? withPort ?? address).replace(/%.*$/, "").replace(/^::ffff:(?=[0-9.]+$)/i, "");
}
