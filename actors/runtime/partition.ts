/**
 * The number of partitions of a cluster. It is fixed when the cluster is created: the lease table has a row for each,
 * and an actor's partition must never change. 64 partitions spread evenly over up to a dozen hosts and are renewed by
 * one statement.
 */
export const PARTITIONS = 64;

/** FNV-1a over the address: the same on every machine and every version of Bun. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

/** The partition of an actor, 0 to 63. */
export const partitionOf = (kind: string, id: string): number => fnv1a(`${kind}/${id}`) % PARTITIONS;

/**
 * The live host to which a partition belongs, by rendezvous hashing. When a host joins or leaves, only the partitions
 * that it gets or had move.
 */
export function preferredHost(partition: number, hosts: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestWeight = -1;
  for (const host of hosts) {
    const weight = weightsOf(host)[partition] as number;
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
const weights = new Map<string, Uint32Array>();

/** The host's weight for each partition. Cached, since every host needs all weights several times a second. */
function weightsOf(host: string): Uint32Array {
  let known = weights.get(host);
  if (known === undefined) {
    known = Uint32Array.from({ length: PARTITIONS }, (_, partition) => mix(fnv1a(`${host}#${partition}`)));
    if (weights.size >= HOSTS_KEPT_MAX) weights.clear();
    weights.set(host, known);
  }
  return known;
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
