/** Random numbers of a seed (sfc32): the same seed gives the same numbers on every machine. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995;
    this.#c = 0x2545f491;
    // The first numbers still resemble the seed.
    for (let i = 0; i < 15; i++) this.next();
  }

  /** 0 up to and without 1. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return probability > 0 && this.next() < probability;
  }

  between(from: number, to: number): number {
    return from + this.next() * (to - from);
  }

  /** 0 up to and without `below`. */
  integer(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** Mostly short, sometimes several times the mean. */
  around(mean: number): number {
    return -Math.log(1 - this.next()) * mean;
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.integer(list.length)];
    if (found === undefined) throw new Error("nothing to pick from");
    return found;
  }
}
