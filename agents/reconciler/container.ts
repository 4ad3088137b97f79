import type { ContainerStatus, DesiredContainer, DesiredFirewall } from "../../schemas/hosting/desired.ts";
import { type ContainerSpec, SandboxError, Unready } from "../containers/driver.ts";
import { trimLog } from "../containers/log.ts";
import type { Machine } from "../exec/target.ts";
import type { AddressPool } from "../network/addresses.ts";
import type { KernelFirewall } from "../network/nft/listing.ts";
import { bootId, type ProcessIdentity } from "../system/process-identity.ts";
import { ContainerFirewall } from "./container-firewall.ts";
import type { Reported, Surroundings } from "./context.ts";
import { DiskShare } from "./disk-share.ts";
import { StepLoop } from "./reconcile-loop.ts";
import { Restarts } from "./restarts.ts";
import type { ContainerRecord } from "./store.ts";

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
/** How soon a container that waits for something looks again. */
const UNREADY_MS = 1_000;
const REASON_MAX = 500;
const NO_ADDRESS = "127.0.0.1";

/**
 * One container of this host: brings it, one step after the other, to what was last wanted of it. What is wanted
 * while a step is under way replaces what was wanted before; nothing queues up.
 */
export class Container {
  #record: ContainerRecord | null;
  #wanted: DesiredContainer | null = null;
  readonly #firewall: ContainerFirewall;
  readonly #disk: DiskShare;
  readonly #restarts = new Restarts();
  readonly #loop = new StepLoop(() => this.#step());
  #complaint: string | null = null;
  /** Why it does not run though it is wanted; until something else is wanted of it. */
  #heldBack: { readonly revision: number; readonly reason: string } | null = null;

  /** @param record what is known of it from before; null for one that is new here */
  constructor(
    readonly id: string,
    record: ContainerRecord | null,
    private readonly around: Surroundings,
  ) {
    this.#record = record;
    this.#firewall = new ContainerFirewall(id, around);
    this.#disk = new DiskShare(around.store.folder(id), around.limits);
  }

  /** Gone for good, or known only by a firewall that came before it: nothing of it is on this host. */
  get absent(): boolean {
    return this.#record === null && !this.#loop.isBusy && this.#wanted === null;
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
    this.#restarts.reset();
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
    this.#loop.poke();
  }

  /** Settles when nothing is under way; a retry that waits for its time does not count. */
  settled(): Promise<void> {
    return this.#loop.settled();
  }

  /** Notices an init that ended. Cheap: one small read. */
  watch(): void {
    const init = this.#record?.init;
    if (!this.#loop.isBusy && init && !this.around.driver.isRunning(init)) this.poke();
  }

  /** Before the first look at any container: what rules it has on record. */
  announceFirewall(): void {
    if (this.#record) this.#firewall.announce(this.#record, this.#spec(this.#record));
  }

  /** Notices a firewall that is not what its rules make. @param present the kernel's; null when there is none */
  async watchFirewall(present: KernelFirewall | null): Promise<void> {
    const record = this.#record;
    if (this.#loop.isBusy || !record) return;
    if (await this.#firewall.differs(record, this.#spec(record), present?.fingerprint ?? null)) this.poke();
  }

  /** Notices that it has filled its share of the disk: it is stopped, and says so. */
  async watchDisk(): Promise<void> {
    const record = this.#record;
    const { desired, init } = record ?? {};
    if (this.#loop.isBusy || !record || !init || desired?.state !== "running") return;
    const { driver } = this.around;
    const reason = await this.#disk.excess(() => driver.processes(this.#spec(record)));
    if (reason === null) return;
    this.#heldBack = { revision: desired.revision, reason };
    this.around.log.warn({ container: this.id, reason }, "container stopped: disk full");
    this.poke();
  }

  /** Where programs of it run; null for one that is not on this host. */
  get machine(): Machine | null {
    if (this.#record === null) return null;
    return this.around.driver.machine(this.#spec(this.#record), () => this.#record?.init ?? null);
  }

  /** Keeps its log from filling the host's disk. */
  async tidy(): Promise<void> {
    if (this.#record) await trimLog(this.around.store.folder(this.id));
  }

  /** Begins nothing new, and settles when the step under way is done. The container goes on. */
  close(): Promise<void> {
    return this.#loop.close();
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

  async #step(): Promise<void> {
    try {
      await this.#converge();
    } catch (error) {
      if (error instanceof Unready) {
        this.#report("creating", error.message);
        this.#loop.later(UNREADY_MS);
        return;
      }
      const reason = error instanceof Error ? error.message : String(error);
      this.around.log.error({ container: this.id, error: reason }, "a container is not as it should be");
      this.#report("error", reason);
      this.#loop.later(this.#restarts.failed());
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
    if (retryMs !== null) this.#loop.later(retryMs);
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
      this.#addresses?.withdraw(this.id);
      this.around.reportContainer(this.id, this.#status(desired.revision, "deleted", null, null));
      this.#wanted = null;
      return;
    }
    const record: ContainerRecord = this.#record
      ? { ...this.#record, desired }
      : {
          id: this.id,
          desired,
          address: this.#newAddress(),
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

  #newAddress(): string {
    const pool = this.#addresses;
    if (pool === null) return NO_ADDRESS;
    const address = pool.ask(this.id, () => this.poke());
    if (address !== null) return address;
    throw new Unready(
      `its host has no address left in ${pool.subnet} (BERTH_CONTAINER_SUBNET): it is made when another container is deleted`,
    );
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
    const { waitMs } = this.#restarts;
    if (waitMs > 0) {
      this.#loop.later(waitMs);
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
    this.#restarts.started();
    if (this.#heldBack !== null) {
      this.#heldBack = null;
      this.#disk.leaveTime();
    }
    ended.then(() => {
      if (this.#record?.init?.pid === init.pid) this.poke();
    });
    log.info({ container: this.id, pid: init.pid, address: spec.address }, "container started");
    this.#report("running", null);
  }

  #restartLater(how: string): void {
    const delayMs = this.#restarts.ended();
    this.around.log.warn({ container: this.id, how, delayMs }, "container ended by itself");
    this.#report("error", `${how}; it starts again`);
    this.#loop.later(delayMs);
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

  #report(state: ContainerStatus["state"], error: string | null): void {
    const record = this.#record;
    // One that has come no further than being wanted has something to say too: why.
    const { revision } = record?.desired ?? this.#wanted ?? {};
    if (revision === undefined) return;
    const status = this.#status(revision, state, record?.address ?? null, error ?? this.#complaint);
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
