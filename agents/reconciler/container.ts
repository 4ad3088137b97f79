import { existsSync } from "node:fs";
import type { AppliedResources } from "../../schemas/hosting/container.ts";
import { STOP_GRACE_SECONDS } from "../../schemas/hosting/container-settings.ts";
import type { ContainerStatus, DesiredContainer, DesiredFirewall } from "../../schemas/hosting/desired.ts";
import { bootId, type ProcessIdentity } from "../../system/process-identity.ts";
import { workFor } from "../../system/tracing/for-origin.ts";
import { type ContainerCommand, NotRunning } from "../containers/command.ts";
import {
  ContainerError,
  type ContainerSpec,
  NotReady,
  type RunEnd,
  UnstartableError,
} from "../containers/driver.ts";
import { launchOf } from "../containers/images/launch.ts";
import type { ImagePrograms } from "../containers/images/programs.ts";
import type { StoredImage } from "../containers/images/store.ts";
import { limitsFor } from "../containers/limits.ts";
import { maintainLog } from "../containers/logs/log-files.ts";
import type { UsageCounters } from "../containers/usage.ts";
import type { ProgramResult } from "../exec/program.ts";
import type { ExecTarget } from "../exec/target.ts";
import type { AddressPool } from "../network/addresses.ts";
import type { KernelFirewall } from "../network/nft/listing.ts";
import { ContainerFirewall } from "./container-firewall.ts";
import { ContainerImages, isNewestWanted, resolved } from "./container-images.ts";
import { graceMsOf, resourcesOf, specOf } from "./container-spec.ts";
import type { Context, Reported } from "./context.ts";
import { DiskShare } from "./disk-share.ts";
import { HealthMonitor } from "./health-monitor.ts";
import { healthPlan } from "./health-rules.ts";
import type { PartMember } from "./part-disks.ts";
import { ReconcileLoop } from "./reconcile-loop.ts";
import { toReportText } from "./report-text.ts";
import { Restarts } from "./restarts.ts";
import { afterEnd, endOfHost, exitOf, finishedState, isFinished } from "./run-end.ts";
import type { ContainerRecord } from "./store.ts";

/** A container, for the services. */
export interface PresentContainer {
  readonly desired: DesiredContainer;
  readonly spec: ContainerSpec;
  /** Null: it does not run. */
  readonly init: ProcessIdentity | null;
  /** What its image declares; null: it has no image, or none yet. */
  readonly programs: ImagePrograms | null;
}

/** The end of the agent waits for its containers, but not for long. */
const SHUTDOWN_GRACE_MS = STOP_GRACE_SECONDS * 1_000;
/** The grace period of a deletion: nothing has to be saved. */
const DELETE_GRACE_MS = 1_000;
/** The pause before a container that waits for something is reconciled again. */
const NOT_READY_POLL_MS = 1_000;
const IMAGE_REPLACED = "its image was replaced by a newer one";
const NO_ADDRESS = "127.0.0.1";

/**
 * Reconciles one container of this host with its desired state, one step after the other. A desired state that arrives
 * while a step is in progress replaces the one before it; nothing queues up.
 */
