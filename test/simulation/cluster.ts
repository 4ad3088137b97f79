import type { Logger } from "pino";
import { walletActor } from "../../actors/billing/wallet/index.ts";
import { EVENT_TOPIC } from "../../actors/platform/record-event.ts";
import { type Client, connectClient } from "../../actors/runtime/client.ts";
import type { AnyDefinition } from "../../actors/runtime/definition.ts";
import { type Host, startHost } from "../../actors/runtime/host/host.ts";
import type { Ids } from "../../actors/runtime/ports.ts";
import { Caller, type CallerOptions } from "../../actors/runtime/transport/caller.ts";
import { type BusClient, BusServer } from "./bus.ts";
import { Database, type Mutations } from "./database.ts";
import { alarm, shop, till } from "./market.ts";
import type { Plan } from "./plan.ts";
import { Process } from "./process.ts";
import type { Scheduler } from "./scheduler.ts";
import { SimulatedStore, type StoreFaults } from "./store.ts";
import { EventStream } from "./stream.ts";
import { simulated } from "./table.ts";

/** A host that is told to end has this long before it is killed. */
const STOP_MS_MAX = 15_000;
const RESTART_MS_MAX = 1_500;

export const FEE_BPS = 500;

const walletDefinition = walletActor({ aiCreditFeeBps: FEE_BPS });

/** The product's wallet; only where its rows are read from differs. */
export const wallet = { ...walletDefinition, table: simulated(walletDefinition.table) };
type Definitions = { wallet: typeof wallet; shop: typeof shop; till: typeof till; alarm: typeof alarm };

interface Member {
  readonly process: Process;
  readonly bus: BusClient;
  readonly store: SimulatedStore;
}

export interface HostMember extends Member {
  readonly slot: number;
  host: Host | undefined;
}

export interface CallerMember extends Member {
  readonly client: Client<Definitions>;
  /** Told when the process dies, so that whoever waits for an answer stops waiting. */
  readonly onDeath: Set<() => void>;
}

/** A whole cluster: a database, a bus, hosts with the product's runtime, and callers. */
export class Cluster {
  readonly database: Database;
  readonly bus: BusServer;
  readonly stream: EventStream;
  readonly hosts: HostMember[] = [];
  readonly callers: CallerMember[] = [];
  /** All that there ever were, by name. */
  readonly processes = new Map<string, Process>();
  /** When everything that was wrong had ended. */
  healedAtMs = Number.POSITIVE_INFINITY;
  readonly storeFaults: StoreFaults;
  /** What the runtime reported as an error: nothing of what is simulated should be one. */
  readonly errors: string[] = [];
  #processes = 0;
  #records = 0;
  readonly #ids: Ids = { record: () => (++this.#records).toString(16).padStart(24, "0") };

  constructor(
    readonly scheduler: Scheduler,
    readonly plan: Plan,
    mutations: Mutations,
  ) {
    this.database = new Database(scheduler, mutations);
    this.bus = new BusServer(scheduler);
    this.stream = new EventStream(scheduler, this.bus);
    this.storeFaults = { lost: 0, unanswered: 0, late: 0 };
    for (let slot = 0; slot < plan.hosts; slot++) this.startHost(slot);
    for (let slot = 0; slot < plan.callers; slot++) this.startCaller(slot);
  }

  get members(): Member[] {
    return [...this.hosts, ...this.callers];
  }

  startHost(slot: number): void {
    const member: HostMember = { ...this.#member(`host${slot}`), slot, host: undefined };
    this.hosts[slot] = member;
    const { process, bus, store } = member;
    process.after(0, "starts", () => {
      startHost({
        host: process.name,
        definitions: [wallet, shop, till, alarm] as unknown as AnyDefinition[],
        topics: { [EVENT_TOPIC]: this.stream.deliver(process, bus) },
        patientTopics: new Set([EVENT_TOPIC]),
        store,
        bus,
        clock: process.clock,
        ids: this.#ids,
        caller: new Caller(this.#callerOptions(member)),
        log: this.#logger(process.name),
        lanes: this.plan.lanes,
        leaseTtlMs: this.plan.leaseTtlMs,
      }).then(
        (host) => {
          member.host = host;
        },
        // As a supervisor does with a process that ended.
        () => this.killHost(member),
      );
    });
  }

  /** Ends a host's process at once; another starts in its place. */
  killHost(member: HostMember): void {
    if (this.hosts[member.slot] !== member || !member.process.isAlive) return;
    member.process.kill();
    this.scheduler.after(this.scheduler.random.next() * RESTART_MS_MAX, "restart", () =>
      this.startHost(member.slot),
    );
  }

  drainHost(member: HostMember): void {
    const { host } = member;
    if (host === undefined) return;
    member.host = undefined;
    member.process.after(0, "drains", () => void host.stop().then(() => this.killHost(member)));
    this.scheduler.after(STOP_MS_MAX, "kill", () => this.killHost(member));
  }

  startCaller(slot: number): void {
    const member = this.#member(`caller${slot}`);
    const client = connectClient<Definitions>(this.#callerOptions(member));
    this.callers[slot] = { ...member, client, onDeath: new Set() };
  }

  killCaller(slot: number): void {
    const member = this.callers[slot];
    member?.process.kill();
    this.startCaller(slot);
    for (const tell of member?.onDeath ?? []) tell();
  }

  #member(role: string): Member {
    // A restarted process has another name.
    const process = new Process(this.scheduler, `${role}-${++this.#processes}`);
    this.processes.set(process.name, process);
    const store = new SimulatedStore(this.database, process, this.storeFaults);
    return { process, bus: this.bus.connect(process), store };
  }

  #callerOptions({ process, bus, store }: Member): CallerOptions {
    return {
      caller: process.name,
      bus,
      clock: process.clock,
      ids: this.#ids,
      leases: () => store.cluster(),
    };
  }

  #logger(name: string): Logger {
    const note = (level: string) => (fields: { err?: Error }, message: string) =>
      this.scheduler.trace.note(() => `${name} ${level}: ${message}${reason(fields)}`);
    const error = (fields: { err?: Error }, message: string) => {
      note("error")(fields, message);
      this.errors.push(`${name}: ${message}${reason(fields)}`);
    };
    return {
      isLevelEnabled: () => false,
      info: note("info"),
      warn: note("warn"),
      error,
    } as unknown as Logger;
  }
}

const reason = ({ err, ...fields }: { err?: Error }): string =>
  ` ${err === undefined ? JSON.stringify(fields) : `(${err.message})`}`;
