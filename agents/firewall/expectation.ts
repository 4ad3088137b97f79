import { run } from "../command.ts";
import { readListing } from "./listing.ts";

/**
 * What the kernel makes of a ruleset when nobody else has a hand in it: rules are loaded into a network namespace that exists
 * for that alone, and read back from there. The host's own tables cannot tell: whoever changes one in the moment
 * after it was loaded would be taken at his word.
 */

/** Loads what it reads, and lists what became of it. */
const LOAD_AND_LIST = 'nft -f - && exec nft -s list ruleset "$1"';
const IN_NAMESPACE = ["unshare", "--net", "--", "/bin/sh", "-c", LOAD_AND_LIST, "expectation"];

/**
 * What nft lists once this text is loaded where there is nothing else.
 *
 * @throws CommandError when nft refuses the text, or no namespace can be made
 */
export function listingOf(text: string, family: "inet" | "ip"): Promise<string> {
  return run([...IN_NAMESPACE, family], text);
}

/** What a listing costs grows with the square of the tables in it. */
const TOGETHER_MAX = 20;

interface Asked {
  readonly containerId: string;
  readonly text: string;
  readonly answer: PromiseWithResolvers<string>;
}

/** Fingerprints of rulesets that are not in force anywhere. Those asked for together are told by one namespace. */
export class Expectation {
  readonly #waiting: Asked[] = [];
  #busy = false;

  /**
   * The fingerprint that a container's table has once this text is loaded where there is none.
   *
   * @throws CommandError when nft refuses the text, or no namespace can be made
   */
  fingerprint(containerId: string, text: string): Promise<string> {
    const answer = Promise.withResolvers<string>();
    this.#waiting.push({ containerId, text, answer });
    if (!this.#busy) void this.#answer();
    return answer.promise;
  }

  async #answer(): Promise<void> {
    this.#busy = true;
    // Whoever asks in the same turn comes along.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0, TOGETHER_MAX);
      await this.#load(asked).catch(async (error) => {
        if (asked.length === 1) asked[0]?.answer.reject(error);
        // One that nft refuses spoils it for all: each by itself then.
        else for (const one of asked) await this.#load([one]).catch(one.answer.reject);
      });
    }
    this.#busy = false;
  }

  async #load(asked: readonly Asked[]): Promise<void> {
    const tables = readListing(await listingOf(asked.map(({ text }) => text).join(""), "inet"));
    for (const { containerId, answer } of asked) {
      const table = tables.get(containerId);
      if (table === undefined) answer.reject(new Error("nft took the rules and does not list them"));
      else answer.resolve(table.fingerprint);
    }
  }
}
