import type { Clock } from "../ports.ts";
import type { Activation, PendingRequest } from "./activation.ts";
import { EXPIRED } from "./replies.ts";

/** How often those who wait for a saga are looked at, for the ones whose callers have gone. */
const SWEEP_MS = 1_000;

/** The actors of a lane whose requests wait for sagas: lets go those whose callers have given up. */
export class Waiters {
  readonly #activations = new Set<Activation>();
  #isExpiring = false;

  constructor(private readonly clock: Clock) {}

  add(activation: Activation, saga: string, request: PendingRequest): void {
    activation.wait(saga, request);
    this.#activations.add(activation);
    this.#expireLater();
  }

  /** Takes out all who wait at an actor. */
  take(activation: Activation): PendingRequest[] {
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
          // Whoever asks next reads from the database how the saga stands.
          activation.invalidateReceipts(saga);
          request.reply(EXPIRED);
        }
        if (activation.waiters.size === 0) this.#activations.delete(activation);
      }
      if (this.#activations.size > 0) this.#expireLater();
    });
  }
}
