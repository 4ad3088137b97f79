import { type Counts, type KernelFirewall, type KernelTable, readListing } from "./listing.ts";
import type { Nft } from "./nft.ts";
import { TableWatcher } from "./table-watcher.ts";

/** Listing one counter costs as much as listing the whole table: callers within this time share one listing. */
const COUNTS_AGE_MS_MAX = 1_000;

/** Reads the kernel's state of an agent's firewalls. */
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

  /** Reads the table, at some time after this call; null if it does not exist. */
  async read(): Promise<KernelTable | null> {
    const listing = await this.#watcher.read();
    const table = listing === null ? null : readListing(listing, this.table);
    if (table !== null) this.#rememberCounts(table);
    return table;
  }

  /** Reads the state of one container. */
  async container(id: string): Promise<KernelFirewall | null> {
    return (await this.read())?.containers.get(id) ?? null;
  }

  /** The recent counters of a container. */
  async recentCounts(id: string): Promise<Counts> {
    const now = performance.now();
    if (this.#latest === null || now - this.#latest.atMs > COUNTS_AGE_MS_MAX) {
      this.#latest = { table: this.read(), atMs: now };
    }
    return (await this.#latest.table)?.containers.get(id)?.counts ?? new Map();
  }

  /** Discards earlier readings after a change. */
  invalidate(): void {
    this.#latest = null;
  }

  /** The last known values of counters, including those that another program has removed since. */
  get lastCounts(): Counts {
    return this.#counts;
  }

  /** Drops the values of all counters except these. */
  retainCounts(names: ReadonlySet<string>): void {
    this.#counts = new Map([...this.#counts].filter(([name]) => names.has(name)));
  }

  /** Remembers the values of counters, so that a counter which another program removed is restored with its value. */
  #rememberCounts({ counts, idle }: KernelTable): void {
    const unused = new Set(idle);
    this.#counts = new Map([...this.#counts, ...[...counts].filter(([name]) => !unused.has(name))]);
  }
}
