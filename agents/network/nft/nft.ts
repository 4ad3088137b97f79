import { run } from "../../exec/command.ts";
import type { NftSession } from "./nft-session.ts";

/** The time limit for reading or replacing a whole table: thousands of sets take the kernel seconds. */
const TABLE_MS_MAX = 120_000;

/** Loads text from stdin, and lists the result. */
const LOAD_AND_LIST = "nft -f - && exec nft -s list ruleset inet";

/** Runs the program nft, the only way to the kernel's packet filter. */
export class Nft {
  /**
   * @param command how nft is started; with a prefix when the host is another network namespace
   * @param session a process that runs already; without one each load starts a process
   */
  constructor(
    private readonly command: readonly string[] = ["nft"],
    private readonly session?: NftSession,
  ) {}

  /**
   * Loads text: all of it or, when it is refused, nothing. It is in force when this returns.
   *
   * @throws CommandError with nft's reason
   */
  async load(text: string): Promise<void> {
    if (await this.session?.load(text)) return;
    await run([...this.command, "-f", "-"], text, TABLE_MS_MAX);
  }

  /** The listing of a table; null if it does not exist. @param stateless without the values of counters */
  async listTable(table: string, { stateless = false } = {}): Promise<string | null> {
    const argv = [...this.command, ...(stateless ? ["-s"] : []), "list", "table", "inet", table];
    return run(argv, undefined, TABLE_MS_MAX).catch((error: Error) => {
      if (error.message.includes("No such file or directory")) return null;
      throw error;
    });
  }
}

/**
 * What nft lists once this text is loaded where there is nothing else: in a network namespace that exists for that alone. The host's own
 * table is no reference: a change made right after it was loaded would be taken for the rules.
 *
 * @throws CommandError when nft refuses the text, or no namespace can be made
 */
export function listIsolated(text: string): Promise<string> {
  return run(["unshare", "--net", "--", "/bin/sh", "-c", LOAD_AND_LIST], text);
}
