import type { Logger } from "pino";
import { anything } from "../../../schemas/received.ts";
import { LEASES_CHANGED } from "../../../schemas/subjects.ts";
import { PartitionMap, preferredHost } from "../partition.ts";
import type { Bus, Clock, HostStatus, Store } from "../ports.ts";
import { consume } from "../transport/consume.ts";

/** A lease is renewed this many times before it could run out. A renewal that fails is tried again at once. */
const RENEWALS_PER_LEASE = 3;
/** The pause after a failed tick. It is short because partitions may be waiting. */
const RETRY_MS = 150;
/** A host that is alone with all partitions reads the cluster once in so many renewals: who joins announces it. */
const RENEWALS_PER_LOOK = 3;
/** Partitions that a host hands to a new host at a time, so that most requests never wait. */
const MOVES_MAX = 8;
/** Partitions that a host splits at a time, for the same reason. */
const SPLITS_MAX = 4;
/** After a partition could not be split, as while its effects cannot be delivered, none is tried for so long. */
const SPLIT_AGAIN_MS = 10_000;

export interface LeaseEvents {
  /** This host owns these partitions from now on. Resolves when it is ready for their requests. */
  acquired(partitions: readonly { partition: number; epoch: number }[]): Promise<void>;
  /** Partitions that were acquired accept messages from now on. */
  opened(): void;
  /** The partition is no longer this host's: drop it at once. */
  onLeaseLost(partition: number): void;
  /** The partition is handed over: accept no new requests, and resolve when those in flight have their replies. */
  drain(partition: number): Promise<void>;
  /** Whether effects of the partition cannot be delivered now. */
  isFailing(partition: number): boolean;
  /** Resolves when the effects of a drained partition are delivered and the database knows it, or after some seconds. */
  settle(partition: number): Promise<void>;
}

export interface LeasesOptions {
  readonly host: string;
  readonly ttlMs: number;
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
  readonly events: LeaseEvents;
  /** The status of this host, which it reports with each renewal. */
  status(): HostStatus;
}

interface HeldLease {
  readonly epoch: number;
  /** By the monotonic clock, counted from before the renewal was sent: never later than the database's own end. */
  validUntilMs: number;
  draining: boolean;
}

/**
 * The leases of this host: acquires its share of the partitions, renews them, hands over those that belong to others,
 * and releases all at the end.
 */
export class Leases {
  readonly #held = new Map<number, HeldLease>();
  #leaving = false;
  #partitions = PartitionMap.initial();
  /** All partitions that this host has heard of. */
  #known: readonly number[] = [];
  /** Renewals until the cluster is read; other events than a renewal read it at once. */
  #renewalsUntilLook = 0;
  #splitsFromMs = Number.NEGATIVE_INFINITY;
  /** The timeline of the database at the last renewal. */
  #timeline: string | undefined;
  /** The number of lost connections, and how many of them are known not to have been a failover. */
  #doubts = 0;
  #settledDoubts = 0;
  #ticking: Promise<void> | undefined;
  #again = false;
  #cancelTick: () => void = () => {};
  #cancelRetry: (() => void) | undefined;
  #unsubscribe: () => void = () => {};

  constructor(private readonly options: LeasesOptions) {}

