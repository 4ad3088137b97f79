import { type ContainerRules, compileTable } from "./compile.ts";
import { readListing } from "./listing.ts";
import { listIsolated } from "./nft.ts";

/** Rule sets that are loaded in one namespace, which costs some ten milliseconds to create. */
const TOGETHER_MAX = 50;

interface Asked {
  readonly rules: ContainerRules;
  readonly answer: PromiseWithResolvers<string>;
}

/**
 * Computes the fingerprints that rules should have, by loading them in an empty network namespace. Requests of one
 * turn share a namespace.
 */
export class Expectation {
  readonly #waiting: Asked[] = [];
  #busy = false;

  constructor(private readonly table: string) {}

  /**
   * The fingerprint of a container's firewall with exactly these rules.
   *
   * @throws CompileError, or CommandError when nft refuses the text, or no namespace can be made
   */
  fingerprint(rules: ContainerRules): Promise<string> {
    const answer = Promise.withResolvers<string>();
    this.#waiting.push({ rules, answer });
    if (!this.#busy) void this.#compare();
    return answer.promise;
  }

  async #compare(): Promise<void> {
    this.#busy = true;
    // Requests of the same turn join this one.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      for (const asked of groupsOf(this.#waiting.splice(0, TOGETHER_MAX))) {
        await this.#load(asked).catch(async (error) => {
          if (asked.length === 1) asked[0]?.answer.reject(error);
          // If nft refuses one of them it refuses all, so each is loaded separately.
          else for (const one of asked) await this.#load([one]).catch(one.answer.reject);
        });
      }
    }
    this.#busy = false;
  }

  async #load(asked: readonly Asked[]): Promise<void> {
    const text = compileTable(
      this.table,
      asked.map(({ rules }) => rules),
    );
    const table = readListing(await listIsolated(text), this.table);
    for (const { rules, answer } of asked) {
      const found = table?.containers.get(rules.desired.container_id);
      if (found === undefined) answer.reject(new Error("nft took the rules and does not list them"));
      else answer.resolve(found.fingerprint);
    }
  }
}

/** Groups the requests: a table can hold only one rule set of a container. */
function groupsOf(asked: readonly Asked[]): Asked[][] {
  const groups: Map<string, Asked>[] = [];
  for (const one of asked) {
    const id = one.rules.desired.container_id;
    const group = groups.find((candidate) => !candidate.has(id));
    if (group) group.set(id, one);
    else groups.push(new Map([[id, one]]));
  }
  return groups.map((group) => [...group.values()]);
}
