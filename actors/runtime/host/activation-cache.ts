import type { AnyDefinition } from "../definition.ts";
import { Cell } from "./activation.ts";

/** Actors in memory without work, a lane. The one that was idle longest goes first. */
const IDLE_CELLS_MAX = 20_000;
/** Actors that are looked at, at most, to find an idle one when another comes in. */
const EVICT_LOOKS_MAX = 16;

/** The actors that a lane has in memory, those that were used last at the end. */
export class Cells {
  readonly #cells = new Map<string, Cell>();

  get size(): number {
    return this.#cells.size;
  }

  /** The actor's cell, which is made when there is none. */
  use(definition: AnyDefinition, id: string, partition: number, epoch: number): Cell {
    const address = `${definition.kind}/${id}`;
    let cell = this.#cells.get(address);
    if (cell === undefined) {
      this.#evict();
      cell = new Cell(definition, id, partition, epoch);
    } else {
      this.#cells.delete(address);
    }
    this.#cells.set(address, cell);
    return cell;
  }

  /** Takes out the actors of a partition. */
  take(partition: number): Cell[] {
    const taken: Cell[] = [];
    for (const [address, cell] of this.#cells) {
      if (cell.partition !== partition) continue;
      this.#cells.delete(address);
      taken.push(cell);
    }
    return taken;
  }

  /** True when nothing of this partition waits, runs or is being committed. */
  quiet(partition: number): boolean {
    for (const cell of this.#cells.values()) {
      if (cell.partition === partition && !cell.quiet) return false;
    }
    return true;
  }

  /** Forgets idle actors, those that were not used for longest first, until no more than so many are left. */
  shed(actorsMax: number): void {
    for (const [address, cell] of this.#cells) {
      if (this.#cells.size <= actorsMax) return;
      if (cell.idle) this.#cells.delete(address);
    }
  }

  #evict(): void {
    if (this.#cells.size < IDLE_CELLS_MAX) return;
    let looks = 0;
    for (const [address, cell] of this.#cells) {
      if (this.#cells.size < IDLE_CELLS_MAX || ++looks > EVICT_LOOKS_MAX) return;
      if (cell.idle) this.#cells.delete(address);
    }
  }
}
