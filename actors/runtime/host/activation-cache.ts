import type { AnyDefinition } from "../definition.ts";
import { Activation } from "./activation.ts";

/** Idle actors that a lane keeps in memory. The one that has been idle longest is evicted first. */
const IDLE_ACTIVATIONS_MAX = 20_000;
/** How many actors are examined to find an idle one when a new one is loaded. */
const EVICT_LOOKS_MAX = 16;

/**
 * Receipts that a lane keeps for immediate retries, of all its actors together: some 25 MB. Without a bound ten thousand busy actors would take a gigabyte for
 * requests that nobody repeats.
 */
const RECEIPTS_KEPT_MAX = 16_384;
/** How many receipts are committed between two looks at all of them. */
const RECEIPTS_BETWEEN_LOOKS = 4_096;

/** The actors that a lane has in memory, in the order of their last use. */
export class ActivationCache {
  readonly #activations = new Map<string, Activation>();
  #receiptsSinceLook = 0;

  get size(): number {
    return this.#activations.size;
  }

  /** The actor's activation. It is created when there is none. */
  getOrCreate(definition: AnyDefinition, id: string, partition: number, epoch: number): Activation {
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

  /** Removes the actors of a partition, and returns them. */
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

  /** Evicts idle actors, the least recently used first, until at most so many are left. */
  evictIdle(actorsMax: number): void {
    for (const [address, activation] of this.#activations) {
      if (this.#activations.size <= actorsMax) return;
      if (activation.isEvictable) this.#activations.delete(address);
    }
  }

  /** Counts receipts that were committed. From time to time those of the actors that were used least recently are dropped: they are in the database. */
  receiptsCommitted(count: number): void {
    this.#receiptsSinceLook += count;
    if (this.#receiptsSinceLook < RECEIPTS_BETWEEN_LOOKS) return;
    this.#receiptsSinceLook = 0;
    let kept = 0;
    for (const { receipts } of this.#activations.values()) kept += receipts.size;
    for (const activation of this.#activations.values()) {
      if (kept <= RECEIPTS_KEPT_MAX) return;
      // What could be unloaded as a whole can also lose a part.
      if (!activation.isEvictable) continue;
      kept -= activation.receipts.size;
      activation.forgetReceipts();
    }
  }

  #evict(): void {
    if (this.#activations.size < IDLE_ACTIVATIONS_MAX) return;
    let looks = 0;
    for (const [address, activation] of this.#activations) {
      if (this.#activations.size < IDLE_ACTIVATIONS_MAX || ++looks > EVICT_LOOKS_MAX) return;
      if (activation.isEvictable) this.#activations.delete(address);
    }
  }
}
