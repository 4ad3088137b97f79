import { rm } from "node:fs/promises";
import type { ImageReference } from "../../../schemas/hosting/image-reference.ts";
import { Semaphore } from "../../../system/semaphore.ts";
import type { Limits } from "../limits.ts";
import { download } from "./download.ts";
import { CONFIG_BYTES_MAX, DOWNLOADS_MAX, UNPACKINGS_MAX } from "./limits.ts";
import { type Descriptor, type Manifest, manifestForHost, parseConfig } from "./manifest.ts";
import { PullError } from "./pull-error.ts";
import { endpointsOf, type RegistrySettings } from "./registries.ts";
import { RepositoryClient } from "./registry.ts";
import type { ImageStore, StoredImage } from "./store.ts";

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** How far a pull is, in bytes of what is sent. */
export interface PullProgress {
  done: number;
  total: number;
}

/** Brings images from registries into the store. Layers that several images have are fetched once. */
export class Puller {
  readonly #downloads = new Semaphore(DOWNLOADS_MAX);
  readonly #unpackings = new Semaphore(UNPACKINGS_MAX);
  /** Layers that are on their way, by diff id. */
  readonly #layers = new Map<string, Promise<void>>();
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
  async pull(reference: ImageReference, signal: AbortSignal, progress: PullProgress): Promise<StoredImage> {
    const endpoints = await endpointsOf(reference.registry, this.settings);
    const clients = endpoints.map((endpoint) => new RepositoryClient(endpoint, reference, signal));
    const got = await firstOf(clients, (client) =>
      client.manifest(reference.digest ?? reference.tag ?? "latest"),
    );
    const { manifest } = await manifestForHost(got, (digest) =>
      firstOf(clients, (client) => client.manifest(digest)),
    );
    const present = await this.store.read(got.digest);
    if (present !== null) return present;
    this.#assertSize(manifest);
    const config = parseConfig(
      await firstOf(clients, (client) => client.config(manifest.config.digest, CONFIG_BYTES_MAX)),
      manifest,
    );
    const held = [...config.rootfs.diff_ids, ...manifest.layers.map(({ digest }) => digest)];
    for (const digest of held) this.#busy.set(digest, (this.#busy.get(digest) ?? 0) + 1);
    try {
      progress.total = manifest.layers.reduce((sum, { size }) => sum + size, 0);
      const fetched = manifest.layers.map(async (layer, at) => {
        let counted = 0;
        await this.#layer(clients, layer, config.rootfs.diff_ids[at] as string, signal, (bytes) => {
          progress.done += bytes - counted;
          counted = bytes;
        });
        progress.done += layer.size - counted;
      });
      // All of them come to rest before this does: none writes after its time.
      const failed = (await Promise.allSettled(fetched)).find(({ status }) => status === "rejected");
      if (failed?.status === "rejected") throw failed.reason;
      const image = await this.store.save(got.digest, config);
      this.#assertUnpackedSize(image);
      return image;
    } finally {
      for (const digest of held) {
        const others = (this.#busy.get(digest) ?? 1) - 1;
        if (others === 0) this.#busy.delete(digest);
        else this.#busy.set(digest, others);
      }
    }
  }

  /** Takes a layer that is on its way for another image as well; if that fails, it is tried for this one. */
  async #layer(
    clients: readonly RepositoryClient[],
    layer: Descriptor,
    diffId: string,
    signal: AbortSignal,
    progress: (bytes: number) => void,
  ): Promise<void> {
    for (;;) {
      const others = this.#layers.get(diffId);
      if (others === undefined) break;
      await others.catch(() => undefined);
    }
    const fetching = this.#fetch(clients, layer, diffId, signal, progress).finally(() =>
      this.#layers.delete(diffId),
    );
    this.#layers.set(diffId, fetching);
    await fetching;
  }

  async #fetch(
    clients: readonly RepositoryClient[],
    layer: Descriptor,
    diffId: string,
    signal: AbortSignal,
    progress: (bytes: number) => void,
  ): Promise<void> {
    const file = this.store.blobFile(layer.digest);
    if (!this.store.useLayer(diffId)) {
      await this.#downloads.run(() => download(clients, layer, file, signal, progress));
      await this.#unpackings.run(async () => {
        signal.throwIfAborted();
        await this.store.addLayer(file, diffId, {
          bytes: this.limits.diskMegabytes * BYTES_PER_MEGABYTE,
          files: this.limits.files,
        });
      });
    }
    // Also that of an agent which was killed right before this line.
    await rm(file, { force: true });
  }

  #assertSize({ layers, config }: Manifest): void {
    const megabytes = Math.ceil(layers.reduce((sum, { size }) => sum + size, 0) / BYTES_PER_MEGABYTE);
    if (megabytes > this.limits.diskMegabytes) throw this.#tooLarge(megabytes);
    if (config.size > CONFIG_BYTES_MAX)
      throw new PullError(`its config has ${config.size} bytes, and ${CONFIG_BYTES_MAX} is the most`);
  }

  #assertUnpackedSize({ bytes }: StoredImage): void {
    const megabytes = Math.ceil(bytes / BYTES_PER_MEGABYTE);
    if (megabytes > this.limits.diskMegabytes) throw this.#tooLarge(megabytes);
  }

  #tooLarge(megabytes: number): PullError {
    return new PullError(
      `it takes ${megabytes} MB, and ${this.limits.diskMegabytes} is the most (BERTH_CONTAINER_DISK_MB of its host)`,
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
