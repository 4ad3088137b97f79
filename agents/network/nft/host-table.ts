import type { CommitMonitor } from "./commit-monitor.ts";
import { ComparedRules } from "./compared-rules.ts";
import { withoutCounts } from "./connections.ts";
import { type EgressPolicy, hostRules, hostTableName, removeHostTable } from "./host-rules.ts";
import { Nft } from "./nft.ts";
import { TableWatcher } from "./table-watcher.ts";

/** The table with the host's own rules for containers of one subnet. */
export class HostTable {
  readonly name: string;
  readonly #nft = new Nft();
  readonly #watcher: TableWatcher;
  readonly #compared = new ComparedRules();

  constructor(private readonly subnet: string) {
    this.name = hostTableName(subnet);
    this.#watcher = new TableWatcher(this.#nft, this.name, { stateless: true });
  }

  /** Replaces the contents of the table by the rules. */
  async apply(policy: EgressPolicy): Promise<void> {
    await this.#nft.load(await hostRules(this.subnet, policy));
  }

  /** Whether the kernel has these rules and no others. @param monitor saves a look at rules that nobody has changed */
  async isInSync(policy: EgressPolicy, monitor?: CommitMonitor): Promise<boolean> {
    const rules = await hostRules(this.subnet, policy);
    return this.#compared.isInSync(monitor, rules, async () => {
      const present = await this.#watcher.read();
      const expected = await this.#watcher.expect(rules);
      return present !== null && withoutCounts(present) === expected;
    });
  }

  /** Removes the table, if it exists. */
  async remove(): Promise<void> {
    await this.#nft.load(removeHostTable(this.subnet));
  }
}
