import { Refusal } from "../http1/refusal.ts";
import { ConnectionLimiter } from "../web/connection-limiter.ts";
import type { Limits } from "./limits.ts";

const RETRY: Readonly<Record<string, string>> = { "Retry-After": "5" };

/** Limits the senders and receivers of a pipe, and the buffered bytes of waiting senders. */
export class PeerLimiter {
  readonly #connections: ConnectionLimiter;
  #heldBytes = 0;

  constructor(private readonly limits: Limits) {
    this.#connections = new ConnectionLimiter({
      max: limits.peersMax,
      perAddressMax: limits.peersPerAddressMax,
      perProxyMax: limits.peersPerLoopbackMax,
    });
  }

  get count(): number {
    return this.#connections.count;
  }

  /** Admits a peer. Returns the function that releases its permit. @throws Refusal 429 or 503 */
  enter(address: string): () => void {
    const admission = this.#connections.enter(address);
    if (admission.isAdmitted) return admission.leave;
    const { held } = admission;
    if (held === undefined) throw new Refusal(503, "All places are taken.", RETRY);
    throw new Refusal(429, `This address holds ${held} connections already.`, RETRY);
  }

  /**
   * Adds to the buffered bytes of waiting senders; a negative number for released bytes. Returns whether the total is
   * within its limit.
   */
  hold(bytes: number): boolean {
    this.#heldBytes += bytes;
    return this.#heldBytes <= this.limits.heldBytesMax;
  }
}
