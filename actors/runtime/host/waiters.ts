import type { Clock } from "../ports.ts";
import type { Cell, Delivery } from "./activation.ts";
import { EXPIRED } from "./replies.ts";

/** How often those who wait for a saga are looked at, for the ones whose callers have gone. */
const SWEEP_MS = 1_000;

/** The actors of a lane whose requests wait for sagas: lets go those whose callers have given up. */
export class Waiters {
  readonly #cells = new Set<Cell>();
  #sweeping = false;

  constructor(private readonly clock: Clock) {}

  add(cell: Cell, saga: string, delivery: Delivery): void {
    cell.wait(saga, delivery);
    this.#cells.add(cell);
    this.#sweepLater();
  }

  /** Takes out all who wait at an actor. */
  take(cell: Cell): Delivery[] {
    this.#cells.delete(cell);
    return cell.takeWaiters();
  }

  #sweepLater(): void {
    if (this.#sweeping) return;
    this.#sweeping = true;
    this.clock.after(SWEEP_MS, () => {
      this.#sweeping = false;
      const now = this.clock.monotonicMs();
      for (const cell of this.#cells) {
        for (const [saga, delivery] of cell.expireWaiters(now)) {
          // Whoever asks next reads from the database how the saga stands.
          cell.doubtReceipts(saga);
          delivery.answer(EXPIRED);
        }
        if (cell.waiters.size === 0) this.#cells.delete(cell);
      }
      if (this.#cells.size > 0) this.#sweepLater();
    });
  }
}
