import type { FirewallStatus } from "../../schemas/hosting/desired.ts";

/**
 * Reports of revisions that are not known here yet. A host that reports more of them is faulty: it can only know
 * revisions that exist.
 */
const AHEAD_MAX = 64;
/** Time between two reads of the record, however many reports arrive meanwhile. */
const LOOK_EVERY_MS = 20;

/**
 * The reports of a host on one container's firewall while a change of it waits. A report counts once its revision
 * exists. A report of a revision that does not exist neither ends the wait nor replaces a real one.
 */
export class ReportedRevisions {
  /** The report of the highest revision. */
  #highest: FirewallStatus | undefined;
  /** The newest report of a revision that could not be applied. */
  #failure: FirewallStatus | undefined;
  /** The revision of the waiting change; undefined until it is committed. */
  #awaited: number | undefined;
  /** By revision: reports of revisions that another change may have made by now. */
  #ahead = new Map<number, FirewallStatus>();
  #isReading = false;
  #isClosed = false;
  #settled = () => {};

  /**
   * @param known the revision of the record, as it was read before the change
   * @param applied the revision that the host had then: it never goes back to an earlier one
   * @param readRevision the revision of the record now
   */
  constructor(
    private known: number,
    private readonly applied: number,
    private readonly readRevision: () => Promise<number>,
  ) {}

  add(status: FirewallStatus): void {
    if (status.revision <= this.known) {
      this.#accept(status);
      return;
    }
    this.#ahead.set(status.revision, status);
    // The highest is the least likely to exist.
    if (this.#ahead.size > AHEAD_MAX) this.#ahead.delete(Math.max(...this.#ahead.keys()));
    if (this.#awaited !== undefined) void this.#resolveAhead();
  }

  /**
   * Waits until the host reports this revision or a later one, or a failure; returns without either when the time is
   * over.
   */
  async waitFor(revision: number, timeoutMs: number): Promise<void> {
    this.#awaited = revision;
    this.#raise(revision);
    if (this.#ahead.size > 0) void this.#resolveAhead();
    if (this.newest !== undefined) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#settled = () => {
        if (this.newest === undefined) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** The report that settles the awaited revision; undefined until there is one. */
  get newest(): FirewallStatus | undefined {
    const isThere = this.#highest !== undefined && this.#highest.revision >= (this.#awaited ?? Infinity);
    return isThere ? this.#highest : this.#failure;
  }

  /** The report of the highest revision, whether or not it settles the awaited one. */
  get highest(): FirewallStatus | undefined {
    return this.#highest;
  }

  close(): void {
    this.#isClosed = true;
  }

  #accept(status: FirewallStatus): void {
    if (this.#highest === undefined || status.revision >= this.#highest.revision) this.#highest = status;
    if (status.error !== null && status.revision >= this.applied) this.#failure = status;
    this.#settled();
  }

  /** Records that revisions up to this one exist. */
  #raise(revision: number): void {
    this.known = Math.max(this.known, revision);
    for (const [ahead, status] of [...this.#ahead].sort(([one], [other]) => one - other)) {
      if (ahead > this.known) break;
      this.#ahead.delete(ahead);
      this.#accept(status);
    }
  }

  /** Reads the record to learn which of the reported revisions exist, and drops the others. */
  async #resolveAhead(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#ahead.size > 0 && !this.#isClosed) {
      const asked = [...this.#ahead.keys()];
      // While the database is unavailable, the wait ends by its time limit.
      const revision = await this.readRevision().catch(() => this.known);
      this.#raise(revision);
      for (const made of asked) this.#ahead.delete(made);
      if (this.#ahead.size > 0) await Bun.sleep(LOOK_EVERY_MS);
    }
    this.#isReading = false;
  }
}
