import type { Logger } from "pino";
import { anything } from "../../../schemas/received.ts";
import { LEASES_CHANGED } from "../../../schemas/subjects.ts";
import { PARTITIONS, preferredHost } from "../partition.ts";
import type { Bus, Clock, HostStatus, Store } from "../ports.ts";
import { consume } from "../transport/consume.ts";

/** A lease is renewed this many times before it could run out. */
const RENEWALS_PER_LEASE = 4;
/** The pause after a failed tick. It is short because partitions may be waiting. */
const RETRY_MS = 150;
/** Partitions that a host hands to a new host at a time, so that most requests never wait. */
const MOVES_MAX = 8;

export interface LeaseEvents {
  /** The partition is this host's from now on, in this epoch. Resolves when it is ready to take requests. */
  acquired(partitions: readonly { partition: number; epoch: number }[]): Promise<void>;
  /** Partitions that were acquired take messages from now on. */
  opened(): void;
  /** The partition is no longer this host's: drop it at once. */
  onLeaseLost(partition: number): void;
  /** The partition is handed over: accept no new requests, and resolve when those in flight have their replies. */
  drain(partition: number): Promise<void>;
}

export interface LeasesOptions {
  readonly host: string;
  readonly ttlMs: number;
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
  readonly events: LeaseEvents;
  /** What this host says of itself whenever it renews. */
  status(): HostStatus;
}

interface HeldLease {
  readonly epoch: number;
  /** By the monotonic clock, counted from before the renewal was sent: never later than the database's own end. */
  validUntilMs: number;
  draining: boolean;
}

/** Which partitions this host owns: takes its share, renews it, gives up what belongs to others, and hands over at the end. */
export class Leases {
  readonly #held = new Map<number, HeldLease>();
  #leaving = false;
  /** Which history the database was on at the last renewal. */
  #timeline: string | undefined;
  /** Connections that were lost, and how many of them are known to have been no failover. */
  #doubts = 0;
  #settledDoubts = 0;
  #ticking: Promise<void> | undefined;
  #again = false;
  #cancelTick: () => void = () => {};
  #cancelRetry: (() => void) | undefined;
  #unsubscribe: () => void = () => {};

  constructor(private readonly options: LeasesOptions) {}

