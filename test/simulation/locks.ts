/** `share` is for commits, which go together; `change` is for whoever writes the lease itself. */
export type LockMode = "share" | "change";

interface Request {
  readonly mode: LockMode;
  readonly rows: readonly number[];
  granted(): void;
}

/** Row locks of the lease table: a statement waits for those that hold what it needs, and for those that came before it. */
export class LeaseLocks {
  /** How many share a row; -1 while one changes it. */
  readonly #held = new Map<number, number>();
  readonly #waiting: Request[] = [];

  /** Calls `granted`, now or later, with the function that lets go. */
  acquire(mode: LockMode, rows: readonly number[], granted: (release: () => void) => void): void {
    const request: Request = { mode, rows, granted: () => granted(() => this.#release(request)) };
    this.#waiting.push(request);
    this.#grant();
  }

  /** The server went down: nobody holds or waits for anything. */
  clear(): void {
    this.#held.clear();
    this.#waiting.length = 0;
  }

  /** Grants what can be, one after another: a statement that gets its locks may end, and let go of them, at once. */
  #grant(): void {
    for (let next = this.#grantable(); next !== undefined; next = this.#grantable()) {
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      for (const row of next.rows) {
        this.#held.set(row, next.mode === "change" ? -1 : (this.#held.get(row) ?? 0) + 1);
      }
      next.granted();
    }
  }

  #grantable(): Request | undefined {
    const wanted = new Set<number>();
    return this.#waiting.find(({ mode, rows }) => {
      const isFree = rows.every((row) => !wanted.has(row) && isCompatible(mode, this.#held.get(row) ?? 0));
      if (!isFree) for (const row of rows) wanted.add(row);
      return isFree;
    });
  }

  #release({ mode, rows }: Request): void {
    for (const row of rows) {
      const shares = this.#held.get(row) ?? 0;
      if (mode === "change" || shares <= 1) this.#held.delete(row);
      else this.#held.set(row, shares - 1);
    }
    if (this.#waiting.length > 0) this.#grant();
  }
}

const isCompatible = (mode: LockMode, held: number): boolean => (mode === "share" ? held >= 0 : held === 0);
