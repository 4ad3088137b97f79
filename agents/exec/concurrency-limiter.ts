/** More is asked for than is done at once. It may be asked for again soon. */
export class Overloaded extends Error {
  override readonly name = "Overloaded";
  /** Most work of this kind is over by then. */
  readonly retryAfterSeconds = 2;
}

export interface ConcurrencyLimits {
  /** Pieces of work of one owner at the same time. */
  readonly perOwner: number;
  readonly total: number;
  /** Of one owner, further pieces that wait for a permit. */
  readonly queuedPerOwner: number;
  readonly queueMsMax: number;
}

interface Waiting {
  readonly owner: string;
  enter(): void;
}

/**
 * Limits how much work of an owner, and of all owners, is under way at the same time, so that one owner does not take the host's memory and
 * processes from the others. Past the limits a piece of work waits for a while, and is then refused.
 */
export class ConcurrencyLimiter {
  readonly #taken = new Map<string, number>();
  #total = 0;
  #waiting: readonly Waiting[] = [];

  constructor(private readonly limits: ConcurrencyLimits) {}

  /**
   * Waits for a permit, and returns the function that releases it. That may be called more than once.
   *
   * @throws Overloaded
   */
  async acquire(owner: string): Promise<() => void> {
    if (!this.#hasPermit(owner)) await this.#wait(owner);
    else this.#enter(owner);
    return this.#releaser(owner);
  }

  /**
   * The same, for what cannot wait.
   *
   * @throws Overloaded
   */
  acquireNow(owner: string): () => void {
    if (!this.#hasPermit(owner)) throw new Overloaded("too much at once");
    this.#enter(owner);
    return this.#releaser(owner);
  }

  #hasPermit(owner: string): boolean {
    return this.#total < this.limits.total && (this.#taken.get(owner) ?? 0) < this.limits.perOwner;
  }

  #enter(owner: string): void {
    this.#total += 1;
    this.#taken.set(owner, (this.#taken.get(owner) ?? 0) + 1);
  }

  #releaser(owner: string): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#total -= 1;
      const left = (this.#taken.get(owner) ?? 0) - 1;
      if (left > 0) this.#taken.set(owner, left);
      else this.#taken.delete(owner);
      this.#admit();
    };
  }

  /** Lets in those who came first and may have a permit now. */
  #admit(): void {
    for (const one of this.#waiting) {
      if (this.#total >= this.limits.total) return;
      if (this.#hasPermit(one.owner)) one.enter();
    }
  }

  async #wait(owner: string): Promise<void> {
    const { queuedPerOwner, queueMsMax } = this.limits;
    if (this.#waiting.filter((one) => one.owner === owner).length >= queuedPerOwner) {
      throw new Overloaded("too many wait already");
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Waiting = {
      owner,
      enter: () => {
        this.#enter(owner);
        this.#waiting = this.#waiting.filter((other) => other !== one);
        resolve();
      },
    };
    const timer = setTimeout(() => {
      this.#waiting = this.#waiting.filter((other) => other !== one);
      reject(new Overloaded("no permit in time"));
    }, queueMsMax);
    this.#waiting = [...this.#waiting, one];
    await promise.finally(() => clearTimeout(timer));
  }
}
