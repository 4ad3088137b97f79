import { listIsolated, type Nft } from "./nft.ts";

/**
 * Reads one table of the kernel, and computes how it should look after a text is loaded. Used for both tables of an
 * agent: the containers' firewall and the host's own rules.
 */
export class TableWatcher {
  #current: Promise<unknown> = Promise.resolve();
  #next: Promise<string | null> | null = null;
  #expected: { readonly text: string; readonly listing: string } | null = null;

  constructor(
    private readonly nft: Nft,
    private readonly table: string,
    private readonly options: { readonly stateless?: boolean } = {},
  ) {}

  /** Reads the table, at some time after this call; null if it does not exist. Waiting callers share a reading. */
  read(): Promise<string | null> {
    if (this.#next === null) {
      const reading = this.#current.then(() => {
        this.#next = null;
        return this.nft.listTable(this.table, this.options);
      });
      this.#next = reading;
      this.#current = reading.catch(() => null);
    }
    return this.#next;
  }

  /** The expected result of `read` after this text is loaded. The result for the last text is cached. */
  async expect(text: string): Promise<string> {
    if (this.#expected?.text !== text) this.#expected = { text, listing: await listIsolated(text) };
    return this.#expected.listing;
  }
}
