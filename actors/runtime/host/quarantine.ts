import type { Logger } from "pino";
import { backoffMs } from "../../../system/backoff.ts";
import type { Clock } from "../ports.ts";
import type { Activation } from "./activation.ts";

/** The first duration of a quarantine; it doubles each time that the record still cannot be read, up to the longest. */
const QUARANTINE_MS = 5_000;
const QUARANTINE_MS_MAX = 5 * 60_000;

/**
 * Actors whose record cannot be read. Their messages are refused at once, so that they cost other actors nothing;
 * after a while the actor is loaded again. A refused message does not quarantine an actor.
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
    const ms = backoffMs(activation.faults - 1, QUARANTINE_MS, QUARANTINE_MS_MAX);
    activation.quarantinedUntilMs = this.clock.monotonicMs() + ms;
    this.#activations.add(activation);
    this.log.error({ actor: activation.address, ms }, "an actor is quarantined");
  }

  release(activation: Activation): void {
    this.#activations.delete(activation);
  }
}
