import { isLoopback, networkOf } from "../../system/client-network.ts";

export interface ConnectionBounds {
  readonly max: number;
  /** Connections per address (an IPv6 /64 network counts as one). */
  readonly perAddressMax: number;
  /** Behind a proxy on the same machine every client has a loopback address, and behind another one that of the proxy. */
  readonly perProxyMax: number;
  /** Whether an address stands for many clients, besides those of loopback. */
  readonly isProxy?: (address: string) => boolean;
}

export type Admission =
  | {
      readonly isAdmitted: true /** Gives the permit back; a second call does nothing. */;
      readonly leave: () => void;
    }
  /** `held`: how many permits the address holds if its limit is reached; undefined if the total is. */
  | { readonly isAdmitted: false; readonly held: number | undefined };

/** Limits connections in total and per address, so that no client can use them all. */
export class ConnectionLimiter {
  readonly #byNetwork = new Map<string, number>();
  #count = 0;

  constructor(private readonly bounds: ConnectionBounds) {}

  get count(): number {
    return this.#count;
  }

  enter(address: string): Admission {
    const network = networkOf(address);
    const { max, perAddressMax, perProxyMax, isProxy } = this.bounds;
    const held = this.#byNetwork.get(network) ?? 0;
    const isShared = isLoopback(address) || isProxy?.(address) === true;
    if (held >= (isShared ? perProxyMax : perAddressMax)) return { isAdmitted: false, held };
    if (this.#count >= max) return { isAdmitted: false, held: undefined };
    this.#byNetwork.set(network, held + 1);
    this.#count += 1;
    let isInside = true;
    const leave = () => {
      if (!isInside) return;
      isInside = false;
      this.#count -= 1;
      const left = (this.#byNetwork.get(network) ?? 1) - 1;
      if (left === 0) this.#byNetwork.delete(network);
      else this.#byNetwork.set(network, left);
    };
    return { isAdmitted: true, leave };
  }
}
