import { FencedError } from "../../actors/runtime/errors.ts";
import { PARTITIONS } from "../../actors/runtime/partition.ts";
import type { Commit, Lease } from "../../actors/runtime/ports.ts";

interface LeaseRow {
  owner: string | null;
  epoch: number;
  expiresAtMs: number;
}

type Held = { partition: number; epoch: number }[];

/** The tables `leases` and `hosts`, with the statements of `actors/runtime/store/queries.ts`. Times are the database's own. */
export class LeaseTable {
  readonly #rows: LeaseRow[] = Array.from({ length: PARTITIONS }, () => ({
    owner: null,
    epoch: 0,
    expiresAtMs: Number.NEGATIVE_INFINITY,
  }));
  /** Until when each host is taken to live. */
  readonly #hosts = new Map<string, number>();

  cluster(nowMs: number): { leases: Lease[]; hosts: string[] } {
    return {
      leases: this.#rows.map(({ owner, epoch, expiresAtMs }, partition) => ({
        partition,
        owner,
        epoch,
        expired: expiresAtMs < nowMs,
      })),
      hosts: [...this.#hosts]
        .filter(([, expiresAtMs]) => expiresAtMs >= nowMs)
        .map(([host]) => host)
        .sort(),
    };
  }

  /** @throws FencedError unless every lease is as the commit has it. */
  fence({ owner, leases }: Commit): void {
    const gone = leases.filter(({ partition, epoch }) => !this.isCurrent(partition, owner, epoch));
    if (gone.length > 0) throw new FencedError(gone.map(({ partition }) => partition));
  }

  isCurrent(partition: number, owner: string, epoch: number): boolean {
    const lease = this.#rows[partition];
    return lease?.owner === owner && lease.epoch === epoch;
  }

  isEpoch(partition: number, epoch: number): boolean {
    return this.#rows[partition]?.epoch === epoch;
  }

  heldBy(host: string): number[] {
    const held: number[] = [];
    for (let partition = 0; partition < this.#rows.length; partition++) {
      if (this.#rows[partition]?.owner === host) held.push(partition);
    }
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
      const lease = this.#rows[partition];
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
    const held = partitions.filter((partition) => this.#rows[partition]?.owner === host);
    this.#change(held, (lease) => {
      lease.owner = null;
      lease.expiresAtMs = nowMs;
    });
  }

  leave(host: string): void {
    this.#hosts.delete(host);
  }

  #change(partitions: readonly number[], change: (lease: LeaseRow) => void): Held {
    return partitions.map((partition) => {
      const lease = this.#rows[partition] as LeaseRow;
      change(lease);
      return { partition, epoch: lease.epoch };
    });
  }
}
