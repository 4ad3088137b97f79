import { isIP } from "node:net";
import { networkOf } from "../../system/client-network.ts";
import { plainAddress, type TrustedProxies } from "../../system/trusted-proxies.ts";

export interface Connection {
  readonly request: Request;
  readonly server: { requestIP(request: Request): { address: string } | null } | null;
}

/** The client's network address as a key for limits: an IPv4 address, or the /64 of an IPv6 address. */
export type AddressOf = (connection: Connection) => string;

/**
 * Makes the function that reads a client's address, from `X-Forwarded-For` where a trusted proxy made the connection.
 *
 * @param proxies those in front of this gateway
 */
export function clientAddresses(proxies: TrustedProxies): AddressOf {
  return ({ server, request }) => {
    const address = plainAddress(server?.requestIP(request)?.address ?? "");
    if (isIP(address) === 0) return "unknown";
    return networkOf(proxies.clientOf(address, request.headers.get("x-forwarded-for")));
  };
}
