import { BlockList, isIP } from "node:net";
import { SettingError } from "./setting-error.ts";

/** Proxies in front of a server, whose word about their clients is believed. */
export interface TrustedProxies {
  isTrusted(address: string): boolean;
  /**
   * The client of a connection from `address`: the right-most address in `X-Forwarded-For` that is not a trusted proxy's, since addresses further left
   * may be forged by the client. Of a connection that comes from nobody trusted, the address itself.
   */
  clientOf(address: string, forwardedFor: string | null): string;
}

/** `BERTH_TRUSTED_PROXIES`. @throws SettingError */
export function readTrustedProxies(env: Readonly<Record<string, string | undefined>>): TrustedProxies {
  try {
    return trustedProxies(env.BERTH_TRUSTED_PROXIES ?? "");
  } catch (error) {
    throw new SettingError(
      `BERTH_TRUSTED_PROXIES: ${(error as Error).message}: it lists those of your proxies, such as 10.0.0.0/8,::1`,
    );
  }
}

/** A chain of proxies is short; a longer header is forged. */
const HOPS_MAX = 32;

/**
 * @param list addresses and networks, such as `10.0.0.0/8,::1`; empty for none
 * @throws Error that names the part which is neither an address nor a network
 */
export function trustedProxies(list: string): TrustedProxies {
  const proxies = new BlockList();
  for (const text of list.split(",").map((part) => part.trim())) if (text !== "") add(proxies, text);
  const isTrusted = (address: string) => proxies.check(plainAddress(address), family(plainAddress(address)));
  return {
    isTrusted,
    clientOf(address, forwardedFor) {
      let client = plainAddress(address);
      const hops = isTrusted(client) ? (forwardedFor?.split(",") ?? []) : [];
      for (const hop of hops.slice(-HOPS_MAX).reverse()) {
        const before = plainAddress(hop.trim());
        // A trusted proxy may write "unknown": then its own address stands for the client.
        if (isIP(before) === 0) break;
        client = before;
        if (!isTrusted(client)) break;
      }
      return client;
    },
  };
}

/** The address without a port or brackets, which some proxies add, and without an IPv6 prefix or zone. */
export function plainAddress(address: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::[0-9]+)?$/.exec(address) ?? [];
  const [, withPort] = /^([0-9.]+):[0-9]+$/.exec(address) ?? [];
  return (bracketed ?? withPort ?? address).replace(/%.*$/, "").replace(/^::ffff:(?=[0-9.]+$)/i, "");
}

const family = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

function add(proxies: BlockList, text: string): void {
  const [, address = "", prefix] = /^([^/]+?)(?:\/([0-9]{1,3}))?$/.exec(text) ?? [];
  const bits = isIP(address) === 6 ? 128 : 32;
  const length = prefix === undefined ? bits : Number(prefix);
  if (isIP(address) === 0 || length > bits) throw new Error(`"${text}" is neither an address nor a network`);
  proxies.addSubnet(address, length, family(address));
}
