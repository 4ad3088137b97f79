import type { AnyDefinition } from "../definition.ts";
import { Activation } from "./activation.ts";

/** Actors in memory without work, a lane. The one that was idle longest goes first. */
const IDLE_CELLS_MAX = 20_000;
/** Actors that are looked at, at most, to find an idle one when another comes in. */
const EVICT_LOOKS_MAX = 16;

/** The actors that a lane has in memory, those that were used last at the end. */
export class ActivationCache {
  readonly #activations = new Map<string, Activation>();

  get size(): number {
    return this.#activations.size;
  }

  /** The actor's activation, which is made when there is none. */
  use(definition: AnyDefinition, id: string, partition: number, epoch: number): Activation {
    const address = `${definition.kind}/${id}`;
    let activation = this.#activations.get(address);
    if (activation === undefined) {
      this.#evict();
      activation = new Activation(definition, id, partition, epoch);
    } else {
      this.#activations.delete(address);
    }
    this.#activations.set(address, activation);
    return activation;
  }

  /** Takes out the actors of a partition. */
  removePartition(partition: number): Activation[] {
    const taken: Activation[] = [];
    for (const [address, activation] of this.#activations) {
      if (activation.partition !== partition) continue;
      this.#activations.delete(address);
      taken.push(activation);
    }
    return taken;
  }

  /** True when nothing of this partition waits, runs or is being committed. */
  isDrained(partition: number): boolean {
    for (const activation of this.#activations.values()) {
      if (activation.partition === partition && !activation.isDrained) return false;
    }
    return true;
  }

  /** Forgets idle actors, those that were not used for longest first, until no more than so many are left. */
  evictIdle(actorsMax: number): void {
    for (const [address, activation] of this.#activations) {
      if (this.#activations.size <= actorsMax) return;
      if (activation.isEvictable) this.#activations.delete(address);
    }
  }

  #evict(): void {
    if (this.#activations.size < IDLE_CELLS_MAX) return;
    let looks = 0;
    for (const [address, activation] of this.#activations) {
      if (this.#activations.size < IDLE_CELLS_MAX || ++looks > EVICT_LOOKS_MAX) return;
      if (activation.isEvictable) this.#activations.delete(address);
    }
  }
}
