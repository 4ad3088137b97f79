import type { Clock } from "../ports.ts";
import type { Activation, PendingRequest } from "./activation.ts";
import { EXPIRED } from "./replies.ts";

/** How often the waiting requests are checked for passed deadlines. */
const SWEEP_MS = 1_000;

/** The actors of a lane with requests that wait for sagas. Requests whose deadline has passed are removed. */
export class Waiters {
  readonly #activations = new Set<Activation>();
  #isExpiring = false;

  constructor(private readonly clock: Clock) {}

  add(activation: Activation, saga: string, request: PendingRequest): void {
    activation.addWaiter(saga, request);
    this.#activations.add(activation);
    this.#expireLater();
  }

  /** Removes and returns all waiting requests of an actor. */
  takeAll(activation: Activation): PendingRequest[] {
    this.#activations.delete(activation);
    return activation.takeWaiters();
  }

  #expireLater(): void {
    if (this.#isExpiring) return;
    this.#isExpiring = true;
    this.clock.after(SWEEP_MS, () => {
      this.#isExpiring = false;
      const now = this.clock.monotonicMs();
      for (const activation of this.#activations) {
        for (const [saga, request] of activation.expireWaiters(now)) {
          // The next request reads the state of the saga from the database.
          activation.invalidateReceipts(saga);
          request.reply(EXPIRED);
        }
        if (activation.waiters.size === 0) this.#activations.delete(activation);
      }
      if (this.#activations.size > 0) this.#expireLater();
    });
  }
}
