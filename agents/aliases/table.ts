import type { DesiredAlias } from "../../schemas/hosting/desired.ts";
import { BoundedMap } from "../../system/bounded-map.ts";

/** Deleted aliases that are remembered, so that a late message does not restore one. */
const GONE_MAX = 10_000;

interface LabelEntry {
  readonly alias: DesiredAlias;
  readonly expiresMs: number;
}

/**
 * The aliases of a host, by which its edge resolves names. Each change returns the labels whose targets have changed.
 */
export class AliasTable {
  readonly #byId = new Map<string, DesiredAlias>();
  readonly #byLabel = new Map<string, LabelEntry>();
  /** The aliases of users' own domains, by id. A domain moves from one to another by changes of both. */
  readonly #byDomain = new Map<string, string>();
  readonly #gone = new BoundedMap<string, number>(GONE_MAX);

  /**
   * Adds or updates an alias, unless a newer state is known. Revisions count the changes of all aliases of the
   * server, so if two aliases claim one label the higher revision has it: the change that moved the other one is
   * still in transit.
   */
  upsert(alias: DesiredAlias): readonly string[] {
    const known = this.#byId.get(alias.id);
    if (alias.revision <= (known?.revision ?? this.#gone.get(alias.id) ?? 0)) return [];
    this.#byId.set(alias.id, alias);
    if (known !== undefined) this.#releaseDomains(known);
    for (const domain of alias.domains ?? []) this.#byDomain.set(domain, alias.id);
    const left =
      known !== undefined && known.alias !== alias.alias && this.#release(known) ? [known.alias] : [];
    const holder = this.#byLabel.get(alias.alias)?.alias;
    if (holder !== undefined && holder.id !== alias.id && holder.revision > alias.revision) return left;
    const expiresMs = alias.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(alias.expires_at);
    this.#byLabel.set(alias.alias, { alias, expiresMs });
    return [...left, alias.alias];
  }

  /** Deletes an alias for good. Ids are never used again. */
  remove(id: string): readonly string[] {
    const known = this.#byId.get(id);
    if (known === undefined) return [];
    this.#gone.set(id, known.revision);
    return this.#drop(known);
  }

  /** Deletes the aliases that are missing from a listing which is complete up to a revision. */
  keepOnly(ids: ReadonlySet<string>, revision: number): readonly string[] {
    const missing = [...this.#byId.values()].filter((one) => one.revision <= revision && !ids.has(one.id));
    return missing.flatMap((alias) => this.#drop(alias));
  }

  /** The alias of a label; undefined if there is none, it is disabled, or it has expired. */
  lookup(label: string, nowMs = Date.now()): DesiredAlias | undefined {
    const held = this.#byLabel.get(label);
    return held?.alias.enabled && nowMs < held.expiresMs ? held.alias : undefined;
  }

  /** The alias of a user's own domain; undefined as for a label. */
  lookupDomain(domain: string, nowMs = Date.now()): DesiredAlias | undefined {
    const alias = this.#byId.get(this.#byDomain.get(domain) ?? "");
    return alias && this.lookup(alias.alias, nowMs);
  }

  /** The alias of a label, enabled or not. */
  holder(label: string): DesiredAlias | undefined {
    return this.#byLabel.get(label)?.alias;
  }

  /** The known revision of an alias; undefined if it is unknown. */
  revisionOf(id: string): number | undefined {
    return this.#byId.get(id)?.revision;
  }

  get size(): number {
    return this.#byId.size;
  }

  #drop(alias: DesiredAlias): readonly string[] {
    this.#byId.delete(alias.id);
    this.#releaseDomains(alias);
    return this.#release(alias) ? [alias.alias] : [];
  }

  #releaseDomains({ id, domains }: DesiredAlias): void {
    for (const domain of domains ?? []) if (this.#byDomain.get(domain) === id) this.#byDomain.delete(domain);
  }

  /** Releases an alias's label, if the alias still has it. */
  #release({ id, alias }: DesiredAlias): boolean {
    return this.#byLabel.get(alias)?.alias.id === id && this.#byLabel.delete(alias);
  }
}