export class Container {
  #record: ContainerRecord | null;
  #pending: DesiredContainer | null = null;
  readonly #firewall: ContainerFirewall;
  readonly #disk: DiskShare;
  readonly #image: ContainerImages;
  readonly #restarts = new Restarts();
  readonly #health = new HealthMonitor({
    runCommand: (command) => this.runCommand(command),
    changed: () => this.enqueue(),
  });
  readonly #loop = new ReconcileLoop(() => this.#reconcile());
  #specError: string | null = null;
  /** What it is held to, and the resources that it was for; null: it has not been started by this agent. */
  #limited: { readonly asked: string; readonly applied: AppliedResources } | null = null;
  /** Why it does not run although it should; until its desired state changes. */
  #blocked: { readonly revision: number; readonly reason: string } | null = null;

  /** @param record its stored record; null for a container that is new on this host */
  constructor(
    readonly id: string,
    record: ContainerRecord | null,
    private readonly context: Context,
  ) {
    this.#record = record;
    this.#firewall = new ContainerFirewall(id, context);
    this.#image = new ContainerImages(context.images, context.registryCredentials);
    this.#disk = new DiskShare(context.store.folder(id), () =>
      limitsFor(context.limits, this.#record === null ? {} : resourcesOf(this.#record.desired)),
    );
  }

  /** Whether nothing of it is on this host: it is deleted, or only its firewall has arrived. */
  get isAbsent(): boolean {
    return this.#record === null && !this.#loop.isBusy && this.#pending === null;
  }

  /** Its state for the services; null if it is deleted or about to be. */
  get present(): PresentContainer | null {
    const record = this.#record;
    const desired = this.#pending ?? record?.desired;
    if (record === null || desired === undefined || desired.state === "deleted") return null;
    const init = record.init !== null && this.context.driver.isRunning(record.init) ? record.init : null;
    return { desired, spec: this.#spec(record), init, programs: record.image?.programs ?? null };
  }

  /** As the containers of its project find it; null while it does not run. */
  get named(): { projectId: string; name: string; address: string } | null {
    if (this.#record === null || this.#record.init === null) return null;
    const { desired, address } = this.#record;
    return { projectId: desired.project_id, name: desired.name, address };
  }

  /** Sets the desired state. A revision that is not newer than the known one is ignored. */
  setDesired(desired: DesiredContainer): void {
    const known = this.#pending ?? this.#record?.desired;
    if (known && desired.revision <= known.revision) return;
    this.#pending = desired;
    this.#specError = null;
    this.#restarts.reset();
    this.enqueue();
  }

  /** Sets the desired state of its firewall. */
  setDesiredFirewall(desired: DesiredFirewall): void {
    if (this.#firewall.setDesired(desired, this.#record)) this.enqueue();
  }

  /** Reports a desired state that cannot be read. The one before it stays in force. */
  reportInvalidSpec(reason: string): void {
    this.#specError = reason;
    this.enqueue();
  }

  reportInvalidFirewall(reason: string): void {
    this.#firewall.reportInvalidSpec(reason, this.#record);
  }

  /** Reconciles it again, now or after the step in progress. */
  enqueue(): void {
    this.#loop.enqueue();
  }

  /** Settles when no step is in progress. A retry that waits for its time does not count. */
  settled(): Promise<void> {
    return this.#loop.settled();
  }

  /** Detects an init that has ended. Cheap: one small read. */
  checkInit(): void {
    const init = this.#record?.init;
    if (!this.#loop.isBusy && init && !this.context.driver.isRunning(init)) this.enqueue();
  }

  /** Tells the shares that an earlier agent started it with that it has them, before the first step of any of both. */
  holdShares(): void {
    if (this.#record?.init) this.context.shares.mounted(this.id, this.#record.shares ?? []);
  }

  /** Seeds the firewall cache with the recorded rules, before the first step of any container. */
  seedFirewallCache(): void {
    if (this.#record) this.#firewall.seedCache(this.#record, this.#spec(this.#record));
  }

  /** Whether the firewall is known to be as its rules say; repairs one that is not. @param present the kernel's; null when there is none */
  async checkFirewall(present: KernelFirewall | null): Promise<boolean> {
    const record = this.#record;
    if (this.#loop.isBusy || !record) return false;
    const found = await this.#firewall.compare(record, this.#spec(record), present?.fingerprint ?? null);
    if (found === "drifted") this.enqueue();
    return found === "in sync";
  }

  /** Stops it if it has filled its share of the disk, and reports that. */
  async checkDisk(): Promise<void> {
    const record = this.#record;
    const { desired, init } = record ?? {};
    if (this.#loop.isBusy || !record) return;
    if (!init || desired?.state !== "running") {
      // It takes its room on the part's disk, and that does not change.
      if (desired?.part_id !== undefined && this.#disk.bytes === null) await this.#disk.measure();
      return;
    }
    const { driver } = this.context;
    const reason = await this.#disk.excessReason(() => driver.processes(this.#spec(record)));
    if (reason !== null) this.stopForDisk(reason);
  }

  /** Stops it until its desired state changes, such as by a restart. */
  stopForDisk(reason: string): void {
    const { revision } = this.#record?.desired ?? {};
    if (revision === undefined) return;
    this.#blocked = { revision, reason };
    this.context.log.warn({ container: this.id, reason }, "container stopped: disk full");
    this.enqueue();
  }

  /** What it takes of the disk of the part of the host that it is on; null: it is on none, or is not measured. */
  get partMember(): PartMember | null {
    const { desired, init = null } = this.#record ?? {};
    const { part_id: partId, server_resources } = desired ?? {};
    const [bytesMax, bytes] = [server_resources?.disk_bytes ?? null, this.#disk.bytes];
    if (partId === undefined || bytesMax === null || bytes === null) return null;
    const isRunning = init !== null && !this.#disk.isInGracePeriod;
    return { id: this.id, partId, bytesMax, bytes, isRunning };
  }

  /** The shares among its volumes, with the part of the host that it is on. A server's shares are on the part of its containers. */
  get partsOfShares(): readonly (readonly [shareId: string, partId: string])[] {
    const { part_id: partId, volumes = [] } = this.#record?.desired ?? {};
    return partId === undefined ? [] : volumes.map(({ share_id }) => [share_id, partId] as const);
  }

  /** The digest of its image; null: none, or not yet. */
  get imageDigest(): string | null {
    return this.#record?.image?.digest ?? null;
  }

  /** Runs programs in it; null if it is not on this host. */
  get execTarget(): ExecTarget | null {
    if (this.#record === null) return null;
    return this.context.driver.execTarget(this.#spec(this.#record), () => this.#record?.init ?? null);
  }

  /** Runs a command in it. @throws InvalidCommand, ContainerError; it does not run */
  async runCommand(command: ContainerCommand): Promise<ProgramResult> {
    const { driver } = this.context;
    const init = this.#record?.init ?? null;
    if (this.#record === null || init === null || !driver.isRunning(init)) throw new NotRunning();
    return driver.runCommand(this.#spec(this.#record), init, command);
  }

  /** What it has used since its start; null while it does not run. */
  async usage(): Promise<UsageCounters | null> {
    const { driver } = this.context;
    const init = this.#record?.init ?? null;
    if (this.#record === null || init === null || !driver.isRunning(init)) return null;
    return { ...(await driver.usage(this.#spec(this.#record))), diskBytes: this.#disk.bytes };
  }

  /** Its folder, where its log is; null if it is not on this host. */
  get folder(): string | null {
    return this.#record === null ? null : this.context.store.folder(this.id);
  }

  /** Gives its log another spare file after its writer has begun one. */
  maintainLog(): void {
    if (this.folder !== null && existsSync(this.folder)) maintainLog(this.folder);
  }

  /** Starts no further step, and settles when the current one is done. The container keeps running. */
  async close(): Promise<void> {
    await this.#loop.close();
    this.#health.stop();
  }

  /** After `close`: stops its processes and removes its rules. Its record stays, so that the next agent starts it again. */
  async shutdown(): Promise<void> {
    const record = this.#record;
    if (record === null) return;
    const { driver } = this.context;
    if (record.init && driver.isRunning(record.init)) {
      const graceMs = Math.min(graceMsOf(record), SHUTDOWN_GRACE_MS);
      await driver.stop(this.#spec(record), record.init, graceMs);
      // The next agent starts it, and it has not ended by itself.
      await this.#save({ init: null });
    }
    await this.#firewall.remove();
  }

  async #reconcile(): Promise<void> {
    try {
      await this.#convergeFor(this.#pending);
    } catch (error) {
      if (error instanceof NotReady) {
        this.#report("creating", error.message);
        this.#loop.enqueueAfter(NOT_READY_POLL_MS);
        return;
      }
      const reason = error instanceof Error ? error.message : String(error);
      const { request_id } = this.#record?.desired.origin ?? {};
      this.context.log.error(
        { container: this.id, error: reason, request_id },
        "container could not be reconciled",
      );
      this.#report("error", reason);
      this.#loop.enqueueAfter(this.#restarts.failed());
    }
  }

  /** @param wanted the change that has not been begun; null: it is brought back to what is known */
  #convergeFor(wanted: DesiredContainer | null): Promise<void> {
    const attributes = { container: this.id, revision: wanted?.revision ?? 0 };
    return workFor({ ...this.context, origin: wanted?.origin }, "apply container", attributes, () =>
      this.#converge(),
    );
  }

  async #converge(): Promise<void> {
    await this.#recordDesired();
    if (this.#record === null) return;
    if (this.#record.desired.state === "deleted") {
      await this.context.startConcurrency.run(() => this.#destroy(this.#requireRecord()));
      return;
    }
    // The firewall first: a container starts behind its rules.
    this.#record = await this.#firewall.converge(this.#record, this.#spec(this.#record));
    await this.#convergeImage();
    const record = this.#requireRecord();
    const retryMs = this.#firewall.retryMs;
    if (retryMs !== null) this.#loop.enqueueAfter(retryMs);
    if (this.#blocked?.revision === record.desired.revision && record.desired.state === "running") {
      await this.context.startConcurrency.run(() => this.#stopBlocked(record));
      this.#report("error", this.#blocked.reason);
    } else if (this.#health.restartReason !== null && this.#isConverged(record))
      await this.context.startConcurrency.run(() => this.#restartUnhealthy(record));
    else if (this.#isConverged(record)) await this.#reportConverged(record);
    else await this.context.startConcurrency.run(() => this.#convergeInit());
  }

  async #reportConverged(record: ContainerRecord): Promise<void> {
    if (record.init !== null) {
      await this.#applyLimits(record);
      await this.#convergeHealth();
      this.#report("running", null);
    } else if (record.desired.state === "running") {
      const { state, error } = finishedState(record);
      this.#report(state, error);
    } else this.#report("stopped", null);
  }

  /** Takes the newest image where that was asked for. Until it is here, and where it cannot be had, the container keeps its own. */
  async #convergeImage(): Promise<void> {
    const record = this.#requireRecord();
    if (!isNewestWanted(record)) return;
    const done = { image_generation: record.desired.image_generation ?? 0, replacing: false };
    let image: StoredImage;
    try {
      image = await this.#image.newest(record, () => this.enqueue());
      launchOf(image.config, this.#spec(record));
    } catch (error) {
      if (error instanceof NotReady) {
        this.#loop.enqueueAfter(NOT_READY_POLL_MS);
        return;
      }
      const reason = error instanceof Error ? error.message : String(error);
      this.context.log.warn({ container: this.id, reason }, "a newer image could not be had");
      await this.#save({ ...done, image_error: `it keeps the image that it has: ${reason}` });
      return;
    }
    if (image.digest === record.image?.digest) await this.#save({ ...done, image_error: null });
    else await this.context.startConcurrency.run(() => this.#replaceImage(image, done));
  }

  /** Ends the run of the former image. The next start makes a new root for the container, over the newer image. */
  async #replaceImage(image: StoredImage, done: Partial<ContainerRecord>): Promise<void> {
    const { init } = this.#requireRecord();
    if (init !== null) {
      // An agent that finds the run ended has to know that it has not ended by itself.
      await this.#save({ replacing: true });
      await this.#stop(init, IMAGE_REPLACED);
    }
    await this.#save({ ...done, init: null, image: resolved(image), image_error: null });
    this.context.log.info({ container: this.id, digest: image.digest }, "a newer image was taken");
  }

  /** Limits change while it runs. */
  async #applyLimits(record: ContainerRecord): Promise<void> {
    const asked = JSON.stringify(resourcesOf(record.desired));
    if (this.#limited?.asked === asked) return;
    this.#limited = { asked, applied: await this.context.driver.limit(this.#spec(record)) };
  }

  /** Checks the run that it has, and records what the checks have found. */
  async #convergeHealth(): Promise<void> {
    const { init, desired, image, health = null } = this.#requireRecord();
    if (init === null) return;
    this.#health.watch(init, healthPlan(desired.health_check, image?.health_check), health);
    const now = this.#health.health;
    if (now !== health) await this.#save({ health: now });
  }

  /** It was asked for, whatever its restart policy. */
  async #restartUnhealthy({ init, restarts = 0 }: ContainerRecord): Promise<void> {
    const reason = this.#health.restartReason;
    if (init === null || reason === null) return;
    this.context.log.warn({ container: this.id, reason }, "unhealthy container stopped");
    await this.#stop(init, reason);
    await this.#save({ restarts: restarts + 1 });
    this.#report("error", `${reason}; it starts again`);
    this.#loop.enqueueAfter(this.#restarts.ended());
  }

  /** Records the desired state, which outlives the agent from then on. */
  async #recordDesired(): Promise<void> {
    const desired = this.#pending;
    if (desired === null) return;
    if (this.#record === null && desired.state === "deleted") {
      this.#addresses?.cancelRequest(this.id);
      this.context.reportContainer(this.id, this.#status(desired.revision, "deleted", null, null));
      this.#pending = null;
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
    await this.context.store.save(record);
    // A newer state may have arrived during the save.
    if (this.#pending === desired) this.#pending = null;
    if (isNew) this.#report("creating", null);
  }

  #newAddress(): string {
    const pool = this.#addresses;
    if (pool === null) return NO_ADDRESS;
    const address = pool.allocateInTurn(this.id, () => this.enqueue());
    if (address !== null) return address;
    throw new NotReady(
      `its host has no address left in ${pool.subnet} (BERTH_CONTAINER_SUBNET): it is made when another container is deleted`,
    );
  }

  #isConverged(record: ContainerRecord): boolean {
    const { desired, init, generation } = record;
    if (init === null) return desired.state === "stopped" || isFinished(record);
    const running = this.context.driver.isRunning(init);
    return running && desired.state === "running" && generation === desired.generation;
  }

  async #stopBlocked({ init }: ContainerRecord): Promise<void> {
    if (init === null) return;
    await this.#stop(init, this.#blocked?.reason);
  }

  /** Stops it, and notes how it ended. */
  async #stop(init: ProcessIdentity, reason = "it was stopped by request"): Promise<void> {
    const { driver } = this.context;
    const record = this.#requireRecord();
    const spec = this.#spec(record);
    await driver.stop(spec, init, graceMsOf(record));
    await this.#save({ init: null, exit: exitOf(await driver.lastEnd(spec), reason) });
  }

  async #convergeInit(): Promise<void> {
    const { driver } = this.context;
    const record = this.#requireRecord();
    const { desired, init } = record;
    if (init !== null && !driver.isRunning(init)) {
      // An agent died between recording init and starting the program.
      if (!driver.hasBegun(this.#spec(record))) {
        await this.#forgetRun();
        this.enqueue();
        return;
      }
      const wasHere = init.boot === bootId();
      const end = wasHere ? await driver.lastEnd(this.#spec(record)) : endOfHost();
      const { replacing = false } = record;
      const isAsked = desired.state === "running" && desired.generation === record.generation && !replacing;
      // After a reboot no container runs, which is no failure: only one that is never started again stays as it is.
      if (isAsked && (wasHere || desired.restart_policy?.name === "no")) {
        await this.#onEnd(record, end);
        return;
      }
      await this.#forgetRun({ exit: replacing ? exitOf(end, IMAGE_REPLACED) : exitOf(end) });
    } else if (init !== null) await this.#stop(init);
    if (desired.state === "stopped") {
      this.#report("stopped", null);
      return;
    }
    const { waitMs } = this.#restarts;
    if (waitMs > 0) {
      this.#loop.enqueueAfter(waitMs);
      return;
    }
    await this.#start();
  }

  /** Records that it does not run, and removes what the run left in the kernel: the agent that ended it may have died before that. */
  async #forgetRun(change: Partial<ContainerRecord> = {}): Promise<void> {
    await this.context.driver.cleanUp(this.#spec(this.#requireRecord()));
    await this.#save({ init: null, ...change });
  }

  async #start(): Promise<void> {
    const { driver, log } = this.context;
    const record = this.#requireRecord();
    const spec = this.#spec(record);
    const problem = this.#firewall.blockingReason(record);
    if (problem !== null) throw new ContainerError(`it is not started without its firewall: ${problem}`);
    const { unreadable_env: unreadable = [] } = record.desired;
    if (unreadable.length > 0)
      throw new ContainerError(
        `it is not started without its secrets, and the control plane cannot decrypt ${unreadable.join(", ")}: set them again`,
      );

    const image = await this.#image.ensure(record, () => this.enqueue());
    if (image !== null && record.image?.health_check === undefined) {
      const isFirst = record.image === undefined;
      const { image_generation = 0 } = record.desired;
      await this.#save({ image: resolved(image), ...(isFirst ? { image_generation } : {}) });
      this.#report("creating", null);
    }
    const shares = this.context.shares.acquire(record.desired);
    const made = { ...this.#spec(this.#requireRecord()), image, shares };
    const { generation, revision, volumes = [] } = record.desired;
    const counts = generation === record.generation ? {} : { restarts: 0, retries: 0, image_error: null };
    const started = {
      ...{ generation, started_revision: revision, replacing: false, ...counts },
      shares: volumes.map(({ share_id }) => share_id),
      ...(made.tenant === undefined ? {} : { tenant: made.tenant }),
    };
    const { init, ended } = await driver
      .create(made)
      .then(() => driver.start(made, (identity) => this.#save({ init: identity, ...started })))
      .catch((error) => this.#onStartFailure(record, error));
    this.context.shares.mounted(this.id, started.shares);
    this.#restarts.started();
    this.#limited = null;
    await this.#applyLimits(record);
    await this.#convergeHealth();
    if (this.#blocked !== null) {
      this.#blocked = null;
      this.#disk.grantGracePeriod();
    }
    ended.then(() => {
      if (this.#record?.init?.pid === init.pid) this.enqueue();
    });
    log.info({ container: this.id, pid: init.pid, address: spec.address }, "container started");
    this.#report("running", null);
  }

  /** What did not begin has not ended by itself either. @throws the error */
  async #onStartFailure({ desired: { revision } }: ContainerRecord, error: unknown): Promise<never> {
    await this.#save({ init: null });
    if (error instanceof UnstartableError) this.#blocked = { revision, reason: error.message };
    throw error;
  }

  /** It has ended by itself: its restart policy decides. */
  async #onEnd(record: ContainerRecord, end: RunEnd): Promise<void> {
    await this.#save(afterEnd(record, end, this.#restarts.wasStable));
    const delayMs = this.#restarts.ended();
    this.context.log.warn({ container: this.id, how: end.reason, delayMs }, "container ended by itself");
    const now = this.#requireRecord();
    if (isFinished(now)) await this.#reportConverged(now);
    else {
      this.#report("error", `${end.reason}; it starts again`);
      this.#loop.enqueueAfter(delayMs);
    }
  }

  async #destroy(record: ContainerRecord): Promise<void> {
    const { driver, store, log } = this.context;
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
    this.context.reportContainer(this.id, this.#status(record.desired.revision, "deleted", null, null));
  }

  #report(state: ContainerStatus["state"], error: string | null): void {
    const record = this.#record;
    // A container that could not be created also has an error to report.
    const { revision } = record?.desired ?? this.#pending ?? {};
    if (revision === undefined) return;
    const problem = error ?? this.#specError ?? record?.image_error ?? null;
    const status = this.#status(revision, state, record?.address ?? null, problem);
    this.context.reportContainer(this.id, status);
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
      driver: this.context.driver.kind,
      address,
      error: error === null ? null : toReportText(error),
      ...this.#image.status(this.#record),
      ...this.#runStatus(),
    };
  }

  /** What a report says of its runs. */
  #runStatus(): Partial<ContainerStatus> {
    const { started_revision, init = null, exit = null, restarts = 0, health = null } = this.#record ?? {};
    return {
      ...(started_revision === undefined ? {} : { started_revision }),
      ...(this.#limited === null ? {} : { resources: this.#limited.applied }),
      exit,
      restarts,
      health: init === null ? null : health,
    };
  }

  async #save(change: Partial<ContainerRecord>): Promise<void> {
    const ended = change.init === null;
    if (ended) this.#health.stop();
    const record = { ...this.#requireRecord(), ...change, ...(ended ? { health: null } : {}) };
    this.#record = record;
    await this.context.store.save(record);
    if (ended) this.context.shares.release(this.id);
  }

  #requireRecord(): ContainerRecord {
    if (this.#record === null) throw new Error(`container ${this.id} is not on record`);
    return this.#record;
  }

  get #addresses(): AddressPool | null {
    return this.context.driver.addresses;
  }

  #spec(record: ContainerRecord): ContainerSpec {
    return specOf(record, this.context.store.folder(record.id));
  }
}
