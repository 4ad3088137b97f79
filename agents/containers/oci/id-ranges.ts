import { randomInt } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ContainerError } from "../driver.ts";

/** As many as most images use; also what the kernel keeps for `nobody` is among them. */
export const RANGE_IDS = 65_536;
/** Above what systemd and shadow give to users and containers of theirs, below what programs take for negative. */
export const FIRST_ID = 0x7000_0000;
const RANGES = 4_096;

/** The words before a command that a container's root runs on the host. */
export const asRootOf = (firstId: number): string[] => [
  "setpriv",
  `--reuid=${firstId}`,
  `--regid=${firstId}`,
  "--clear-groups",
];

/**
 * Which ids of the host a container's ids are: a range for each container alone, noted in a folder as a file named by the range that
 * holds the container's id. It stays the container's until that is removed, since its files belong to these ids.
 */
export class IdRanges {
  readonly #ranges = new Map<string, number>();
  #loaded: Promise<void> | null = null;

  constructor(private readonly folder: string) {}

  /**
   * The first id of a container's range.
   *
   * @throws ContainerError when the host has none left
   */
  async claim(containerId: string): Promise<number> {
    await this.#load();
    const known = this.#ranges.get(containerId);
    if (known !== undefined) return firstIdOf(known);
    this.#loaded = this.#read();
    await this.#loaded;
    const noted = this.#ranges.get(containerId);
    if (noted !== undefined) return firstIdOf(noted);
    const taken = new Set(this.#ranges.values());
    // Anywhere: agents of one host do not know of each other's.
    const start = randomInt(RANGES);
    for (let step = 0; step < RANGES; step += 1) {
      const range = (start + step) % RANGES;
      if (taken.has(range)) continue;
      // Before anything is waited for: another container's claim is under way, perhaps.
      this.#ranges.set(containerId, range);
      await writeFile(this.#file(range), containerId, { mode: 0o600 });
      return firstIdOf(range);
    }
    throw new ContainerError("its host has no user ids left for another container");
  }

  async release(containerId: string): Promise<void> {
    await this.#load();
    const range = this.#ranges.get(containerId);
    if (range === undefined) return;
    await rm(this.#file(range), { force: true });
    this.#ranges.delete(containerId);
  }

  #load(): Promise<void> {
    this.#loaded ??= this.#read();
    return this.#loaded;
  }

  async #read(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.folder)) {
      const containerId = await readFile(join(this.folder, name), "utf8");
      if (containerId !== "") this.#ranges.set(containerId, Number(name));
    }
  }

  #file(range: number): string {
    return join(this.folder, String(range));
  }
}

const firstIdOf = (range: number): number => FIRST_ID + range * RANGE_IDS;
