import { availableParallelism } from "node:os";
import { DomainError } from "../../schemas/errors.ts";

/**
 * Argon2id occupies a thread of the pool that also checks signatures, reads files and resolves names. Half of the
 * machine is for passwords, so that the rest answers everybody else.
 */
const AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2));
/** At about an eighth of a second each, who waits last waits for four seconds, and so does not give up before. */
const WAITING_MAX = 32 * AT_ONCE;
/** More than these at once are turned away. */
export const PASSWORDS_MAX = AT_ONCE + WAITING_MAX;

type Algorithm = Pick<typeof Bun.password, "hash" | "verify">;

/** Hashes passwords and checks them, a few at a time and the others in the order in which they came. */
export class Passwords {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param algorithm, atOnce, waitingMax for tests */
  constructor(
    private readonly algorithm: Algorithm = Bun.password,
    private readonly atOnce = AT_ONCE,
    private readonly waitingMax = WAITING_MAX,
  ) {}

  /** @throws OVERLOADED when too many wait already */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => this.algorithm.hash(password));
  }

  /** @throws OVERLOADED when too many wait already */
  verify(password: string, hash: string): Promise<boolean> {
    return this.#inTurn(() => this.algorithm.verify(password, hash));
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.atOnce) this.#running++;
    else await this.#acquireSlot();
    try {
      return await work();
    } finally {
      // Whoever is next takes this place over, so that nobody who comes now is before them.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }

  #acquireSlot(): Promise<void> {
    if (this.#waiting.length >= this.waitingMax) {
      throw new DomainError("OVERLOADED", "Too many people sign in at the moment. Try again shortly");
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
