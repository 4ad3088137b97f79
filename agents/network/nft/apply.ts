import type { DesiredFirewall } from "../../../schemas/hosting/desired.ts";
import type { FirewallCounts } from "../../../schemas/hosting/firewall.ts";
import { Semaphore } from "../../../system/semaphore.ts";
import {
  type ContainerRules,
  compileAttach,
  compileCounterRemoval,
  compileRemoval,
  compileTable,
  compileTableRemoval,
  compileUpdate,
  countersOf,
  ruleOf,
  type VethEndpoint,
} from "./compile.ts";
import { Expectation } from "./expectation.ts";
import type { KernelFirewall, KernelTable } from "./listing.ts";
import { Nft } from "./nft.ts";
import type { NftSession } from "./nft-session.ts";
import { FirewallReader } from "./reader.ts";
import { CompileError } from "./text.ts";

/**
 * The packet filter for the containers of one agent: one table for all of them. A change of one container touches
 * only its own chains. When the table is not in the expected state, it is rebuilt atomically with the rules of all.
 */
export class PacketFilter {
  readonly #nft: Nft;
  readonly #table: string;
  readonly #reader: FirewallReader;
  readonly #expectation: Expectation;
  /** The rules of each container that the kernel accepted last. */
  readonly #cache = new Map<string, ContainerRules>();
  /** The containers that are known to have chains. */
  readonly #present = new Set<string>();
  /** Whether the shared base chains are known to exist. */
  #hasBaseChains = false;
  /** The number of rebuilds. */
  #rebuilds = 0;
  /** Serializes changes, since each builds on the one before. */
  readonly #changes = new Semaphore(1);

  /**
   * @param table what this agent's table is called
   * @param session a process of nft that runs already: changes do not wait for the start and the end of one
   */
  constructor(table: string, session?: NftSession) {
    this.#nft = new Nft(["nft"], session);
    this.#table = table;
    this.#reader = new FirewallReader(this.#nft, table);
    this.#expectation = new Expectation(table);
  }

  /** Records a container's rules before any change: a table that is rebuilt contains them. */
  seedCache(desired: DesiredFirewall, endpoint: VethEndpoint): void {
    const rules = { desired, endpoint };
    if (!desired.attached) return;
    try {
      compileAttach(this.#table, rules);
      this.#cache.set(desired.container_id, rules);
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      // Applying it will report the error; until then the container is closed instead of open.
      this.#cache.set(desired.container_id, { desired: { ...desired, closed: true, rules: [] }, endpoint });
    }
  }

  /**
   * Applies a container's rules atomically, even before its interface exists. Unchanged rules keep their counters.
   *
   * @throws CompileError, CommandError; then the former rules are in force
   */
  apply(desired: DesiredFirewall, endpoint: VethEndpoint): Promise<void> {
    return this.#changes.run(() => this.#apply({ desired, endpoint }));
  }

  /** Like `apply`, but without assumptions about the kernel's state. */
  restore(desired: DesiredFirewall, endpoint: VethEndpoint): Promise<void> {
    const rebuildsBefore = this.#rebuilds;
    return this.#changes.run(async () => {
      // The table has been rebuilt with these rules since, because the check of another container found a change.
      if (this.#rebuilds > rebuildsBefore && this.#cache.get(desired.container_id)?.desired === desired)
        return;
      await this.#rebuild(new Map(this.#cache).set(desired.container_id, { desired, endpoint }));
    });
  }

  /** Removes a container's firewall, if it exists: the container is open. */
  detach(containerId: string): Promise<void> {
    return this.#changes.run(() => this.#detach(containerId));
  }

  /**
   * The fingerprint that these rules should have, computed from the rules and not from the kernel's state. It is for
   * checks of the kernel's state: applying rules does not wait for it.
   *
   * @throws CompileError, CommandError
   */
  expect(desired: DesiredFirewall, endpoint: VethEndpoint): Promise<string> {
    return this.#expectation.fingerprint({ desired, endpoint });
  }

