import {
  type DesiredShare,
  type ShareStatus,
  SNAPSHOT_ERROR_LENGTH_MAX,
} from "../../schemas/hosting/desired.ts";
import { MOUNTED_BY_MAX } from "../../schemas/hosting/storage-share.ts";
import { Backoff } from "../../system/backoff.ts";
import { sizeText } from "../../system/size-text.ts";
import { ContainerError, NotReady } from "../containers/driver.ts";
import { ShareFiles, type ShareKind } from "../containers/volumes/share-files.ts";
import type { Reported } from "./context.ts";
import { ReconcileLoop } from "./reconcile-loop.ts";
import { toReportText } from "./report-text.ts";
import type { ShareRecord } from "./share-store.ts";
import type { ShareContext } from "./shares.ts";

const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 60_000;
/** The kernel takes a moment to unmount what a container has left. */
const UNMOUNT_POLL_MS = 500;
/** What is used is reported when it has changed by so much of the share's size: each report is a commit of the control plane. */
const REPORTED_PART = 1 / 200;

/**
 * Reconciles one storage share of this host with its desired state. Some changes wait until no container runs with it;
 * containers that start meanwhile wait for these.
 */
export class StorageShare {
  #record: ShareRecord | null;
  #pending: DesiredShare | null = null;
  readonly #loop = new ReconcileLoop(() => this.#reconcile());
  readonly #backoff = new Backoff(RETRY_FIRST_MS, RETRY_MAX_MS);
  readonly #files: ShareFiles;
  /** The containers that have it, or start with it. Only those that run are reported. */
  readonly #holders = new Map<string, "starting" | "running">();
  /** Snapshots that could not be made. They are tried again by the next agent. */
  readonly #failed = new Map<string, string>();
  #isChanging = false;
  #mustMeasure = true;
  #reportedBytes: number | null = null;
  /** What a change waits for, or why it failed. */
  #reason: string | null = null;
  #state: ShareStatus["state"] = "creating";

  constructor(
    readonly id: string,
    record: ShareRecord | null,
    private readonly context: ShareContext,
  ) {
    this.#record = record;
    if (record !== null && record.kind !== null) this.#state = "ready";
    this.#files = new ShareFiles(context.store.folder(id), context.canMount);
  }

  /** What it takes of the host's disk: its full size, and its snapshots. The part is null where it is on none, or its record is too old to say. */
  get room(): { readonly partId: string | null; readonly bytes: number } {
    const { desired, size_bytes = null, snapshots = [] } = this.#record ?? {};
    const bytes = snapshots.reduce((sum, snapshot) => sum + snapshot.bytes, size_bytes ?? 0);
    return { partId: desired?.part_id ?? null, bytes };
  }

  /** Sets the desired state. A revision that is not newer than the known one is ignored. */
  setDesired(desired: DesiredShare): void {
    const known = this.#pending ?? this.#record?.desired;
    if (known && desired.revision <= known.revision) return;
    this.#pending = desired;
    this.#backoff.reset();
    this.enqueue();
  }

