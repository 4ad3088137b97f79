import type { DesiredFirewall } from "../../schemas/desired.ts";
import type { FirewallCounts } from "../../schemas/firewall.ts";
import { run } from "../command.ts";
import { Limiter } from "../limiter.ts";
import { type ContainerLink, compile, compileRemoval, counterNames, ruleOf, tableOf } from "./compile.ts";
import { Expectation } from "./expectation.ts";
import { type Counts, type KernelTable, readListing, readTables } from "./listing.ts";

/** Short processes that read tables, at a time: applying rules goes before. */
const READERS = 4;
/**
 * Processes that change tables, at a time. The kernel takes one change after the other, and each process reads the chains of all
 * tables first: two hundred at once, as after a start, would be in each other's way until their time is over.
 */
const WRITERS = 2;

/** The kernel's packet filter, as far as it concerns containers: tables named `fw_<container>`, family inet. */
export class PacketFilter {
  readonly #nft: readonly string[];
  /** Counters of rules that each table has, as last seen: what an update has to tidy away. */
  readonly #counters = new Map<string, readonly string[]>();
  /** What counters had counted when they were last seen: a table that is made anew goes on from there. */
  readonly #counts = new Map<string, Counts>();
  readonly #reading = new Map<string, Promise<FirewallCounts>>();
  readonly #readers = new Limiter(READERS);
  readonly #writers = new Limiter(WRITERS);
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
    const replace = () => this.load(compile(desired, link, { kind: "replace", ...this.#countsOf(id) }));
    const present = this.#counters.get(id);
    if (present === undefined) {
      await replace();
    } else {
      const update = compile(desired, link, { kind: "update", counters: present });
      // An update builds on what the table was; when someone changed that, only a new table is sure to be right.
      await this.load(update).catch(async () => {
        await this.inspect(id);
        await replace();
      });
    }
    this.#counters.set(id, counterNames(desired));
  }

  #countsOf(id: string): { counts?: Counts } {
    const counts = this.#counts.get(id);
    return counts === undefined ? {} : { counts };
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
    this.#counts.delete(containerId);
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

  /** The container's table as it is now, to build on: nothing else is being applied to it. Null when there is none. */
  async inspect(containerId: string): Promise<KernelTable | null> {
    const table = await this.look(containerId);
    if (table !== null) this.#counters.set(containerId, table.counters);
    return table;
  }

  /** The same, for one that only watches: what is known from an apply may be newer than what this saw. */
  async look(containerId: string): Promise<KernelTable | null> {
    const name = tableOf(containerId);
    // By its name: the kernel then tells of this table alone. Any listing of several reads all of the host's, twice over.
    const listing = await this.#readers
      .run(() => run([...this.#nft, "list", "table", "inet", name]))
      .catch((error: Error) => {
        if (error.message.includes("No such file or directory")) return "";
        throw error;
      });
    const table = readListing(listing).get(containerId);
    if (table === undefined) return null;
    this.#saw(containerId, table);
    return table;
  }

  /** The containers that have a table with something in it. (To list chains is cheap; to list tables reads all that is in them.) */
  async present(): Promise<Set<string>> {
    return readTables(await run([...this.#nft, "list", "chains", "inet"]));
  }

  /** What the rules of a container have counted until now, by rule. Many who ask at once are told by one process. */
  counts(containerId: string): Promise<FirewallCounts> {
    let reading = this.#reading.get(containerId);
    if (reading === undefined) {
      reading = this.#read(containerId).finally(() => this.#reading.delete(containerId));
      this.#reading.set(containerId, reading);
    }
    return reading;
  }

  async #read(containerId: string): Promise<FirewallCounts> {
    const table = await this.look(containerId);
    return Object.fromEntries(
      [...(table?.counts ?? [])].flatMap(([counter, count]) => {
        const rule = ruleOf(counter);
        return rule === null ? [] : [[rule, count]];
      }),
    );
  }

  /** Counters that someone took out of a table keep what they had when they are put back. */
  #saw(containerId: string, { counts }: KernelTable): void {
    const known = [...(this.#counts.get(containerId) ?? [])];
    const wanted = this.#counters.get(containerId);
    const kept = known.filter(([name]) => !wanted || ruleOf(name) === null || wanted.includes(name));
    this.#counts.set(containerId, new Map([...kept, ...counts]));
  }

  /** Loads nft text: all of it or, when it is refused, nothing. Throws CommandError with nft's reason. */
  async load(text: string): Promise<void> {
    await this.#writers.run(() => run([...this.#nft, "-f", "-"], text));
  }
}
