import type { BusClient } from "./bus.ts";
import type { Cluster } from "./cluster.ts";
import type { Incident } from "./plan.ts";
import type { Process } from "./process.ts";
import type { Random } from "./random.ts";

const HOUR_MS = 3_600_000;
/** Where timers are set by the clock on the wall, it does not jump farther than is waited for. */
const JUMP_WITH_TIMERS_MS = 2_000;
/** When a client of the bus notices that it is cut off. */
const NOTICE_MS_MAX = 1_000;
/** How long something stays broken, in leases: mostly less than one, at times several. */
const LASTS_LEASES = 0.6;

/** Makes things go wrong until it is told to stop. */
export class Incidents {
  #going = true;
  /** What ends those that are under way. */
  readonly #endings = new Set<() => void>();

  constructor(private readonly cluster: Cluster) {
    const { plan, bus, storeFaults } = cluster;
    bus.faults = { ...plan.bus };
    Object.assign(storeFaults, plan.store);
    if (plan.incidents.length > 0) this.#next();
  }

  /** Ends all that is wrong. From here on the cluster has to get well by itself. */
  heal(): void {
    this.#going = false;
    this.cluster.healedAtMs = this.cluster.scheduler.nowMs;
    const { bus, storeFaults } = this.cluster;
    bus.faults = { lose: 0, duplicate: 0, late: 0 };
    Object.assign(storeFaults, { lost: 0, unanswered: 0, late: 0 });
    for (const end of this.#endings) end();
  }

  #next(): void {
    const { scheduler, plan } = this.cluster;
    scheduler.after(scheduler.random.around(plan.incidentEveryMs), "incident", () => {
      if (!this.#going) return;
      const incident = scheduler.random.pick(plan.incidents);
      scheduler.trace.note(() => `incident: ${incident}`);
      const end = this.#begin(incident);
      if (end !== undefined) this.#endLater(end);
      this.#next();
    });
  }

  /** Answers what ends it, where it does not pass by itself. */
  #begin(incident: Incident): (() => void) | undefined {
    const { cluster } = this;
    const { database, plan } = cluster;
    const { random } = cluster.scheduler;
    const member = random.pick(cluster.members);
    const host = random.pick(cluster.hosts);
    const slot = random.integer(cluster.callers.length);
    switch (incident) {
      case "grow":
        database.leases.grow();
        return;
      case "kill host":
        cluster.killHost(host);
        return;
      case "drain host":
        cluster.drainHost(host);
        return;
      case "kill caller":
        cluster.killCaller(slot);
        return;
      case "stop host":
        return stop(host.process);
      case "stop caller":
        return stop(cluster.callers[slot]?.process);
      case "cut bus":
        return cutBus([member], random);
      case "cut bus of all":
        return cutBus(cluster.members, random);
      case "cut database":
        member.store.cut(true);
        return () => member.store.cut(false);
      case "restart database":
        database.goDown();
        for (const { store } of cluster.members) store.breakConnections();
        return () => database.comeBack();
      case "slow disk":
        database.slowness = random.pick([20, 200, 2_000]);
        return () => {
          database.slowness = 1;
        };
      case "jump host's clock":
        member.process.wallOffsetMs +=
          random.between(-1, 1) * (plan.market === null ? HOUR_MS : JUMP_WITH_TIMERS_MS);
        return;
      case "jump database's clock":
        database.wallOffsetMs += random.between(-1, 1) * plan.leaseTtlMs;
        return;
    }
  }

  #endLater(end: () => void): void {
    const { scheduler, plan } = this.cluster;
    const once = () => {
      if (this.#endings.delete(once)) end();
    };
    this.#endings.add(once);
    scheduler.after(scheduler.random.around(LASTS_LEASES * plan.leaseTtlMs), "recovery", once);
  }
}

function stop(process: Process | undefined): () => void {
  process?.stop();
  return () => process?.goOn();
}

function cutBus(members: readonly { bus: BusClient }[], random: Random): () => void {
  for (const { bus } of members) bus.cut(true, random.next() * NOTICE_MS_MAX);
  return () => {
    for (const { bus } of members) bus.cut(false, 0);
  };
}