  /** Joins the cluster. Resolves after the first attempt to take partitions. */
  async start(): Promise<void> {
    // Someone gave partitions back, or joined: do not wait for the next tick.
    this.#unsubscribe = consume(this.options.bus, LEASES_CHANGED, {
      kind: "leases",
      read: anything,
      handle: () => this.#tick(),
    });
    this.options.store.onDisconnect?.(() => this.#distrustMemory());
    await this.#tick();
    // Those who hold what should be here learn of the newcomer.
    this.options.bus.publish(LEASES_CHANGED, "");
    this.#schedule();
  }

  holds(partition: number, epoch: number): boolean {
    const held = this.#held.get(partition);
    return held !== undefined && held.epoch === epoch && this.options.clock.monotonicMs() < held.validUntilMs;
  }

  /** Whether memory may be read instead of the database: the lease is good, and no connection was lost since it was renewed. */
  canServeFromMemory(partition: number, epoch: number): boolean {
    return this.#doubts === this.#settledDoubts && this.holds(partition, epoch);
  }

  /** Whether new requests of this partition may start here. */
  accepts(partition: number, epoch: number): boolean {
    return this.holds(partition, epoch) && this.#held.get(partition)?.draining === false;
  }

  owns(partition: number): boolean {
    const held = this.#held.get(partition);
    return held !== undefined && this.holds(partition, held.epoch);
  }

  /** The epoch of a partition that takes new messages here; undefined for any other. */
  epochOf(partition: number): number | undefined {
    const epoch = this.#held.get(partition)?.epoch;
    return epoch !== undefined && this.accepts(partition, epoch) ? epoch : undefined;
  }

  get partitions(): number[] {
    return [...this.#held.keys()];
  }

  /** Hands everything over: waits for requests in flight, then frees the leases, so that others take them at once. */
  async leave(): Promise<void> {
    this.#leaving = true;
    this.#cancelTick();
    this.#cancelRetry?.();
    this.#unsubscribe();
    await this.#ticking?.catch(() => {});
    await this.options.store.leave(this.options.host).catch((error) => this.#warn(error, "could not leave"));
    await this.#giveUp([...this.#held.keys()]);
    // Also those that it lost sight of, by a commit whose outcome is unknown: nobody need wait for them to run out.
    await this.#release(Array.from({ length: PARTITIONS }, (_, partition) => partition));
  }

  /** A commit was refused, or nobody knows what became of it: what is still this host's it takes in a new epoch. */
  fenced(partitions: readonly number[]): void {
    this.drop(partitions);
    if (!this.#leaving) void this.#tick();
  }

  /** Forgets partitions at once. */
  drop(partitions: readonly number[]): void {
    for (const partition of partitions) {
      if (this.#held.delete(partition)) this.options.events.onLeaseLost(partition);
    }
  }

  /** Nothing in memory is vouched for until the database has said that it is still on the same timeline. */
  #distrustMemory(): void {
    const isFirst = this.#doubts === this.#settledDoubts;
    this.#doubts += 1;
    // Those that follow, as while the database is away, wait for the next try.
    if (isFirst && !this.#leaving) void this.#tick();
  }

  #schedule(): void {
    if (this.#leaving) return;
    this.#cancelTick = this.options.clock.after(this.options.ttlMs / RENEWALS_PER_LEASE, () => {
      void this.#tick().finally(() => this.#schedule());
    });
  }

  #tick(): Promise<void> {
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
      // A host that NATS does not reach serves nobody: it must not keep others from taking over.
      await bus.ping(ttlMs / 2);
      const askedMs = clock.monotonicMs();
      const doubts = this.#doubts;
      const { held: still, timeline } = await this.options.store.renew(
        this.options.host,
        ttlMs,
        this.options.status(),
      );
      this.#adoptTimeline(timeline);
      this.#settledDoubts = doubts;
      if (this.#doubts !== doubts) this.#again = true;
      const renewed = new Map(still.map((l) => [l.partition, l.epoch]));
      const gone: number[] = [];
      for (const [partition, held] of this.#held) {
        if (renewed.get(partition) === held.epoch) held.validUntilMs = askedMs + ttlMs;
        else gone.push(partition);
      }
      this.drop(gone);
      if (!this.#leaving) await this.#balance();
    } catch (error) {
      this.#warn(error, "could not renew the leases");
      this.#retrySoon();
    }
    this.#expire();
  }

  /**
   * After a failover the database may lack what it had acknowledged last: what memory holds is of another history. All of it is
   * dropped, and read again under new epochs.
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

  #retrySoon(): void {
    if (this.#leaving) return;
    this.#cancelRetry ??= this.options.clock.after(RETRY_MS, () => {
      this.#cancelRetry = undefined;
      void this.#tick();
    });
  }

  /** Takes what is free and should be here; gives up a few of those that should be elsewhere. */
  async #balance(): Promise<void> {
    const { store, host, clock, ttlMs, bus, events, log } = this.options;
    const { leases, hosts } = await store.cluster();
    const others: number[] = [];
    const wanted: number[] = [];
    const orphaned: number[] = [];
    for (const lease of leases.slice(0, PARTITIONS)) {
      const preferred = preferredHost(lease.partition, hosts);
      if (this.#held.has(lease.partition)) {
        if (preferred !== undefined && preferred !== host) others.push(lease.partition);
      } else if (preferred === host && (lease.owner === null || lease.expired || lease.owner === host)) {
        wanted.push(lease.partition);
      } else if (lease.owner === host) {
        orphaned.push(lease.partition);
      }
    }
    // Taken by a statement whose reply was lost: this host would renew them forever, and never run them.
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
  }

  /** Hands partitions over, each as soon as it is quiet: one that is held up does not hold up the others. */
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
        // What becomes quiet together is released together.
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
