import type { FirewallStatus } from "../../schemas/hosting/desired.ts";

/** A host that tells of more revisions than this before they exist makes them up; a real one is told of each by its record. */
const AHEAD_MAX = 64;
/** Between two looks at the record, however many reports there are meanwhile. */
const LOOK_EVERY_MS = 20;

/**
 * What a host reports of one container's firewall while a change of it waits. A report counts when its revision exists. One that is made up
 * neither ends the waiting nor takes the place of a real one.
 */
export class ReportedRevisions {
  /** Of the highest revision. */
  #highest: FirewallStatus | undefined;
  /** The newest that tells why a change could not be applied. */
  #failure: FirewallStatus | undefined;
  /** The revision that the waiting change has; undefined until it is committed. */
  #awaited: number | undefined;
  /** By revision: reports of revisions that may exist by now, by somebody else's change. */
  #ahead = new Map<number, FirewallStatus>();
  #isLooking = false;
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
    // The lowest exist first.
    if (this.#ahead.size > AHEAD_MAX) this.#ahead.delete(Math.max(...this.#ahead.keys()));
    if (this.#awaited !== undefined) void this.#look();
  }

  /** What the host says of this revision: that it has it or a later one, or that it failed. Undefined: nothing in time. */
  async waitFor(revision: number, timeoutMs: number): Promise<void> {
    this.#awaited = revision;
    this.#raise(revision);
    if (this.#ahead.size > 0) void this.#look();
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

  /** What settles the awaited revision; undefined while nothing does. */
  get newest(): FirewallStatus | undefined {
    const isThere = this.#highest !== undefined && this.#highest.revision >= (this.#awaited ?? Infinity);
    return isThere ? this.#highest : this.#failure;
  }

  /** Of the highest revision, whether or not it is the awaited one. */
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

  /** From now on revisions up to this one are known to exist. */
  #raise(revision: number): void {
    this.known = Math.max(this.known, revision);
    for (const [ahead, status] of [...this.#ahead].sort(([one], [other]) => one - other)) {
      if (ahead > this.known) break;
      this.#ahead.delete(ahead);
      this.#accept(status);
    }
  }

  /** Asks the record which of the revisions ahead exist, and forgets the others. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (this.#ahead.size > 0 && !this.#isClosed) {
      const asked = [...this.#ahead.keys()];
      // While the database is away the waiting ends by its time limit.
      const revision = await this.readRevision().catch(() => this.known);
      this.#raise(revision);
      for (const made of asked) this.#ahead.delete(made);
      if (this.#ahead.size > 0) await Bun.sleep(LOOK_EVERY_MS);
    }
    this.#isLooking = false;
  }
}
