import { test } from "bun:test";

/**
 * `test` where the machine has what it takes; elsewhere the test is skipped and its name says why.
 *
 * @param holds whether the machine has it
 * @param needs in words: "root", "nft"
 * @example testWhere(process.getuid?.() === 0, "root")("a packet is dropped", async () => { … })
 */
export function testWhere(
  holds: boolean,
  needs: string,
): (name: string, run: () => void | Promise<void>) => void {
  return holds ? (name, run) => test(name, run) : (name, run) => test.skip(`${name} (needs ${needs})`, run);
}
