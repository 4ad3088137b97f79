import { availableParallelism } from "node:os";
import { DomainError } from "../../schemas/errors.ts";

/**
 * Argon2id occupies a thread of the pool that also checks signatures, reads files and resolves names. Half of the
 * cores are for passwords, so that other requests keep being served.
 */
const AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2));
/**
 * At about an eighth of a second each, the last in the queue waits for four seconds, within the time limits of usual
 * clients.
 */
const WAITING_MAX = 32 * AT_ONCE;
/** Passwords beyond this number are refused with OVERLOADED. */
export const PASSWORDS_MAX = AT_ONCE + WAITING_MAX;

/** MiB that a hash takes: an eighth of a second on one core. */
export const PASSWORD_MEMORY_MB = 64;
/** The least that OWASP takes for two passes of Argon2id. */
export const PASSWORD_MEMORY_MB_MIN = 19;
const PASSES = 2;

interface Algorithm {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
}

/** Hashes with so much memory. A hash says what it was made with, so that those of before a change are verified too. */
export const argon2id = (memoryMb: number): Algorithm => ({
  hash: (password) =>
    Bun.password.hash(password, { algorithm: "argon2id", memoryCost: memoryMb * 1024, timeCost: PASSES }),
  verify: (password, hash) => Bun.password.verify(password, hash),
});

/** Hashes and verifies passwords, a few at a time; the others wait in order of arrival. */
export class Passwords {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param atOnce, waitingMax for tests */
  constructor(
    private readonly algorithm: Algorithm,
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
      // The slot passes to the next in the queue, so that a new request cannot overtake it.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }

  #acquireSlot(): Promise<void> {
    if (this.#waiting.length >= this.waitingMax) {
      throw new DomainError("OVERLOADED", "Too many sign-ins at the moment. Try again shortly");
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
