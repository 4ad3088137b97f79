import { Value } from "@sinclair/typebox/value";
import type { Logger } from "pino";
import { type DesiredContainer, DesiredShare, type ShareStatus } from "../../schemas/hosting/desired.ts";
import { BoundedMap } from "../../system/bounded-map.ts";
import { ContainerError } from "../containers/driver.ts";
import type { ShareMount } from "../containers/volumes/share-mount.ts";
import type { Reported } from "./context.ts";
import { StorageShare } from "./share.ts";
import { type ShareStore, shareStore } from "./share-store.ts";

/** Deleted shares that are remembered, so that a late message does not restore one. */
const DELETED_MAX = 10_000;

/** What all storage shares of a host have in common. */
export interface ShareContext {
  readonly store: ShareStore;
  /** Whether disks may be mounted; without, shares are folders. */
  readonly canMount: boolean;
  readonly log: Logger;
  reportShare(id: string, status: Reported<ShareStatus>): void;
}

export interface SharesOptions {
  readonly server: string;
  /** The agent's folder. */
  readonly data: string;
  /** Whether containers can mount shares: they can where they are isolated. */
  readonly canMountShares: boolean;
  readonly canMountDisks?: boolean;
  readonly log: Logger;
  report(id: string, status: Reported<ShareStatus>): void;
}

/** The storage shares of a host (docs/storage.md). */
export class Shares {
  readonly #shares = new Map<string, StorageShare>();
  readonly #deletedRevisions = new BoundedMap<string, number>(DELETED_MAX);
  /** The shares that each container holds. */
  readonly #heldBy = new Map<string, readonly string[]>();
  readonly #context: ShareContext;

  constructor(private readonly options: SharesOptions) {
    const store = shareStore(options.data);
    this.#context = {
      store,
      canMount: options.canMountDisks ?? true,
      log: options.log,
      reportShare: (id, status) => {
        if (status.state === "deleted") this.#dropDeleted(id, status.revision);
        options.report(id, status);
      },
    };
  }

  /** Loads the shares on record. */
  async load(): Promise<void> {
    const { store, log } = this.#context;
    for (const record of await store.load(log))
      this.#shares.set(record.id, new StorageShare(record.id, record, this.#context));
    void store.emptyTrash(log);
  }

  /** Reconciles the shares on record, after the containers that hold them are known. */
  start(): void {
    for (const share of this.#shares.values()) share.enqueue();
  }

  /** Applies a desired state. Its content is unchecked: an invalid one is logged and reported. */
  desire(id: string, value: unknown): void {
    const { server, log, canMountShares, report } = this.options;
    const isValid = Value.Check(DesiredShare, value) && value.id === id && value.server_name === server;
    if (!isValid) {
      const { path, message } = Value.Errors(DesiredShare, value).First() ?? {};
      const reason = `its desired state cannot be read: ${path ?? "it"}: ${message ?? "is another share's or another host's"}`;
      log.error({ share: id, reason }, "bad desired state");
      if (!this.#shares.has(id)) report(id, { ...NOTHING, revision: 0, state: "error", error: reason });
    } else if (!canMountShares) {
      const isDeleted = value.state === "deleted";
      const error = isDeleted
        ? null
        : "its host isolates no containers (driver process), and has no storage shares";
      report(id, { ...NOTHING, revision: value.revision, state: isDeleted ? "deleted" : "error", error });
    } else if (value.revision > (this.#deletedRevisions.get(id) ?? -1)) this.#share(id).setDesired(value);
  }

  /**
   * Gives a container the shares among its volumes, until `release`.
   *
   * @throws NotReady while one is being made or changed; ContainerError
   */
  acquire({ id, volumes = [] }: DesiredContainer): ShareMount[] {
    if (volumes.length > 0 && !this.options.canMountShares)
      throw new ContainerError(
        "its host isolates no containers (driver process), and so mounts no storage shares",
      );
    this.#heldBy.set(
      id,
      volumes.map(({ share_id }) => share_id),
    );
    try {
      return volumes.map(({ share_id, share_revision, path, read_only }) => ({
        ...this.#share(share_id).acquire(id, share_revision),
        path,
        isReadOnly: read_only,
      }));
    } catch (error) {
      this.release(id);
      throw error;
    }
  }

  /** A container runs with these shares, also one that an earlier agent started. */
  mounted(containerId: string, shareIds: readonly string[]): void {
    if (shareIds.length > 0) this.#heldBy.set(containerId, shareIds);
    for (const id of shareIds) this.#shares.get(id)?.mounted(containerId);
  }

  /** A container has ended. */
  release(containerId: string): void {
    for (const id of this.#heldBy.get(containerId) ?? []) this.#shares.get(id)?.release(containerId);
    this.#heldBy.delete(containerId);
  }

  /** Measures the shares that containers write to. */
  measure(): void {
    for (const share of this.#shares.values()) share.measure();
  }

  /**
   * What they take of parts of the host, by the part.
   *
   * @param partsOfUsers the parts of the containers that have shares among their volumes, by the share: an older record of a share names no part
   */
  bytesOfParts(partsOfUsers: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
    const sums = new Map<string, number>();
    for (const [id, { room }] of this.#shares) {
      const partId = room.partId ?? partsOfUsers.get(id);
      if (partId !== undefined) sums.set(partId, (sums.get(partId) ?? 0) + room.bytes);
    }
    return sums;
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#shares.values()].map((share) => share.settled()));
  }

  /** Completes the steps in progress. What is mounted stays. */
  async close(): Promise<void> {
    await Promise.all([...this.#shares.values()].map((share) => share.close()));
  }

  #share(id: string): StorageShare {
    const known = this.#shares.get(id);
    if (known) return known;
    const made = new StorageShare(id, null, this.#context);
    this.#shares.set(id, made);
    return made;
  }

  #dropDeleted(id: string, revision: number): void {
    this.#shares.delete(id);
    this.#deletedRevisions.set(id, revision);
    void this.#context.store.emptyTrash(this.#context.log);
  }
}

/** The status of a share of which nothing is on the host. */
const NOTHING = {
  ...{ size_bytes: null, used_bytes: null, enforced: null, error: null },
  ...{ snapshots: [], restored: null, mounted_by: [] },
} as const satisfies Omit<Reported<ShareStatus>, "revision" | "state">;
