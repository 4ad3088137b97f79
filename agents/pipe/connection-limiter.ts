import { isLoopback, networkOf } from "../http1/network.ts";
import { Refusal } from "../http1/refusal.ts";
import type { Limits } from "./limits.ts";

const RETRY: Readonly<Record<string, string>> = { "Retry-After": "5" };

/** Counts who holds a place, so that nobody holds them all. */
export class ConnectionLimiter {
  readonly #byAddress = new Map<string, number>();
  #count = 0;
  #heldBytes = 0;

  constructor(private readonly limits: Limits) {}

  get count(): number {
    return this.#count;
  }

  /** Takes a place. Returns what gives it back, once. @throws Refusal 429 or 503 */
  enter(address: string): () => void {
    const key = networkOf(address);
    const own = this.#byAddress.get(key) ?? 0;
    const max = isLoopback(key) ? this.limits.peersPerLoopbackMax : this.limits.peersPerAddressMax;
    if (own >= max) throw new Refusal(429, `This address holds ${own} connections already.`, RETRY);
    if (this.#count >= this.limits.peersMax) throw new Refusal(503, "All places are taken.", RETRY);
    this.#byAddress.set(key, own + 1);
    this.#count += 1;
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#count -= 1;
      const left = (this.#byAddress.get(key) ?? 1) - 1;
      if (left === 0) this.#byAddress.delete(key);
      else this.#byAddress.set(key, left);
    };
  }

  /** Counts what waiting senders have sent ahead; a negative number when it goes. Returns whether that is still within bounds. */
  hold(bytes: number): boolean {
    this.#heldBytes += bytes;
    return this.#heldBytes <= this.limits.heldBytesMax;
  }
}
