import { BoundedMap } from "../../../system/bounded-map.ts";
import type { Reply } from "../transport/wire.ts";

/** Refusals that are remembered: some seconds' worth under load, after which no copy of a request is still on its way. */
const REFUSED_KEPT_MAX = 10_000;

/**
 * The requests that a host has in flight. A caller without a reply sends its request again; both copies must get the same
 * reply. What was done has a receipt. What was refused has none, and a copy that runs later might not be refused.
 */
export class InFlightRequests {
  readonly #open = new Set<string>();
  readonly #refused = new BoundedMap<string, Reply>(REFUSED_KEPT_MAX);

  get size(): number {
    return this.#open.size;
  }

  /** Whether the request is new; else it is in flight already, or it was refused with this reply. */
  begin(request: string): "new" | "in flight" | Reply {
    if (this.#open.has(request)) return "in flight";
    const refused = this.#refused.get(request);
    if (refused !== undefined) return refused;
    this.#open.add(request);
    return "new";
  }

  end(request: string, outcome: Reply): void {
    this.#open.delete(request);
    if (outcome.status !== "error") return;
    this.#refused.set(request, outcome);
  }
}
