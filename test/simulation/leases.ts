import { FencedError } from "../../actors/runtime/errors.ts";
import { PARTITIONS } from "../../actors/runtime/partition.ts";
import type { ClusterLeases, Commit } from "../../actors/runtime/ports.ts";

interface LeaseRow {
  owner: string | null;
  epoch: number;
  expiresAtMs: number;
}

const freeLease = (): LeaseRow => ({ owner: null, epoch: 0, expiresAtMs: Number.NEGATIVE_INFINITY });

/** More say nothing new, and take longer. */
const PARTITIONS_MAX = 2 * PARTITIONS;

type Held = { partition: number; epoch: number }[];

/** The tables `leases` and `hosts`, with the statements of `actors/runtime/store/queries.ts`. Times are the database's own. */
export class LeaseTable {
  readonly #rows = new Map<number, LeaseRow>(
    Array.from({ length: PARTITIONS }, (_, partition) => [partition, freeLease()]),
  );
  #counts = { base: PARTITIONS, target: PARTITIONS };
  /** Until when each host is taken to live. */
  readonly #hosts = new Map<string, number>();

  cluster(nowMs: number): ClusterLeases & { hosts: string[] } {
    return {
      counts: this.#counts,
      leases: this.#leases(nowMs),
      hosts: [...this.#hosts]
        .filter(([, expiresAtMs]) => expiresAtMs >= nowMs)
        .map(([host]) => host)
        .sort(),
    };
  }

  /** In the order of their partitions. Read more often than anything else of a simulation. */
  #leases(nowMs: number): ClusterLeases["leases"] {
    const leases: { partition: number; owner: string | null; epoch: number; expired: boolean }[] = [];
    for (let partition = 0; leases.length < this.#rows.size; partition++) {
      const row = this.#rows.get(partition);
      if (row === undefined) continue;
      leases.push({ partition, owner: row.owner, epoch: row.epoch, expired: row.expiresAtMs < nowMs });
    }
    return leases;
  }

  /** @throws FencedError unless every lease is as the commit has it. */
  fence({ owner, leases }: Commit): void {
    const gone = leases.filter(({ partition, epoch }) => !this.isCurrent(partition, owner, epoch));
    if (gone.length > 0) throw new FencedError(gone.map(({ partition }) => partition));
  }

  isCurrent(partition: number, owner: string, epoch: number): boolean {
    const lease = this.#rows.get(partition);
    return lease?.owner === owner && lease.epoch === epoch;
  }

  isEpoch(partition: number, epoch: number): boolean {
    return this.#rows.get(partition)?.epoch === epoch;
  }

  heldBy(host: string): number[] {
    const held: number[] = [];
    this.#rows.forEach(({ owner }, partition) => {
      if (owner === host) held.push(partition);
    });
    return held;
  }

  renew(host: string, ttlMs: number, nowMs: number): Held {
    this.#hosts.set(host, nowMs + ttlMs);
    return this.#change(this.heldBy(host), (lease) => {
      lease.expiresAtMs = nowMs + ttlMs;
    });
  }

  acquire(host: string, partitions: readonly number[], ttlMs: number, nowMs: number): Held {
    const free = partitions.filter((partition) => {
      const lease = this.#rows.get(partition);
      return (
        lease !== undefined && (lease.owner === null || lease.owner === host || lease.expiresAtMs < nowMs)
      );
    });
    return this.#change(free, (lease) => {
      lease.owner = host;
      lease.epoch += 1;
      lease.expiresAtMs = nowMs + ttlMs;
    });
  }

  release(host: string, partitions: readonly number[], nowMs: number): void {
    const held = partitions.filter((partition) => this.#rows.get(partition)?.owner === host);
    this.#change(held, (lease) => {
      lease.owner = null;
      lease.expiresAtMs = nowMs;
    });
  }

  /** Twice as many partitions, unless the number grows already. */
  grow(): void {
    const count = this.#rows.size;
    if (count === this.#counts.target && count < PARTITIONS_MAX)
      this.#counts = { base: count, target: 2 * count };
  }

  /** The partition that is split from another one; undefined where that is not to be split by this owner. */
  halfOf(partition: number, owner: string, epoch: number): number | undefined {
    const { base, target } = this.#counts;
    const isToBeSplit = base < target && partition < base && !this.#rows.has(partition + base);
    return isToBeSplit && this.isCurrent(partition, owner, epoch) ? partition + base : undefined;
  }

  /** Where the actors of a partition go that is being split. */
  get target(): number {
    return this.#counts.target;
  }

  split(partition: number, half: number, nowMs: number): void {
    this.#rows.set(half, freeLease());
    this.#change([partition], (lease) => {
      lease.owner = null;
      lease.epoch += 1;
      lease.expiresAtMs = nowMs;
    });
  }

  leave(host: string): void {
    this.#hosts.delete(host);
  }

  #change(partitions: readonly number[], change: (lease: LeaseRow) => void): Held {
    return partitions.map((partition) => {
      const lease = this.#rows.get(partition) as LeaseRow;
      change(lease);
      return { partition, epoch: lease.epoch };
    });
  }
}
