import type { Logger } from "pino";
import type {
  ContainerStatus,
  DesiredContainer,
  DesiredFirewall,
  FirewallStatus,
} from "../schemas/desired.ts";
import type { AddressPool } from "./addresses.ts";
import { Backoff } from "./backoff.ts";
import { ContainerFirewall } from "./container-firewall.ts";
import type { PacketFilter } from "./firewall/apply.ts";
import type { KernelTable } from "./firewall/listing.ts";
import type { Limiter } from "./limiter.ts";
import type { Limits } from "./limits.ts";
import { diskUsed } from "./sandbox/disk.ts";
import { type ContainerDriver, type ContainerSpec, SandboxError } from "./sandbox/driver.ts";
import { trimLog } from "./sandbox/log.ts";
import { bootId, type ProcessIdentity } from "./sandbox/process-identity.ts";
import type { ContainerRecord, StateStore } from "./state.ts";

/** What a report says; the reporter adds when. */
export type Reported<T> = Omit<T, "reported_at">;

/** What all containers of a host share. */
export interface Surroundings {
  readonly driver: ContainerDriver;
  /** Null where packets cannot be filtered. */
  readonly filter: PacketFilter | null;
  readonly limits: Limits;
  readonly store: StateStore;
  /** Holds back work that is heavy for the host: starting, stopping, removing. */
  readonly heavy: Limiter;
  readonly log: Logger;
  reportContainer(id: string, status: Reported<ContainerStatus>): void;
  reportFirewall(id: string, status: Reported<FirewallStatus>): void;
}

/** A container as those see it who serve it. */
export interface PresentContainer {
  readonly desired: DesiredContainer;
  readonly spec: ContainerSpec;
  /** Null: it does not run. */
  readonly init: ProcessIdentity | null;
}

/** Within a stop's grace a program can close its files; a user waits for it. */
const STOP_GRACE_MS = 5_000;
/** Nothing is worth saving in a container that goes. */
const DELETE_GRACE_MS = 1_000;
const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 30_000;
/** Who ran for so long is not in a crash loop: the next start comes soon again. */
const STABLE_MS = 60_000;
/** After a container was stopped for its disk, a restart leaves its owner so long to get in and remove files. */
const DISK_GRACE_MS = 60_000;
const REASON_MAX = 500;
const MEGABYTE = 1024 * 1024;
const NO_ADDRESS = "127.0.0.1";

/**
 * One container of this host: brings it, one step after the other, to what was last wanted of it. What is wanted
 * while a step is under way replaces what was wanted before; nothing queues up.
 */
export class Container {
  #record: ContainerRecord | null;
  #wanted: DesiredContainer | null = null;
  readonly #firewall: ContainerFirewall;
  readonly #backoff = new Backoff(RETRY_FIRST_MS, RETRY_MAX_MS);
  #notBeforeMs = 0;
  #startedMs = 0;
  #complaint: string | null = null;
  /** Why it does not run though it is wanted; until something else is wanted of it. */
  #heldBack: { readonly revision: number; readonly reason: string } | null = null;
  #diskCheckNotBeforeMs = 0;
  #dirty = false;
  #working: Promise<void> | null = null;
  #timer: Timer | undefined;
  #closed = false;

  /** @param record what is known of it from before; null for one that is new here */
  constructor(
    readonly id: string,
    record: ContainerRecord | null,
    private readonly around: Surroundings,
  ) {
    this.#record = record;
    this.#firewall = new ContainerFirewall(id, around);
  }

  /** Gone for good, or known only by a firewall that came before it: nothing of it is on this host. */
  get absent(): boolean {
    return this.#record === null && this.#working === null && this.#wanted === null;
  }

