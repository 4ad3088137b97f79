import type { Logger } from "pino";
import { backoffMs } from "../../../system/backoff.ts";
import type { Clock } from "../ports.ts";
import type { Activation } from "./activation.ts";

/** How long an actor is set aside at first; doubled each time that its record cannot be read again, up to the longest. */
const ASIDE_MS = 5_000;
const ASIDE_MS_MAX = 5 * 60_000;

/**
 * Actors that are set aside, since their record cannot be read. Their messages are refused at once, so that they cost their
 * neighbours nothing; after a while they get another chance. A message that is refused sets no actor aside.
 */
export class Quarantine {
  readonly #activations = new Set<Activation>();

  constructor(
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  get actors(): string[] {
    return [...this.#activations]
      .filter((activation) => this.holds(activation))
      .map((activation) => activation.address);
  }

  holds(activation: Activation): boolean {
    if (activation.quarantinedUntilMs === Number.NEGATIVE_INFINITY) return false;
    if (this.clock.monotonicMs() < activation.quarantinedUntilMs) return true;
    activation.quarantinedUntilMs = Number.NEGATIVE_INFINITY;
    this.#activations.delete(activation);
    return false;
  }

  add(activation: Activation): void {
    activation.faults += 1;
    const ms = backoffMs(activation.faults - 1, ASIDE_MS, ASIDE_MS_MAX);
    activation.quarantinedUntilMs = this.clock.monotonicMs() + ms;
    this.#activations.add(activation);
    this.log.error({ actor: activation.address, ms }, "an actor is set aside");
  }

  release(activation: Activation): void {
    this.#activations.delete(activation);
  }
}
