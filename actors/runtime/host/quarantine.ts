import type { Logger } from "pino";
import type { Clock } from "../ports.ts";
import type { Activation } from "./activation.ts";

/** Faults in a row after which an actor is set aside: one or two may be a bad request. */
const FAULTS_MAX = 3;
/** How long, at first; doubled with each fault after that, up to the longest. */
const ASIDE_MS = 5_000;
const ASIDE_MS_MAX = 5 * 60_000;

/**
 * Actors that are set aside, since the database refuses what they do or their record cannot be read. Their messages are
 * refused at once, so that they cost their neighbours nothing; after a while they get another chance.
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

  /** Counts a fault. True when it was one too many. */
  fault(activation: Activation): boolean {
    activation.faults += 1;
    if (activation.faults < FAULTS_MAX) return false;
    this.#hold(activation);
    return true;
  }

  /** Sets an actor aside at once. */
  add(activation: Activation): void {
    activation.faults = Math.max(activation.faults + 1, FAULTS_MAX);
    this.#hold(activation);
  }

  release(activation: Activation): void {
    this.#activations.delete(activation);
  }

  #hold(activation: Activation): void {
    const ms = Math.min(ASIDE_MS * 2 ** (activation.faults - FAULTS_MAX), ASIDE_MS_MAX);
    activation.quarantinedUntilMs = this.clock.monotonicMs() + ms;
    this.#activations.add(activation);
    this.log.error({ actor: activation.address, ms }, "an actor is set aside");
  }
}
