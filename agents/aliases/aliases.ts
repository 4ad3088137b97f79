import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Logger } from "pino";
import { isAliasLabel } from "../../schemas/hosting/alias.ts";
import { DesiredAlias } from "../../schemas/hosting/desired.ts";
import { ALIASES_WATERMARK_KEY } from "../../schemas/subjects.ts";
import { AliasFiles } from "./files.ts";
import { AliasTable } from "./table.ts";

const Whole = Type.Object({ revision: Type.Integer() });
const PREFIX = "alias.";
/** How long a request waits for an alias, and how many requests wait at once. */
const FOLLOW_MS_MAX = 3_000;
const FOLLOWERS_MAX = 10_000;

export interface AliasesOptions {
  /** This host's name. Entries for another host are ignored. */
  readonly server: string;
  /** The agent's folder. */
  readonly data: string;
  readonly log: Logger;
}

/** The aliases of this host, in memory for its edge, and in files. */
export class Aliases {
  readonly #table = new AliasTable();
  readonly #files: AliasFiles;
  readonly #followers = new Set<() => void>();
  /** The watermark of the last listed bucket: it has every alias up to this revision. */
  #wholeAt = 0;

  private constructor(private readonly options: AliasesOptions) {
    this.#files = new AliasFiles(options.data, (label) => this.#table.holder(label), options.log);
  }

  /** Opens the aliases from their files, so that the host works without a control plane. */
  static async open(options: AliasesOptions): Promise<Aliases> {
    const aliases = new Aliases(options);
    const found = await aliases.#files.load();
    for (const { alias } of found) {
      if (alias.server_name === options.server) aliases.#table.upsert(alias);
    }
    // If the agent ended during a rename, the files of both labels may exist.
    aliases.#files.touch(
      found
        .filter(({ label, alias }) => aliases.#table.holder(label)?.id !== alias.id)
        .map((one) => one.label),
    );
    return aliases;
  }

  /** The alias that a label leads to now; undefined when there is none, it is disabled, or it has expired. */
  lookup(label: string): DesiredAlias | undefined {
    return this.#table.lookup(label);
  }

  /** The alias that a user's own domain leads to now; undefined as for a label. */
  lookupDomain(domain: string): DesiredAlias | undefined {
    return this.#table.lookupDomain(domain);
  }

  get count(): number {
    return this.#table.size;
  }

  /** Applies one entry of the desired state. Entries of other kinds are ignored. */
  desire(key: string, value: unknown): void {
    if (key === ALIASES_WATERMARK_KEY) {
      this.#wholeAt = Value.Check(Whole, value) ? value.revision : 0;
      return;
    }
    if (!key.startsWith(PREFIX)) return;
    const isOurs =
      Value.Check(DesiredAlias, value) &&
      key === PREFIX + value.id &&
      value.server_name === this.options.server &&
      isAliasLabel(value.alias);
    if (isOurs) this.#changed(this.#table.upsert(value));
    else this.options.log.error({ key }, "desired state that is no alias of this host");
  }

  /** Handles an entry that was removed from the desired state. */
  onDeleted(key: string): void {
    if (key.startsWith(PREFIX)) this.#changed(this.#table.remove(key.slice(PREFIX.length)));
  }

  /**
   * Handles the end of a listing with these keys. Aliases above its watermark may be missing from the listing and are
   * not deleted.
   */
  listed(keys: ReadonlySet<string>): void {
    if (!keys.has(ALIASES_WATERMARK_KEY)) return;
    const ids = new Set(
      [...keys].filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length)),
    );
    this.#changed(this.#table.keepOnly(ids, this.#wholeAt));
  }

  /** Settles when an alias has this revision or a later one (null: when it is deleted), or after a time limit. */
  async awaitRevision(id: string, revision: number | null): Promise<void> {
    const isKnown = () => {
      const known = this.#table.revisionOf(id);
      return revision === null ? known === undefined : (known ?? 0) >= revision;
    };
    if (isKnown() || this.#followers.size >= FOLLOWERS_MAX) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#followers.delete(follower);
        resolve();
      };
      const follower = () => {
        if (isKnown()) end();
      };
      const timer = setTimeout(end, FOLLOW_MS_MAX);
      this.#followers.add(follower);
    });
  }

  #changed(labels: readonly string[]): void {
    this.#files.touch(labels);
    for (const follower of this.#followers) follower();
  }

  /** Settles when the files agree with the table. */
  settled(): Promise<void> {
    return this.#files.settled();
  }

  close(): Promise<void> {
    return this.#files.close();
  }
}