  /** Joins the cluster. Resolves after the first attempt to acquire partitions. */
  async start(): Promise<void> {
    // Another host has released partitions, or joined: do not wait for the next tick.
    this.#unsubscribe = consume(this.options.bus, LEASES_CHANGED, {
      kind: "leases",
      read: anything,
      handle: () => this.#tick(),
    });
    this.options.store.onDisconnect?.(() => this.#distrustMemory());
    await this.#tick();
    // Hosts with partitions that should be here learn of the new host.
    this.options.bus.publish(LEASES_CHANGED, "");
    this.#schedule();
  }

  holds(partition: number, epoch: number): boolean {
    const held = this.#held.get(partition);
    return held !== undefined && held.epoch === epoch && this.options.clock.monotonicMs() < held.validUntilMs;
  }

  /**
   * Whether memory may be read instead of the database: the lease is valid, and no connection was lost since its
   * renewal.
   */
  canServeFromMemory(partition: number, epoch: number): boolean {
    return this.#doubts === this.#settledDoubts && this.holds(partition, epoch);
  }

  /** Whether new requests of this partition may start here. */
  accepts(partition: number, epoch: number): boolean {
    return this.holds(partition, epoch) && this.#held.get(partition)?.draining === false;
  }

  partitionOf(kind: string, actor: string): number {
    return this.#partitions.of(kind, actor);
  }

  ownsActor(kind: string, actor: string): boolean {
    const partition = this.partitionOf(kind, actor);
    const held = this.#held.get(partition);
    return held !== undefined && this.holds(partition, held.epoch);
  }

  /** The epoch of a partition that accepts new messages here; undefined for any other. */
  epochOf(partition: number): number | undefined {
    const epoch = this.#held.get(partition)?.epoch;
    return epoch !== undefined && this.accepts(partition, epoch) ? epoch : undefined;
  }

  get partitions(): number[] {
    return [...this.#held.keys()];
  }

  /**
   * Hands everything over: waits for requests in flight, then releases the leases, so that others acquire them at
   * once.
   */
  async leave(): Promise<void> {
    this.#leaving = true;
    this.#cancelTick();
    this.#cancelRetry?.();
    this.#unsubscribe();
    await this.#ticking?.catch(() => {});
    await this.options.store.leave(this.options.host).catch((error) => this.#warn(error, "could not leave"));
    await this.#giveUp([...this.#held.keys()]);
    // Includes partitions that this host dropped after a commit with an unknown outcome: others need not wait for
    // their expiry.
    await this.#release(this.#known);
  }

  /**
   * Drops partitions after a commit was refused or had an unknown outcome. Those that this host still owns are
   * acquired again under a new epoch.
   */
  fenced(partitions: readonly number[]): void {
    this.drop(partitions);
    if (!this.#leaving) void this.#tick();
  }

  /** Drops partitions at once. */
  drop(partitions: readonly number[]): void {
    for (const partition of partitions) {
      if (this.#held.delete(partition)) this.options.events.onLeaseLost(partition);
    }
  }

  /** Stops serving from memory until the database has confirmed that it is still on the same timeline. */
  #distrustMemory(): void {
    const isFirst = this.#doubts === this.#settledDoubts;
    this.#doubts += 1;
    // Further lost connections, as while the database is unavailable, wait for the next attempt.
    if (isFirst && !this.#leaving) void this.#tick();
  }

  #schedule(): void {
    if (this.#leaving) return;
    this.#cancelTick = this.options.clock.after(this.options.ttlMs / RENEWALS_PER_LEASE, () => {
      this.#renewalsUntilLook -= 1;
      void this.#renew().finally(() => this.#schedule());
    });
  }

  /** Something happened: renews the leases, and looks who else is there. */
  #tick(): Promise<void> {
    this.#renewalsUntilLook = 0;
    return this.#renew();
  }

  #renew(): Promise<void> {
    if (this.#ticking !== undefined) {
      this.#again = true;
      return this.#ticking;
    }
    this.#ticking = this.#work().finally(() => {
      this.#ticking = undefined;
      if (this.#again && !this.#leaving) {
        this.#again = false;
        void this.#tick();
      }
    });
    return this.#ticking;
  }

  async #work(): Promise<void> {
    const { clock, bus, ttlMs } = this.options;
    this.#expire();
    try {
      // A host without NATS cannot serve: it must not keep others from taking over.
      await bus.ping(ttlMs / 2);
      const askedMs = clock.monotonicMs();
      const doubts = this.#doubts;
      const {
        held: still,
        locked,
        timeline,
      } = await this.options.store.renew(this.options.host, ttlMs, this.options.status());
      this.#adoptTimeline(timeline);
      this.#settledDoubts = doubts;
      if (this.#doubts !== doubts) this.#again = true;
      const renewed = new Map(still.map((l) => [l.partition, l.epoch]));
      // Valid until the end that the last renewal gave them.
      const kept = new Map(locked.map((l) => [l.partition, l.epoch]));
      const gone: number[] = [];
      for (const [partition, held] of this.#held) {
        if (renewed.get(partition) === held.epoch) held.validUntilMs = askedMs + ttlMs;
        else if (kept.get(partition) !== held.epoch) gone.push(partition);
      }
      this.drop(gone);
      if (!this.#leaving && this.#isLookDue()) await this.#balance();
    } catch (error) {
      this.#warn(error, "could not renew the leases");
      this.#retrySoon();
    }
    this.#expire();
  }

  /**
   * After a failover the database may lack its last acknowledged commits, so memory may differ from it. Everything in
   * memory is dropped and read again under new epochs.
   */
  #adoptTimeline(timeline: string): void {
    if (this.#timeline !== undefined && this.#timeline !== timeline) {
      this.options.log.error(
        { from: this.#timeline, to: timeline },
        "the database failed over to another history; starting over from what it holds",
      );
      this.drop([...this.#held.keys()]);
    }
    this.#timeline = timeline;
  }

  /** Another host may have died at any time; a host that is alone misses nobody. */
  #isLookDue(): boolean {
    return this.#renewalsUntilLook <= 0 || this.#held.size < this.#known.length;
  }

  #retrySoon(): void {
    if (this.#leaving) return;
    this.#cancelRetry ??= this.options.clock.after(RETRY_MS, () => {
      this.#cancelRetry = undefined;
      void this.#tick();
    });
  }

  /** Acquires free partitions that belong here, and hands over a few of those that belong elsewhere. */
  async #balance(): Promise<void> {
    const { store, host, clock, ttlMs, bus, events, log } = this.options;
    const { leases, hosts, counts } = await store.cluster();
    this.#known = leases.map(({ partition }) => partition);
    this.#partitions = new PartitionMap(counts, this.#known);
    const others: number[] = [];
    const wanted: number[] = [];
    const orphaned: number[] = [];
    for (const lease of leases) {
      const preferred = preferredHost(lease.partition, hosts);
      if (this.#held.has(lease.partition)) {
        if (preferred !== undefined && preferred !== host) others.push(lease.partition);
      } else if (preferred === host && (lease.owner === null || lease.expired || lease.owner === host)) {
        wanted.push(lease.partition);
      } else if (lease.owner === host) {
        orphaned.push(lease.partition);
      }
    }
    // Acquired by a statement whose reply was lost: this host would renew them forever and never run them.
    if (orphaned.length > 0) {
      await store.release(host, orphaned);
      bus.publish(LEASES_CHANGED, "");
    }
    if (wanted.length > 0) {
      const askedMs = clock.monotonicMs();
      const acquired = await store.acquire(host, wanted, ttlMs);
      if (acquired.length > 0) {
        await events.acquired(acquired);
        for (const { partition, epoch } of acquired) {
          this.#held.set(partition, { epoch, validUntilMs: askedMs + ttlMs, draining: false });
        }
        events.opened();
        log.info({ partitions: acquired.length, of: this.#held.size }, "took partitions");
        bus.publish(LEASES_CHANGED, "");
      }
    }
    await this.#giveUp(others.slice(0, MOVES_MAX));
    await this.#split();
    const isAlone = hosts.length === 1 && hosts[0] === host;
    this.#renewalsUntilLook = isAlone ? RENEWALS_PER_LOOK : 0;
  }

  /** Splits a few of the partitions that are to be split. They are taken again at once, with those that belong here. */
  async #split(): Promise<void> {
    const { clock, store, host, events } = this.options;
    if (clock.monotonicMs() < this.#splitsFromMs) return;
    const chosen = [...this.#held]
      .filter(([partition]) => this.#partitions.isToBeSplit(partition) && !events.isFailing(partition))
      .slice(0, SPLITS_MAX);
    await Promise.all(
      chosen.map(async ([partition, held]) => {
        held.draining = true;
        await events.drain(partition);
        await events.settle(partition);
        const isSplit = await store.split(host, { partition, epoch: held.epoch }).catch((error) => {
          this.#warn(error, "could not split a partition");
          return false;
        });
        if (!isSplit) this.#splitsFromMs = clock.monotonicMs() + SPLIT_AGAIN_MS;
        await this.#release([partition]);
      }),
    );
    if (chosen.length > 0) this.#again = true;
  }

  /** Hands partitions over, each as soon as it is drained, so that a slow one does not delay the others. */
  async #giveUp(partitions: readonly number[]): Promise<void> {
    for (const partition of partitions) {
      const held = this.#held.get(partition);
      if (held !== undefined) held.draining = true;
    }
    let quiet: number[] = [];
    const releases: Promise<void>[] = [];
    await Promise.all(
      partitions.map(async (partition) => {
        await this.options.events.drain(partition);
        quiet.push(partition);
        if (quiet.length > 1) return;
        // Partitions that are drained at the same time are released together.
        await new Promise<void>((resolve) => this.options.clock.soon(resolve));
        const together = quiet;
        quiet = [];
        releases.push(this.#release(together));
      }),
    );
    await Promise.all(releases);
  }

  async #release(partitions: readonly number[]): Promise<void> {
    const { store, host, bus, events } = this.options;
    for (const partition of partitions) {
      if (this.#held.delete(partition)) events.onLeaseLost(partition);
    }
    await store.release(host, partitions).catch((error) => this.#warn(error, "could not release partitions"));
    bus.publish(LEASES_CHANGED, "");
  }

  #expire(): void {
    const now = this.options.clock.monotonicMs();
    this.drop([...this.#held].filter(([, held]) => now >= held.validUntilMs).map(([partition]) => partition));
  }

  #warn(error: unknown, message: string): void {
    this.options.log.warn({ err: error, host: this.options.host }, message);
  }
}
