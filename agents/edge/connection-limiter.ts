import { isLoopback, networkOf } from "../http1/network.ts";
import type { Limits } from "./limits.ts";

/** Counts connections, all of them and those of each address, so that nobody holds them all. */
export class ConnectionLimiter {
  readonly #byNetwork = new Map<string, number>();
  #count = 0;

  constructor(private readonly limits: Limits) {}

  /** Takes a place. Returns what gives it back, once; undefined when there is none left. */
  enter(address: string): (() => void) | undefined {
    const network = networkOf(address);
    const { connectionsMax, connectionsPerAddressMax, connectionsPerLoopbackMax } = this.limits;
    const own = this.#byNetwork.get(network) ?? 0;
    const ownMax = isLoopback(network) ? connectionsPerLoopbackMax : connectionsPerAddressMax;
    if (own >= ownMax || this.#count >= connectionsMax) return undefined;
    this.#byNetwork.set(network, own + 1);
    this.#count += 1;
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#count -= 1;
      const left = (this.#byNetwork.get(network) ?? 1) - 1;
      if (left === 0) this.#byNetwork.delete(network);
      else this.#byNetwork.set(network, left);
    };
  }
}
