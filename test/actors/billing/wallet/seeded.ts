/** Numbers that look random and come again with the same seed, so that a failure can be replayed (mulberry32). */
export class Seeded {
  #state: number;

  constructor(readonly seed: number) {
    this.#state = seed;
  }

  /** From 0 to 1, without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number of both bounds or between them. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** A whole number of up to so many decimal digits; small ones are as likely as large ones. */
  bigint(digitsMax: number): bigint {
    const digits = this.integer(1, digitsMax);
    let text = "";
    for (let i = 0; i < digits; i++) text += this.integer(0, 9);
    return BigInt(text);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.integer(0, from.length - 1)] as T;
  }

  shuffled<T>(items: readonly T[]): T[] {
    const left = [...items];
    const taken: T[] = [];
    while (left.length > 0) taken.push(...left.splice(this.integer(0, left.length - 1), 1));
    return taken;
  }
}
