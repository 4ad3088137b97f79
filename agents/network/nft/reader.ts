import { type Counts, type KernelFirewall, type KernelTable, readListing } from "./listing.ts";
import type { Nft } from "./nft.ts";
import { TableWatcher } from "./table-watcher.ts";

/** Listing one counter costs as much as listing the whole table: callers within this time share one listing. */
const COUNTS_AGE_MS_MAX = 1_000;

/** Reads what the kernel has of an agent's firewalls. */
export class FirewallReader {
  readonly #watcher: TableWatcher;
  #latest: { readonly table: Promise<KernelTable | null>; readonly atMs: number } | null = null;
  #counts: Counts = new Map();

  constructor(
    nft: Nft,
    private readonly table: string,
  ) {
    this.#watcher = new TableWatcher(nft, table);
  }

  /** The table as it is at some time after this call; null when there is none. */
  async read(): Promise<KernelTable | null> {
    const listing = await this.#watcher.read();
    const table = listing === null ? null : readListing(listing, this.table);
    if (table !== null) this.#rememberCounts(table);
    return table;
  }

  /** What one container has. */
  async container(id: string): Promise<KernelFirewall | null> {
    return (await this.read())?.containers.get(id) ?? null;
  }

  /** What a container's counters had a moment ago. */
  async recentCounts(id: string): Promise<Counts> {
    const now = performance.now();
    if (this.#latest === null || now - this.#latest.atMs > COUNTS_AGE_MS_MAX) {
      this.#latest = { table: this.read(), atMs: now };
    }
    return (await this.#latest.table)?.containers.get(id)?.counts ?? new Map();
  }

  /** After a change: what was read before it is no answer any more. */
  invalidate(): void {
    this.#latest = null;
  }

  /** What counters had when they were last seen, also those that someone has removed since. */
  get lastCounts(): Counts {
    return this.#counts;
  }

  /** Forgets the counts of all counters but these. */
  retainCounts(names: ReadonlySet<string>): void {
    this.#counts = new Map([...this.#counts].filter(([name]) => names.has(name)));
  }

  /** Counters that someone took out keep what they had when they are put back. */
  #rememberCounts({ counts, idle }: KernelTable): void {
    const unused = new Set(idle);
    this.#counts = new Map([...this.#counts, ...[...counts].filter(([name]) => !unused.has(name))]);
  }
}
