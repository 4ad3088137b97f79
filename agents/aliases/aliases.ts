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
  /** This host's name: what was meant for another is not taken. */
  readonly server: string;
  /** The agent's folder. */
  readonly data: string;
  readonly log: Logger;
}

/** The aliases of this host, in memory for its edge and in files. What it is not told of it leaves alone. */
export class Aliases {
  readonly #table = new AliasTable();
  readonly #files: AliasFiles;
  readonly #followers = new Set<() => void>();
  /** Up to which revision the bucket that was last read holds every alias. */
  #wholeAt = 0;

  private constructor(private readonly options: AliasesOptions) {
    this.#files = new AliasFiles(options.data, (label) => this.#table.holder(label), options.log);
  }

  /** With what the host knew when its agent ended: enough to go on without a control plane. */
  static async open(options: AliasesOptions): Promise<Aliases> {
    const aliases = new Aliases(options);
    const found = await aliases.#files.load();
    for (const { alias } of found) {
      if (alias.server_name === options.server) aliases.#table.upsert(alias);
    }
    // Of an alias that was being renamed when the agent ended both files may be there.
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

  get count(): number {
    return this.#table.size;
  }

  /** Takes one entry of the desired state, under whatever key; those of other things are ignored. */
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

  /** An entry was taken out of the desired state. */
  onDeleted(key: string): void {
    if (key.startsWith(PREFIX)) this.#changed(this.#table.remove(key.slice(PREFIX.length)));
  }

  /** The whole desired state has been told; these are its keys. What an unfinished one lacks was lost, and not deleted. */
  listed(keys: ReadonlySet<string>): void {
    if (!keys.has(ALIASES_WATERMARK_KEY)) return;
    const ids = new Set(
      [...keys].filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length)),
    );
    this.#changed(this.#table.keepOnly(ids, this.#wholeAt));
  }

  /** Settles when an alias is known at a revision or a later one, null: when it is known no more; or after a while. */
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

  /** Settles when the files say what the table says. */
  settled(): Promise<void> {
    return this.#files.settled();
  }

  close(): Promise<void> {
    return this.#files.close();
  }
}
