import type { DesiredFirewall } from "../../schemas/desired.ts";
import { run } from "../command.ts";
import { type ContainerLink, compile, compileRemoval, counterNames, tableOf } from "./compile.ts";
import { Expectation } from "./expectation.ts";
import { type KernelTable, readListing } from "./listing.ts";

/** The kernel's packet filter, as far as it concerns containers: tables named `fw_<container>`, family inet. */
export class PacketFilter {
  readonly #nft: readonly string[];
  /** Counters of rules that each table has, as last seen: what an update has to tidy away. */
  readonly #counters = new Map<string, readonly string[]>();
  readonly #expectation = new Expectation();

  /** @param nft how nft is started; with a prefix when the host is another network namespace */
  constructor(nft: readonly string[] = ["nft"]) {
    this.#nft = nft;
  }

  /**
   * Puts a container's rules in force, at once and as a whole, also before its interface exists. Counters of
   * rules that stay keep their counts.
   *
   * @throws CompileError, CommandError; then the former rules are in force
   */
  async apply(desired: DesiredFirewall, link: ContainerLink): Promise<void> {
    const id = desired.container_id;
    const replacement = compile(desired, link, { kind: "replace" });
    const present = this.#counters.get(id);
    if (present === undefined) {
      await this.load(replacement);
    } else {
      const update = compile(desired, link, { kind: "update", counters: present });
      // An update builds on what the table was; when someone changed that, only a new table is sure to be right.
      await this.load(update).catch(() => this.load(replacement));
    }
    this.#counters.set(id, counterNames(desired));
  }

  /** Like `apply`, on no assumption about the present table: for one that is not what was applied. */
  async restore(desired: DesiredFirewall, link: ContainerLink): Promise<void> {
    this.#counters.delete(desired.container_id);
    await this.apply(desired, link);
  }

  /** Removes a container's table: it is open. Fine when there is none. */
  async detach(containerId: string): Promise<void> {
    await this.load(compileRemoval(containerId));
    this.#counters.delete(containerId);
  }

  /**
   * The fingerprint of the table that these rules make, by the rules and not by what the kernel holds now. It is for
   * the one that watches: nobody who applies rules waits for it.
   *
   * @throws CompileError, CommandError
   */
  async expect(desired: DesiredFirewall, link: ContainerLink): Promise<string> {
    return this.#expectation.fingerprint(desired.container_id, compile(desired, link, { kind: "replace" }));
  }

  /** The container's table as it is now; null when there is none. */
  async inspect(containerId: string): Promise<KernelTable | null> {
    const name = tableOf(containerId);
    const listing = await run([...this.#nft, "-s", "list", "table", "inet", name]).catch((error: Error) => {
      if (error.message.includes("No such file or directory")) return "";
      throw error;
    });
    const table = readListing(listing).get(containerId);
    if (table === undefined) return null;
    this.#counters.set(containerId, table.counters);
    return table;
  }

  /** The tables of all containers on this host, by container id: one process, however many there are. */
  async inspectAll(): Promise<Map<string, KernelTable>> {
    const all = readListing(await run([...this.#nft, "-s", "list", "ruleset", "inet"]));
    for (const [id, { counters }] of all) {
      // What is known from an apply may be newer than this listing.
      if (!this.#counters.has(id)) this.#counters.set(id, counters);
    }
    return all;
  }

  /** Loads nft text: all of it or, when it is refused, nothing. Throws CommandError with nft's reason. */
  async load(text: string): Promise<void> {
    await run([...this.#nft, "-f", "-"], text);
  }
}
