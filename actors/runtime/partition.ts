/** The number of partitions that a new cluster has: they spread evenly over up to a dozen hosts. It can grow (`berth cluster grow`). */
export const PARTITIONS = 64;

/**
 * The newest way from addresses to partitions that this version knows. The database says which one the cluster uses: a migration raises it
 * with the first that this version would not know.
 */
export const PARTITION_SCHEME = 1;

/** FNV-1a over the address: the same on every machine and every version of Bun. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

/** How many partitions there are. While their number grows, each of `base` is split in its turn, until there are `target`. */
export interface PartitionCounts {
  readonly base: number;
  readonly target: number;
}

/** The partitions of a cluster at one moment. */
export class PartitionMap {
  /** Made when it is asked for: only while the number grows. Maps are made several times a second. */
  #present: ReadonlySet<number> | undefined;

  constructor(
    private readonly counts: PartitionCounts,
    private readonly partitions: readonly number[],
  ) {}

  /** The map of a new cluster. */
  static initial(): PartitionMap {
    const all = Array.from({ length: PARTITIONS }, (_, partition) => partition);
    return new PartitionMap({ base: PARTITIONS, target: PARTITIONS }, all);
  }

  /** The partition of an actor. It changes only when its partition is split. */
  of(kind: string, id: string): number {
    const hash = fnv1a(`${kind}/${id}`);
    const { base, target } = this.counts;
    const wanted = hash % target;
    if (base === target) return wanted;
    return this.#has(wanted) ? wanted : hash % base;
  }

  /** Whether a partition is to be split, and was not yet. */
  isToBeSplit(partition: number): boolean {
    const { base, target } = this.counts;
    return base < target && partition < base && !this.#has(partition + base);
  }

  isSameAs(other: PartitionMap): boolean {
    return (
      this.counts.base === other.counts.base &&
      this.counts.target === other.counts.target &&
      this.partitions.length === other.partitions.length
    );
  }

  #has(partition: number): boolean {
    this.#present ??= new Set(this.partitions);
    return this.#present.has(partition);
  }
}

/**
 * The live host to which a partition belongs, by rendezvous hashing. When a host joins or leaves, only the partitions
 * that it gets or had move.
 */
export function preferredHost(partition: number, hosts: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestWeight = -1;
  for (const host of hosts) {
    const weight = weightOf(host, partition);
    if (weight > bestWeight || (weight === bestWeight && best !== undefined && host < best)) {
      best = host;
      bestWeight = weight;
    }
  }
  return best;
}

/**
 * Hosts whose weights are cached: many times the number that run at a time, since a restarted host has another name.
 */
const HOSTS_KEPT_MAX = 256;
const weights = new Map<string, number[]>();

/** The host's weight for a partition. Cached, since every host needs all weights several times a second. */
function weightOf(host: string, partition: number): number {
  let known = weights.get(host);
  if (known === undefined) {
    known = [];
    if (weights.size >= HOSTS_KEPT_MAX) weights.clear();
    weights.set(host, known);
  }
  known[partition] ??= mix(fnv1a(`${host}#${partition}`));
  return known[partition];
}

/**
 * Mixes the bits of a hash. FNV keeps the last characters in the low bits, which would give a host contiguous
 * partitions.
 */
function mix(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
