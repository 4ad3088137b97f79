import { quantile } from "../statistics.ts";
import type { Costs } from "./costs.ts";
import { Clock, Machine, Process } from "./simulation.ts";

/** Transfers on their way: client, gateway, NATS, actor host, PostgreSQL, and back. */

/** A lane takes no more messages into one commit (`actors/runtime/host/lane.ts`). */
export const BATCH_MAX = 1_024;
/** The first part of the time does not count: queues begin empty. */
const WARMUP_SHARE = 0.2;

export interface Installation {
  /** One machine for everything, or one for each process and one with so many cores for PostgreSQL. */
  readonly machines: { readonly shared: number } | { readonly postgres: number };
  readonly gateways: number;
  readonly hosts: number;
  readonly natsServers: number;
}

/** Clients that wait for each answer before they ask again; or so many requests a second, at random times. */
export type Load = { readonly clients: number } | { readonly perSecond: number };

export interface Outcome {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly batch: number;
  /** Share of its core that the busiest process of a kind takes; of PostgreSQL: of all its cores. */
  readonly busy: {
    readonly gateway: number;
    readonly host: number;
    readonly nats: number;
    readonly postgres: number;
  };
}

interface Host {
  readonly process: Process;
  readonly backend: Process;
  /** Handled, and not committed. */
  readonly ready: Transfer[];
  isCommitting: boolean;
}

interface Transfer {
  readonly askedMs: number;
  readonly gateway: Process;
}

/** What a commit takes. */
export interface Service {
  /** CPU of each part. */
  readonly costs: Costs;
  /** What a commit waits for besides CPU: the disk and the network. */
  readonly waitMs: number;
}

/** Numbers from 0 to 1. */
export type Random = () => number;

export function simulateTransfers(
  installation: Installation,
  load: Load,
  service: Service,
  { seconds, random }: { readonly seconds: number; readonly random: Random },
): Outcome {
  return new Simulation(installation, load, service, random).run(seconds * 1_000);
}

class Simulation {
  readonly #clock = new Clock();
  readonly #gateways: readonly Process[];
  readonly #nats: readonly Process[];
  readonly #hosts: readonly Host[];
  readonly #generator: Process;
  readonly #postgresCores: number;
  #countsFromMs = 0;
  #commits = 0;
  #committed = 0;
  readonly #latencies: number[] = [];

  constructor(
    installation: Installation,
    private readonly load: Load,
    private readonly service: Service,
    private readonly random: Random,
  ) {
    const { machines } = installation;
    const shared = "shared" in machines ? new Machine(machines.shared) : undefined;
    this.#postgresCores = "shared" in machines ? machines.shared : machines.postgres;
    const postgres = shared ?? new Machine(this.#postgresCores);
    const process = () => new Process(this.#clock, shared ?? new Machine(1));
    const several = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
    this.#gateways = several(installation.gateways, process);
    this.#nats = several(installation.natsServers, process);
    this.#generator = process();
    this.#hosts = several(installation.hosts, () => ({
      process: process(),
      backend: new Process(this.#clock, postgres),
      ready: [],
      isCommitting: false,
    }));
  }

  run(endMs: number): Outcome {
    if ("clients" in this.load) for (let client = 0; client < this.load.clients; client++) this.#generate();
    else this.#arrive(this.load.perSecond);
    this.#countsFromMs = endMs * WARMUP_SHARE;
    this.#clock.runUntil(this.#countsFromMs);
    const before = this.#busyMs();
    this.#clock.runUntil(endMs);
    const measuredMs = endMs - this.#countsFromMs;
    const most = (after: readonly number[], start: readonly number[]) =>
      Math.max(...after.map((ms, at) => ms - (start[at] ?? 0))) / measuredMs;
    const after = this.#busyMs();
    this.#latencies.sort((a, b) => a - b);
    return {
      perSecond: (this.#latencies.length / measuredMs) * 1_000,
      p50Ms: quantile(this.#latencies, 0.5),
      p99Ms: quantile(this.#latencies, 0.99),
      batch: this.#committed / this.#commits,
      busy: {
        gateway: most(after.gateways, before.gateways),
        host: most(after.hosts, before.hosts),
        nats: most(after.nats, before.nats),
        postgres: (after.postgres - before.postgres) / measuredMs / this.#postgresCores,
      },
    };
  }

  #busyMs() {
    return {
      gateways: this.#gateways.map(({ busyMs }) => busyMs),
      hosts: this.#hosts.map(({ process }) => process.busyMs),
      nats: this.#nats.map(({ busyMs }) => busyMs),
      postgres: this.#hosts.reduce((sum, { backend }) => sum + backend.busyMs, 0),
    };
  }

  /** A client asks, on the machine that was measured: the generator's work is no part of an installation's. */
  #generate(): void {
    this.#generator.run(this.service.costs["load generator"].perTransfer, () => this.#ask());
  }

  #arrive(perSecond: number): void {
    this.#ask();
    const pauseMs = (-Math.log(1 - this.random()) * 1_000) / perSecond;
    this.#clock.after(pauseMs, () => this.#arrive(perSecond));
  }

  #ask(): void {
    const { gateway, NATS } = this.service.costs;
    const transfer = { askedMs: this.#clock.nowMs, gateway: this.#any(this.#gateways) };
    const host = this.#any(this.#hosts);
    transfer.gateway.run(gateway.perTransfer / 2, () =>
      this.#any(this.#nats).run(NATS.perTransfer, () => {
        host.process.run(this.service.costs["actor host"].perTransfer, () => {
          host.ready.push(transfer);
          this.#commit(host);
        });
      }),
    );
  }

  #commit(host: Host): void {
    if (host.isCommitting || host.ready.length === 0) return;
    host.isCommitting = true;
    const batch = host.ready.splice(0, BATCH_MAX);
    const { costs, waitMs } = this.service;
    const { perCommit, perTransfer } = costs.PostgreSQL;
    host.process.run(costs["actor host"].perCommit, () =>
      host.backend.run(perCommit + perTransfer * batch.length, () =>
        this.#clock.after(waitMs, () => {
          host.isCommitting = false;
          this.#reply(batch);
          this.#commit(host);
        }),
      ),
    );
  }

  #reply(batch: readonly Transfer[]): void {
    const { gateway: cost, NATS } = this.service.costs;
    if (this.#clock.nowMs > this.#countsFromMs) {
      this.#commits += 1;
      this.#committed += batch.length;
    }
    this.#any(this.#nats).run(NATS.perCommit, () => {
      for (const [gateway, mine] of Map.groupBy(batch, ({ gateway }) => gateway))
        gateway.run(cost.perCommit + (cost.perTransfer / 2) * mine.length, () => {
          for (const transfer of mine) this.#answer(transfer);
        });
    });
  }

  #answer({ askedMs }: Transfer): void {
    if (this.#clock.nowMs > this.#countsFromMs) this.#latencies.push(this.#clock.nowMs - askedMs);
    if ("clients" in this.load) this.#generate();
  }

  #any<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }
}
