import type { Logger } from "pino";
import type { Clock } from "../ports.ts";
import type { Cell } from "./activation.ts";

/** Faults in a row after which an actor is set aside: one or two may be a bad request. */
const FAULTS_MAX = 3;
/** How long, at first; doubled with each fault after that, up to the longest. */
const ASIDE_MS = 5_000;
const ASIDE_MS_MAX = 5 * 60_000;

/**
 * Actors that are set aside, since the database refuses what they do or their record cannot be read. Their messages are
 * answered at once, so that they cost their neighbours nothing; after a while they get another chance.
 */
export class Quarantine {
  readonly #cells = new Set<Cell>();

  constructor(
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  get actors(): string[] {
    return [...this.#cells].filter((cell) => this.holds(cell)).map((cell) => cell.address);
  }

  holds(cell: Cell): boolean {
    if (cell.quarantinedUntilMs === Number.NEGATIVE_INFINITY) return false;
    if (this.clock.monotonicMs() < cell.quarantinedUntilMs) return true;
    cell.quarantinedUntilMs = Number.NEGATIVE_INFINITY;
    this.#cells.delete(cell);
    return false;
  }

  /** Counts a fault. True when it was one too many. */
  fault(cell: Cell): boolean {
    cell.faults += 1;
    if (cell.faults < FAULTS_MAX) return false;
    this.#hold(cell);
    return true;
  }

  /** Sets an actor aside at once. */
  add(cell: Cell): void {
    cell.faults = Math.max(cell.faults + 1, FAULTS_MAX);
    this.#hold(cell);
  }

  forget(cell: Cell): void {
    this.#cells.delete(cell);
  }

  #hold(cell: Cell): void {
    const ms = Math.min(ASIDE_MS * 2 ** (cell.faults - FAULTS_MAX), ASIDE_MS_MAX);
    cell.quarantinedUntilMs = this.clock.monotonicMs() + ms;
    this.#cells.add(cell);
    this.log.error({ actor: cell.address, ms }, "an actor is set aside");
  }
}