  /**
   * Gives it to a container that starts.
   *
   * @param revision of the desired state that the container was given its volumes after
   * @throws NotReady while it is being made or changed; ContainerError when it is not here
   */
  acquire(containerId: string, revision: number): { kind: ShareKind; folder: string } {
    const desired = this.#pending ?? this.#record?.desired;
    const record = this.#record;
    if (desired === undefined || desired.revision < revision)
      throw new NotReady(`its host does not know its storage share ${this.id} yet`);
    if (desired.state === "deleted") throw new ContainerError(`its storage share ${this.id} is deleted`);
    if (record === null || record.kind === null)
      throw new NotReady(`its storage share ${this.id} is being made${this.#because}`);
    if (this.#isChanging || isRestoring(desired, record))
      throw new NotReady(`its storage share ${this.id} is being changed${this.#because}`);
    if (!this.#holders.has(containerId)) this.#holders.set(containerId, "starting");
    return { kind: record.kind, folder: this.context.store.folder(this.id) };
  }

  /** A container runs with it. */
  mounted(containerId: string): void {
    this.#holders.set(containerId, "running");
    this.#report();
  }

  /** A container that had it has ended, or has not started. */
  release(containerId: string): void {
    if (!this.#holders.delete(containerId)) return;
    this.#mustMeasure = true;
    this.enqueue();
  }

  /** Measures it, if a container may have changed it. */
  measure(): void {
    if (this.#holders.size === 0) return;
    this.#mustMeasure = true;
    this.enqueue();
  }

  enqueue(): void {
    this.#loop.enqueue();
  }

  settled(): Promise<void> {
    return this.#loop.settled();
  }

  /** Starts no further step, and settles when the current one is done. */
  close(): Promise<void> {
    return this.#loop.close();
  }

  /** Whether its files are not made yet. */
  get #isMissing(): boolean {
    return (this.#record?.kind ?? null) === null;
  }

  get #because(): string {
    return this.#reason === null ? "" : `: ${this.#reason}`;
  }

  async #reconcile(): Promise<void> {
    try {
      const isDone = await this.#converge();
      if (isDone) this.#backoff.reset();
      // The end of a container's run wakes it as well.
      else if (this.#holders.size === 0) this.#loop.enqueueAfter(UNMOUNT_POLL_MS);
    } catch (error) {
      this.#reason = error instanceof Error ? error.message : String(error);
      if (this.#isMissing) this.#state = "error";
      this.context.log.error({ share: this.id, error: this.#reason }, "storage share could not be changed");
      this.#loop.enqueueAfter(this.#backoff.next());
    } finally {
      this.#isChanging = false;
      if (this.#record !== null) this.#report();
    }
  }

  /** @returns false when something waits until it is mounted nowhere */
  async #converge(): Promise<boolean> {
    const desired = this.#pending ?? this.#record?.desired;
    if (desired === undefined) return true;
    this.#isChanging = true;
    if (this.#record === null && desired.state === "deleted") {
      this.#dropped(desired.revision);
      return true;
    }
    await this.#recordDesired(desired);
    if (desired.state === "deleted") return this.#remove();
    this.#reason = null;
    const kind = await this.#ensureFiles();
    // A snapshot that was asked for before a restore has what was there before it.
    const steps = [() => this.#snapshots(kind), () => this.#restore(kind), () => this.#grow(kind)];
    for (const step of steps) if (!(await step())) return false;
    this.#isChanging = false;
    if (this.#mustMeasure) await this.#measure(kind);
    return true;
  }

  async #recordDesired(desired: DesiredShare): Promise<void> {
    const made = { kind: null, size_bytes: null, used_bytes: null, snapshots: [], restored: null };
    if (this.#record?.desired !== desired)
      await this.#save({ ...(this.#record ?? { id: this.id, ...made }), desired });
    if (this.#pending === desired) this.#pending = null;
  }

  async #ensureFiles(): Promise<ShareKind> {
    const { kind, desired } = this.#requireRecord();
    if (kind !== null) return kind;
    const made = await this.#files.create(desired.size_bytes);
    await this.#change({ kind: made, size_bytes: desired.size_bytes });
    this.#state = "ready";
    this.context.log.info({ share: this.id, kind: made }, "storage share made");
    return made;
  }

  async #grow(kind: ShareKind): Promise<boolean> {
    const { desired, size_bytes } = this.#requireRecord();
    if ((size_bytes ?? 0) >= desired.size_bytes) return true;
    if (!(await this.#files.grow(kind, desired.size_bytes)))
      return this.#wait("it grows when no container runs with it");
    await this.#change({ size_bytes: desired.size_bytes });
    return true;
  }

  /** Makes the snapshots that are missing, and removes those that are not desired. */
  async #snapshots(kind: ShareKind): Promise<boolean> {
    const { desired } = this.#requireRecord();
    for (const { id } of this.#requireRecord().snapshots) {
      if (desired.snapshots.includes(id)) continue;
      await this.#files.dropSnapshot(id);
      await this.#change({ snapshots: this.#requireRecord().snapshots.filter((one) => one.id !== id) });
    }
    for (const id of this.#failed.keys()) if (!desired.snapshots.includes(id)) this.#failed.delete(id);
    for (const id of desired.snapshots) {
      const isMade = this.#requireRecord().snapshots.some((one) => one.id === id);
      if (isMade || this.#failed.has(id)) continue;
      // Files in a folder cannot be held still.
      if (kind === "folder" && this.#holders.size > 0)
        return this.#wait("its snapshot is made when no container runs with it");
      await this.#snapshot(kind, id);
      this.#report();
    }
    return true;
  }

  async #snapshot(kind: ShareKind, id: string): Promise<void> {
    try {
      const bytes = await this.#files.snapshot(kind, id);
      await this.#change({ snapshots: [...this.#requireRecord().snapshots, { id, bytes }] });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.context.log.warn({ share: this.id, snapshot: id, error: reason }, "snapshot could not be made");
      this.#failed.set(id, toReportText(reason).slice(0, SNAPSHOT_ERROR_LENGTH_MAX).toWellFormed());
    }
  }

  async #restore(kind: ShareKind): Promise<boolean> {
    const { desired, restored } = this.#requireRecord();
    const { restore, size_bytes } = desired;
    if (restore === null || restore.id === restored) return true;
    const wait = () => this.#wait("it is restored when no container runs with it");
    if (this.#holders.size > 0 || !(await this.#files.restore(kind, restore.snapshot_id, size_bytes)))
      return wait();
    this.#mustMeasure = true;
    await this.#change({ restored: restore.id, size_bytes });
    this.context.log.info({ share: this.id, snapshot: restore.snapshot_id }, "storage share restored");
    return true;
  }

  async #remove(): Promise<boolean> {
    const { desired, kind } = this.#requireRecord();
    if (this.#holders.size > 0 || (kind === "disk" && (await this.#files.isMounted())))
      return this.#wait("it is removed when no container runs with it");
    await this.context.store.remove(this.id);
    this.#record = null;
    this.context.log.info({ share: this.id }, "storage share deleted");
    this.#dropped(desired.revision);
    return true;
  }

  async #measure(kind: ShareKind): Promise<void> {
    this.#mustMeasure = false;
    const used = await this.#files.usage(kind);
    const { used_bytes, size_bytes } = this.#requireRecord();
    if (used !== used_bytes) await this.#change({ used_bytes: used });
    if (kind === "folder" && used > (size_bytes ?? 0))
      this.#reason = `its files take ${sizeText(used - (size_bytes ?? 0))} more than its limit of ${sizeText(size_bytes ?? 0)}, which its host cannot enforce`;
  }

  #wait(reason: string): false {
    this.#reason = reason;
    this.#isChanging = false;
    return false;
  }

  #dropped(revision: number): void {
    this.#pending = null;
    this.context.reportShare(this.id, { ...this.#status(revision), state: "deleted" });
  }

  #report(): void {
    if (this.#record !== null) this.context.reportShare(this.id, this.#status(this.#record.desired.revision));
  }

  #status(revision: number): Reported<ShareStatus> {
    const record = this.#record;
    const made = (record?.snapshots ?? []).map((one) => ({ ...one, state: "ready" as const, error: null }));
    const failed = [...this.#failed].map(([id, error]) => ({
      id,
      state: "error" as const,
      bytes: null,
      error,
    }));
    return {
      revision,
      state: this.#state,
      size_bytes: record?.size_bytes ?? null,
      used_bytes: this.#usedBytes(),
      enforced: this.#isMissing ? null : record?.kind === "disk",
      error: this.#reason === null ? null : toReportText(this.#reason),
      snapshots: [...made, ...failed],
      restored: record?.restored ?? null,
      mounted_by: this.#runningWith(),
    };
  }

  /** The last one reported, while it has not changed by much. */
  #usedBytes(): number | null {
    const { used_bytes: now, size_bytes: size } = this.#record ?? { used_bytes: null, size_bytes: null };
    const last = this.#reportedBytes;
    const isNear = now !== null && last !== null && Math.abs(now - last) < (size ?? 0) * REPORTED_PART;
    if (!isNear || this.#holders.size === 0) this.#reportedBytes = now;
    return this.#reportedBytes;
  }

  #runningWith(): string[] {
    const running = [...this.#holders].filter(([, state]) => state === "running");
    return running
      .map(([containerId]) => containerId)
      .sort()
      .slice(0, MOUNTED_BY_MAX);
  }

  #change(change: Partial<ShareRecord>): Promise<void> {
    return this.#save({ ...this.#requireRecord(), ...change });
  }

  async #save(record: ShareRecord): Promise<void> {
    this.#record = record;
    await this.context.store.save(record);
  }

  #requireRecord(): ShareRecord {
    if (this.#record === null) throw new Error(`storage share ${this.id} is not on record`);
    return this.#record;
  }
}

const isRestoring = ({ restore }: DesiredShare, { restored }: ShareRecord): boolean =>
  restore !== null && restore.id !== restored;
