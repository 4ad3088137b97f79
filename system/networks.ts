import { BlockList, isIP } from "node:net";

/** Tells whether an address is in one of a few networks. An empty list has none. */
export interface Networks {
  readonly isEmpty: boolean;
  includes(address: string): boolean;
}

/** @param text networks such as `10.0.0.0/8, fd00::/8`, or addresses. @throws Error naming the one that is none */
export function parseNetworks(text: string): Networks {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  const parts = text.split(/[\s,]+/).filter((part) => part !== "");
  for (const part of parts) {
    const [address = "", prefix, ...more] = part.split("/");
    const version = isIP(address);
    const bits = version === 6 ? 128 : 32;
    const length = prefix === undefined ? bits : /^[0-9]{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (version === 0 || more.length > 0 || !(length <= bits))
      throw new Error(`"${part}" is no network such as 10.0.0.0/8`);
    const family = version === 6 ? "ipv6" : "ipv4";
    lists[family].addSubnet(address, length, family);
  }
  return {
    isEmpty: parts.length === 0,
    includes: (address) => {
      const version = isIP(address);
      if (version === 0) return false;
      return version === 6 ? lists.ipv6.check(address, "ipv6") : lists.ipv4.check(address, "ipv4");
    },
  };
}
