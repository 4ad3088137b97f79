import { listIsolated, type Nft } from "./nft.ts";

/**
 * Reads one table of the kernel, and compiles what a text would make of it. Used for both tables of an agent: the containers' firewall and
 * the host's own rules.
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

  /** The table as it is at some time after this call; null when there is none. Callers that wait share one reading. */
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

  /** What `read` returns once this text is loaded, and nobody else changes it. The last text's answer is kept. */
  async expect(text: string): Promise<string> {
    if (this.#expected?.text !== text) this.#expected = { text, listing: await listIsolated(text) };
    return this.#expected.listing;
  }
}