  /** What it is now, by what was last wanted of it; null when it is to go, or gone. */
  get present(): PresentContainer | null {
    const record = this.#record;
    const desired = this.#wanted ?? record?.desired;
    if (record === null || desired === undefined || desired.state === "deleted") return null;
    const init = record.init !== null && this.around.driver.isRunning(record.init) ? record.init : null;
    return { desired, spec: this.#spec(record), init };
  }

  /** Takes what the control plane wants. A revision that is not newer than what is known is ignored. */
  want(desired: DesiredContainer): void {
    const known = this.#wanted ?? this.#record?.desired;
    if (known && desired.revision <= known.revision) return;
    this.#wanted = desired;
    this.#complaint = null;
    this.#notBeforeMs = 0;
    this.#backoff.reset();
    this.poke();
  }

  /** The same for its firewall. */
  wantFirewall(desired: DesiredFirewall): void {
    if (this.#firewall.want(desired, this.#record)) this.poke();
  }

  /** Reports that something was wanted that nobody can make out. What was wanted before stays in force. */
  complain(reason: string): void {
    this.#complaint = reason.slice(0, REASON_MAX);
    this.poke();
  }

  complainFirewall(reason: string): void {
    this.#firewall.complain(reason, this.#record);
  }

  /** Looks at it again, now or after the step that is under way. */
  poke(): void {
    this.#dirty = true;
    if (this.#closed || this.#working) return;
    this.#working = this.#work().finally(() => {
      this.#working = null;
      // Between the last look and here.
      if (this.#dirty) this.poke();
    });
  }

  /** Settles when nothing is under way; a retry that waits for its time does not count. */
  async settled(): Promise<void> {
    while (this.#working) await this.#working;
  }

  /** Notices an init that ended. Cheap: one small read. */
  watch(): void {
    const init = this.#record?.init;
    if (!this.#working && init && !this.around.driver.isRunning(init)) this.poke();
  }

  /** Notices a table that is not what its rules make. @param table the kernel's; undefined when there is none */
  async watchFirewall(table: KernelTable | undefined): Promise<void> {
    const record = this.#record;
    if (this.#working || !record) return;
    if (await this.#firewall.differs(record, this.#spec(record), table?.fingerprint ?? null)) this.poke();
  }

  /** Notices that it has filled its share of the disk: it is stopped, and says so. */
  async watchDisk(): Promise<void> {
    const { desired, init } = this.#record ?? {};
    if (this.#working || !init || desired?.state !== "running") return;
    if (performance.now() < this.#diskCheckNotBeforeMs) return;
    const { diskMegabytes } = this.around.limits;
    const usedMegabytes = Math.ceil((await diskUsed(this.around.store.folder(this.id))) / MEGABYTE);
    if (usedMegabytes <= diskMegabytes) return;
    const reason =
      `its files take ${usedMegabytes} MB and may take ${diskMegabytes} (BERTH_CONTAINER_DISK_MB of its host): it is stopped. ` +
      `Restart it and remove some within ${DISK_GRACE_MS / 1_000} s`;
    this.#heldBack = { revision: desired.revision, reason };
    this.around.log.warn(
      { container: this.id, usedMegabytes, diskMegabytes },
      "container stopped: disk full",
    );
    this.poke();
  }

  /** Keeps its log from filling the host's disk. */
  async tidy(): Promise<void> {
    if (this.#record) await trimLog(this.around.store.folder(this.id));
  }

  /** Begins nothing new, and settles when the step under way is done. The container goes on. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.settled();
  }

  /** Stops its processes and removes its rules after `close`, and leaves its record as it is: it is still wanted. */
  async halt(): Promise<void> {
    const record = this.#record;
    if (record === null) return;
    const { driver } = this.around;
    if (record.init && driver.isRunning(record.init)) {
      await driver.stop(this.#spec(record), record.init, STOP_GRACE_MS);
    }
    await this.#firewall.remove();
  }

  async #work(): Promise<void> {
    while (this.#dirty && !this.#closed) {
      this.#dirty = false;
      clearTimeout(this.#timer);
      try {
        await this.#converge();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        this.around.log.error({ container: this.id, error: reason }, "a container is not as it should be");
        this.#report("error", reason);
        this.#later(this.#backoff.next());
      }
    }
  }

  async #converge(): Promise<void> {
    await this.#accept();
    if (this.#record === null) return;
    if (this.#record.desired.state === "deleted") {
      await this.around.heavy.run(() => this.#destroy(this.#known()));
      return;
    }
    // The firewall first: a container starts behind its rules.
    const record = await this.#firewall.converge(this.#record, this.#spec(this.#record));
    this.#record = record;
    const retryMs = this.#firewall.retryMs;
    if (retryMs !== null) this.#later(retryMs);
    if (this.#heldBack?.revision === record.desired.revision && record.desired.state === "running") {
      await this.around.heavy.run(() => this.#holdBack(record));
      this.#report("error", this.#heldBack.reason);
    } else if (this.#atRest(record)) this.#report(record.init ? "running" : "stopped", null);
    else await this.around.heavy.run(() => this.#convergeInit());
  }

  /** Makes what is wanted part of the record: from here on it outlives the agent. */
  async #accept(): Promise<void> {
    const desired = this.#wanted;
    if (desired === null) return;
    if (this.#record === null && desired.state === "deleted") {
      this.around.reportContainer(this.id, this.#status(desired.revision, "deleted", null, null));
      this.#wanted = null;
      return;
    }
    const record: ContainerRecord = this.#record
      ? { ...this.#record, desired }
      : {
          id: this.id,
          desired,
          address: this.#addresses?.allocate() ?? NO_ADDRESS,
          generation: desired.generation,
          init: null,
          firewall: null,
        };
    const isNew = this.#record === null;
    this.#record = record;
    await this.around.store.save(record);
    // Something newer may have come while it was saved.
    if (this.#wanted === desired) this.#wanted = null;
    if (isNew) this.#report("creating", null);
  }

  #atRest({ desired, init, generation }: ContainerRecord): boolean {
    if (init === null) return desired.state === "stopped";
    const running = this.around.driver.isRunning(init);
    return running && desired.state === "running" && generation === desired.generation;
  }

  async #holdBack({ init }: ContainerRecord): Promise<void> {
    if (init === null) return;
    await this.around.driver.stop(this.#spec(this.#known()), init, STOP_GRACE_MS);
    await this.#save({ init: null });
  }

  async #convergeInit(): Promise<void> {
    const { driver } = this.around;
    const record = this.#known();
    const { desired, init } = record;
    if (init !== null && !driver.isRunning(init)) {
      await this.#save({ init: null });
      // After a reboot nothing runs, and nothing has failed.
      if (desired.state === "running" && init.boot === bootId()) {
        this.#restartLater(await driver.lastEnd(this.#spec(record)));
        return;
      }
    } else if (init !== null) {
      await driver.stop(this.#spec(record), init, STOP_GRACE_MS);
      await this.#save({ init: null });
    }
    if (desired.state === "stopped") {
      this.#report("stopped", null);
      return;
    }
    const waitMs = this.#notBeforeMs - performance.now();
    if (waitMs > 0) {
      this.#later(waitMs);
      return;
    }
    await this.#start();
  }

  async #start(): Promise<void> {
    const { driver, log } = this.around;
    const record = this.#known();
    const spec = this.#spec(record);
    const problem = this.#firewall.problem(record);
    if (problem !== null) throw new SandboxError(`it is not started without its firewall: ${problem}`);

    await driver.create(spec);
    const { init, ended } = await driver.start(spec, (identity) =>
      this.#save({ init: identity, generation: record.desired.generation }),
    );
    this.#startedMs = performance.now();
    if (this.#heldBack !== null) {
      // Not at every start: the disk of a command that keeps ending would never be looked at.
      this.#heldBack = null;
      this.#diskCheckNotBeforeMs = this.#startedMs + DISK_GRACE_MS;
    }
    ended.then(() => {
      if (this.#record?.init?.pid === init.pid) this.poke();
    });
    log.info({ container: this.id, pid: init.pid, address: spec.address }, "container started");
    this.#report("running", null);
  }

  #restartLater(how: string): void {
    const now = performance.now();
    if (now - this.#startedMs > STABLE_MS) this.#backoff.reset();
    const delayMs = this.#backoff.next();
    this.#notBeforeMs = now + delayMs;
    this.around.log.warn({ container: this.id, how, delayMs }, "container ended by itself");
    this.#report("error", `${how}; it starts again`);
    this.#later(delayMs);
  }

  async #destroy(record: ContainerRecord): Promise<void> {
    const { driver, store, log } = this.around;
    const spec = this.#spec(record);
    if (record.init) {
      await driver.stop(spec, record.init, DELETE_GRACE_MS);
      await this.#save({ init: null });
    }
    await driver.destroy(spec);
    await this.#firewall.remove();
    await store.remove(this.id);
    this.#addresses?.release(record.address);
    this.#record = null;
    log.info({ container: this.id }, "container deleted");
    this.around.reportContainer(this.id, this.#status(record.desired.revision, "deleted", null, null));
  }

  #later(delayMs: number): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = setTimeout(() => this.poke(), delayMs);
    this.#timer.unref();
  }

  #report(state: ContainerStatus["state"], error: string | null): void {
    const record = this.#record;
    if (record === null) return;
    const status = this.#status(record.desired.revision, state, record.address, error ?? this.#complaint);
    this.around.reportContainer(this.id, status);
  }

  #status(
    revision: number,
    state: ContainerStatus["state"],
    address: string | null,
    error: string | null,
  ): Reported<ContainerStatus> {
    return {
      revision,
      state,
      driver: this.around.driver.kind,
      address,
      error: error?.slice(0, REASON_MAX) ?? null,
    };
  }

  async #save(change: Partial<ContainerRecord>): Promise<void> {
    const record = { ...this.#known(), ...change };
    this.#record = record;
    await this.around.store.save(record);
  }

  #known(): ContainerRecord {
    if (this.#record === null) throw new Error(`container ${this.id} is not on record`);
    return this.#record;
  }

  get #addresses(): AddressPool | null {
    return this.around.driver.addresses;
  }

  #spec({ id, desired, address }: ContainerRecord): ContainerSpec {
    const { name, command } = desired;
    return { id, name, command, address, folder: this.around.store.folder(id) };
  }
}
