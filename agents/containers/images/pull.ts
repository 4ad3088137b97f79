import { rm } from "node:fs/promises";
import type { ImageReference } from "../../../schemas/hosting/image-reference.ts";
import { Semaphore } from "../../../system/semaphore.ts";
import { sizeText } from "../../../system/size-text.ts";
import type { Limits } from "../limits.ts";
import { download } from "./download.ts";
import type { LayerSize } from "./layer-filter.ts";
import { CONFIG_BYTES_MAX, DOWNLOADS_MAX, UNPACKINGS_MAX } from "./limits.ts";
import { type Descriptor, type Manifest, manifestForHost, parseConfig } from "./manifest.ts";
import { PullError } from "./pull-error.ts";
import { type Credentials, endpointsOf, type RegistrySettings } from "./registries.ts";
import { RepositoryClient } from "./registry.ts";
import { EVERYBODY, type ImageStore, type StoredImage } from "./store.ts";

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** How far a pull is, in bytes of what is sent. */
export interface PullProgress {
  done: number;
  total: number;
}

/** For whom an image is pulled. */
export interface Requester {
  readonly project: string;
  /** The project's own, for the image's registry; null: the host's, if it has any. */
  readonly credentials: Credentials | null;
}

/** Containers of no project. */
export const ANYBODY: Requester = { project: "", credentials: null };

interface LayerPull {
  readonly clients: readonly RepositoryClient[];
  readonly layer: Descriptor;
  readonly diffId: string;
  /** What its image may still take. */
  readonly room: { bytes: number; files: number };
  readonly signal: AbortSignal;
  readonly project: string;
  /** Who may use the layer once it was fetched. */
  readonly holder: string;
  /** Takes how many bytes of it have come. */
  count(bytes: number): void;
}

/** Brings images from registries into the store. Layers that several images have are fetched once. */
export class Puller {
  readonly #downloads = new Semaphore(DOWNLOADS_MAX);
  readonly #unpackings = new Semaphore(UNPACKINGS_MAX);
  /** Blobs that are on their way, by digest. */
  readonly #blobs = new Map<string, Promise<void>>();
  /** Layers and blobs that must not be collected now, with how many need them. */
  readonly #busy = new Map<string, number>();

  constructor(
    private readonly store: ImageStore,
    private readonly settings: RegistrySettings,
    private readonly limits: Limits,
  ) {}

  isBusy(digest: string): boolean {
    return this.#busy.has(digest);
  }

  /**
   * Asks the registry what the reference means now, and fetches what of that is not here.
   *
   * @throws PullError with the reason
   */
  async pull(
    reference: ImageReference,
    signal: AbortSignal,
    progress: PullProgress,
    { project, credentials }: Requester = ANYBODY,
  ): Promise<StoredImage> {
    const endpoints = await endpointsOf(reference.registry, this.settings, credentials);
    const holder = credentials === null ? EVERYBODY : project;
    const clients = endpoints.map((endpoint) => new RepositoryClient(endpoint, reference, signal));
    const got = await firstOf(clients, (client) =>
      client.manifest(reference.digest ?? reference.tag ?? "latest"),
    );
    const { manifest } = await manifestForHost(got, (digest) =>
      firstOf(clients, (client) => client.manifest(digest)),
    );
    const present = await this.store.read(got.digest);
    if (present !== null && (await this.#mayUse(present, project))) return present;
    this.#assertSize(manifest);
    const config = parseConfig(
      await firstOf(clients, (client) => client.config(manifest.config.digest, CONFIG_BYTES_MAX)),
      manifest,
    );
    const held = [...config.rootfs.diff_ids, ...manifest.layers.map(({ digest }) => digest)];
    for (const digest of held) this.#busy.set(digest, (this.#busy.get(digest) ?? 0) + 1);
    try {
      progress.total = manifest.layers.reduce((sum, { size }) => sum + size, 0);
      const room = { bytes: this.limits.diskMegabytes * BYTES_PER_MEGABYTE, files: this.limits.files };
      const fetched = manifest.layers.map(async (layer, at) => {
        const diffId = config.rootfs.diff_ids[at] as string;
        let counted = 0;
        const count = (bytes: number) => {
          progress.done += bytes - counted;
          counted = bytes;
        };
        await this.#alone(layer.digest, () =>
          this.#fetch({ clients, layer, diffId, room, signal, count, project, holder }),
        );
        count(layer.size);
      });
      // All of them come to rest before this does: none writes after its time.
      const failed = (await Promise.allSettled(fetched)).find(({ status }) => status === "rejected");
      if (failed?.status === "rejected") throw failed.reason;
      return await this.store.save(got.digest, config);
    } finally {
      for (const digest of held) {
        const others = (this.#busy.get(digest) ?? 1) - 1;
        if (others === 0) this.#busy.delete(digest);
        else this.#busy.set(digest, others);
      }
    }
  }

  /** One at a time for each blob: an image that has it as well waits, and then finds its layer. */
  async #alone(blob: string, work: () => Promise<void>): Promise<void> {
    for (let others = this.#blobs.get(blob); others !== undefined; others = this.#blobs.get(blob))
      await others.catch(() => undefined);
    const own = work().finally(() => this.#blobs.delete(blob));
    this.#blobs.set(blob, own);
    await own;
  }

  /** An image is here, and its manifest was given to who asks. Its layers may be another project's alone. */
  async #mayUse({ config }: StoredImage, project: string): Promise<boolean> {
    for (const diffId of config.rootfs.diff_ids)
      if (!(await this.store.mayUse(diffId, project))) return false;
    return true;
  }

  async #fetch({ clients, layer, diffId, room, signal, count, project, holder }: LayerPull): Promise<void> {
    const { store } = this;
    const file = store.blobFile(layer.digest);
    let size: LayerSize;
    if (store.useLayer(diffId) && (await store.mayUse(diffId, project))) size = await store.sizeOf(diffId);
    else {
      await store.assertRoom();
      await this.#downloads.run(() => download(clients, layer, file, signal, count));
      size = await this.#unpackings.run(async () => {
        signal.throwIfAborted();
        await store.assertRoom();
        return store.addLayer(file, diffId, { ...room }, signal, holder);
      });
    }
    // Also that of an agent which was killed right before this line.
    await rm(file, { force: true });
    // What one layer has taken, the next has not.
    room.bytes -= size.bytes;
    room.files -= size.files;
    if (room.bytes < 0) throw this.#tooLarge();
    if (room.files < 0)
      throw new PullError(`it has more than ${this.limits.files} files (BERTH_CONTAINER_FILES of its host)`);
  }

  #assertSize({ layers, config }: Manifest): void {
    const bytes = layers.reduce((sum, { size }) => sum + size, 0);
    if (bytes > this.limits.diskMegabytes * BYTES_PER_MEGABYTE) throw this.#tooLarge();
    if (config.size > CONFIG_BYTES_MAX)
      throw new PullError(
        `its config has ${sizeText(config.size)}, and ${sizeText(CONFIG_BYTES_MAX)} is the most`,
      );
  }

  #tooLarge(): PullError {
    return new PullError(
      `it takes more than ${this.limits.diskMegabytes} MB (BERTH_CONTAINER_DISK_MB of its host)`,
    );
  }
}

/** The first answer; the reason of the last one where all fail, which is the registry itself after its mirrors. */
async function firstOf<T>(
  clients: readonly RepositoryClient[],
  ask: (client: RepositoryClient) => Promise<T>,
): Promise<T> {
  let failure: unknown;
  for (const client of clients) {
    try {
      return await ask(client);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
