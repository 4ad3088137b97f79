import { BoundedMap } from "../../../system/bounded-map.ts";
import type { Reply } from "../transport/wire.ts";

/** Refusals that are remembered: those of some seconds under load, by when no copy of their requests is on its way. */
const REFUSED_KEPT_MAX = 10_000;

/**
 * The requests that a host has in flight. A caller that hears nothing sends its request again; both copies must come to one
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