  /**
   * The kernel's state of a container, as the base of a change: no other change of it may be in progress. Null: it is
   * open.
   */
  async inspect(containerId: string): Promise<KernelFirewall | null> {
    const found = await this.#reader.container(containerId);
    if (found === null) this.#present.delete(containerId);
    else if (this.#cache.has(containerId)) this.#present.add(containerId);
    return found;
  }

  /** The kernel's state of a container, for a check: a concurrent `apply` may be newer. */
  peek(containerId: string): Promise<KernelFirewall | null> {
    return this.#reader.container(containerId);
  }

  /** The kernel's state of all containers. */
  async inspectAll(): Promise<KernelTable["containers"]> {
    return (await this.#reader.read())?.containers ?? new Map();
  }

  /** Removes the counters of deleted rules. */
  pruneCounters(): Promise<void> {
    return this.#changes.run(async () => {
      this.#pruneCountersSoon();
      const { idle = [] } = (await this.#reader.read()) ?? {};
      if (idle.length > 0) await this.#change(compileCounterRemoval(this.#table, idle));
    });
  }

  /** The recent counters of a container's rules, by rule. */
  async counts(containerId: string): Promise<FirewallCounts> {
    const counts = await this.#reader.recentCounts(containerId);
    return Object.fromEntries(
      [...counts].flatMap(([counter, count]) => {
        const rule = ruleOf(counter);
        return rule === null ? [] : [[rule, count]];
      }),
    );
  }

  /** Loads nft text: all of it or, when it is refused, nothing. Throws CommandError with nft's reason. */
  load(text: string): Promise<void> {
    return this.#nft.load(text);
  }

  async #apply(rules: ContainerRules): Promise<void> {
    const id = rules.desired.container_id;
    const text = this.#present.has(id)
      ? compileUpdate(this.#table, rules)
      : compileAttach(this.#table, rules, this.#reader.lastCounts);
    const all = new Map(this.#cache).set(id, rules);
    if (!this.#hasBaseChains && !this.#present.has(id)) return this.#rebuild(all);
    try {
      await this.#change(text);
    } catch {
      // nft refused the change, perhaps because another program has changed the table.
      return this.#rebuild(all);
    }
    this.#cache.set(id, rules);
    this.#present.add(id);
  }

  async #detach(id: string): Promise<void> {
    const rules = this.#cache.get(id);
    const others = new Map(this.#cache);
    others.delete(id);
    if (rules === undefined || !this.#present.has(id)) {
      if ((await this.#reader.read())?.containers.has(id)) await this.#rebuild(others);
    } else {
      const text = others.size === 0 ? compileTableRemoval(this.#table) : compileRemoval(this.#table, rules);
      await this.#change(text).catch(() => this.#rebuild(others));
    }
    this.#cache.delete(id);
    this.#present.delete(id);
    if (others.size === 0) this.#hasBaseChains = false;
    this.#pruneCountersSoon();
  }

  #pruneCountersSoon(): void {
    const names = [...this.#cache.values()].flatMap(({ desired }) => countersOf(desired));
    this.#reader.retainCounts(new Set(names));
  }

  /** Rebuilds the table with the rules of all these containers; counters keep their counts. */
  async #rebuild(all: ReadonlyMap<string, ContainerRules>): Promise<void> {
    // Its counters are read now: the new table begins with their counts.
    await this.#reader.read();
    const table =
      all.size === 0
        ? compileTableRemoval(this.#table)
        : compileTable(this.#table, [...all.values()], this.#reader.lastCounts);
    await this.#change(table);
    this.#cache.clear();
    this.#present.clear();
    for (const [id, rules] of all) {
      this.#cache.set(id, rules);
      this.#present.add(id);
    }
    this.#hasBaseChains = true;
    this.#rebuilds += 1;
  }

  async #change(text: string): Promise<void> {
    this.#reader.invalidate();
    await this.load(text);
    this.#reader.invalidate();
  }
}
