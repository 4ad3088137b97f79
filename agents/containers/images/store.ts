import { createHash } from "node:crypto";
import { existsSync, renameSync, utimesSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import {
  DIGEST,
  formatImageReference,
  type ImageReference,
} from "../../../schemas/hosting/image-reference.ts";
import { writeAtomically } from "../../../system/atomic-file.ts";
import { run } from "../../exec/command.ts";
import { runProgram } from "../../exec/program.ts";
import type { LayerLimits, LayerSize } from "./layer-filter.ts";
import { PARTIAL_MS_MAX, UNPACK_MS_MAX, UNUSED_MS_MAX } from "./limits.ts";
import { ImageConfig } from "./manifest.ts";
import { PullError } from "./pull-error.ts";
import type { Unpacked } from "./unpack-layer.ts";

const ImageRecord = Type.Object({
  digest: Type.String({ pattern: DIGEST.source }),
  /** What its layers take on disk, shared or not. */
  bytes: Type.Integer(),
  config: ImageConfig,
});
type ImageRecord = Static<typeof ImageRecord>;

const NameRecord = Type.Object({ reference: Type.String(), digest: Type.String({ pattern: DIGEST.source }) });
export type NameRecord = Static<typeof NameRecord>;

/** An image that is complete on this host. */
export interface StoredImage extends ImageRecord {
  /** The folders that its root lies over, top first. */
  readonly layers: readonly string[];
}

/** In place of a project: a layer that needs no project's credential. */
export const EVERYBODY = "*";

/** Its folder, in that of the agent. */
export const IMAGE_STORE = "image-store";

const hexOf = (digest: string): string => digest.slice(digest.indexOf(":") + 1);
/** What `sync` waits for is the disk. */
const SYNC_MS_MAX = 5 * 60_000;
/** A line of JSON. */
const ANSWER_BYTES_MAX = 64 * 1024;
const REASON_CHARS_MAX = 300;
/** Below it an image is not worth what a full disk does to a host. */
const FREE_BYTES_MIN = 512 * 1024 * 1024;
const REMOVE_MS_MAX = 10 * 60_000;

/**
 * The images of this host, on its disk:
 *
 * - `images/<digest>.json`: what an image is; written last, so that what has one is complete
 * - `layers/<diff id>/`: the files of a layer, shared by all images that have it
 * - `blobs/<digest>`: a layer as it was sent, perhaps half of it; gone once it is unpacked
 * - `names/<hash>.json`: what an operator has imported, and so stays
 * - `unfinished/`: layers that are being unpacked, or removed
 *
 * Whatever is in its place there is whole: it came there by a rename after all of it was on disk. So nothing has to be repaired
 * after a crash.
 */
export class ImageStore {
  constructor(private readonly folder: string) {}

  /** Makes its folders. */
  async open(): Promise<void> {
    for (const part of ["images", "layers", "blobs", "names", "unfinished"])
      await mkdir(join(this.folder, part), { recursive: true, mode: 0o700 });
  }

  /** Makes it ready for an agent; what the one before has not finished is removed. */
  async prepare(): Promise<void> {
    await this.open();
    await this.#removeUnfinished();
  }

  /** An image of this host; null when it is not all here. */
  async read(digest: string): Promise<StoredImage | null> {
    const record = await readRecord(this.#imageFile(digest), ImageRecord);
    if (record === null) return null;
    const all = record.config.rootfs.diff_ids.map((diffId) => this.layerFolder(diffId)).toReversed();
    // Overlayfs takes a folder once, and of a layer that comes twice the upper one hides all of the lower.
    const layers = [...new Set(all)];
    return layers.every((layer) => existsSync(layer)) ? { ...record, layers } : null;
  }

  /** Completes an image; its layers are here. */
  async save(digest: string, config: ImageConfig): Promise<StoredImage> {
    let bytes = 0;
    for (const diffId of new Set(config.rootfs.diff_ids)) bytes += (await this.sizeOf(diffId)).bytes;
    const record: ImageRecord = { digest, bytes, config };
    await writeAtomically(this.#imageFile(digest), JSON.stringify(record));
    const stored = await this.read(digest);
    if (stored === null) throw new PullError("its layers have gone from the host's disk");
    return stored;
  }

  layerFolder(diffId: string): string {
    return join(this.folder, "layers", hexOf(diffId));
  }

  /** Whether a layer is here; from then on it counts as just used. */
  useLayer(diffId: string): boolean {
    if (!existsSync(this.layerFolder(diffId))) return false;
    utimesSync(`${this.layerFolder(diffId)}.json`, new Date(), new Date());
    return true;
  }

  /**
   * Whether a project may use a layer that is here: somebody has got it without a credential of a project, or the project itself has got it. Another one
   * has to get it from a registry, and so shows that it may have it.
   */
  async mayUse(diffId: string, project: string): Promise<boolean> {
    const record = await readRecord(`${this.layerFolder(diffId)}.json`, LayerRecord);
    const { holders = [EVERYBODY] } = record ?? {};
    return holders.includes(EVERYBODY) || holders.includes(project);
  }

  /** What a layer that is here takes. */
  async sizeOf(diffId: string): Promise<LayerSize> {
    return (await readRecord(`${this.layerFolder(diffId)}.json`, LayerRecord)) ?? { bytes: 0, files: 0 };
  }

  /** @throws PullError when the disk has hardly any room: it is the containers' too */
  async assertRoom(): Promise<void> {
    const { bavail, bsize } = await statfs(this.folder);
    if (bavail * bsize < FREE_BYTES_MIN) throw new PullError("its host's disk is full");
  }

  /** Where a blob is put together. */
  blobFile(digest: string): string {
    return join(this.folder, "blobs", hexOf(digest));
  }

  /**
   * Unpacks a layer. Nothing of it is seen until all of it is there.
   *
   * @param holder the project that may use it from now on, or `EVERYBODY`
   * @throws PullError when it is no layer, another one than the image says, or too large
   */
  async addLayer(
    blob: string,
    diffId: string,
    limits: LayerLimits,
    signal?: AbortSignal,
    holder = EVERYBODY,
  ): Promise<LayerSize> {
    const unfinished = await this.workFolder();
    const recordFile = `${this.layerFolder(diffId)}.json`;
    try {
      const { diffId: found, ...size } = await unpack(blob, unfinished, limits, signal);
      if (found !== diffId) throw new PullError("a layer of it has other files than its config says");
      const isThere = existsSync(this.layerFolder(diffId));
      const { holders = [] } = (isThere && (await readRecord(recordFile, LayerRecord))) || {};
      const record = JSON.stringify({ ...size, holders: [...holders, holder] });
      if (isThere) {
        await writeAtomically(recordFile, record);
        return size;
      }
      // All files before the name: after a power cut there would be empty ones behind it.
      await run(["sync", "--file-system", unfinished], undefined, SYNC_MS_MAX);
      await writeAtomically(recordFile, record);
      renameSync(unfinished, this.layerFolder(diffId));
      return size;
    } catch (error) {
      // Another process may have been quicker: then it is there.
      if (!existsSync(this.layerFolder(diffId)) || error instanceof PullError) throw error;
      return await this.sizeOf(diffId);
    } finally {
      await remove(unfinished);
    }
  }

  /** What an operator has imported under this name; null: nothing. */
  async imported(reference: ImageReference): Promise<string | null> {
    return (await readRecord(this.#nameFile(reference), NameRecord))?.digest ?? null;
  }

  /** Gives an image a name by which containers find it, without a registry. It stays until the name is another's. */
  async importAs(reference: ImageReference, digest: string): Promise<void> {
    const name: NameRecord = { reference: formatImageReference(reference), digest };
    await writeAtomically(this.#nameFile(reference), JSON.stringify(name));
  }

  /**
   * Removes what no container uses and no operator has imported, some time after its last use.
   *
   * @param isUsed whether containers have an image, or wait for it
   * @param isBusy whether a layer or a blob is in work at this moment
   */
  async collect(isUsed: (digest: string) => boolean, isBusy: (digest: string) => boolean): Promise<string[]> {
    const named = new Set((await this.#records("names", NameRecord)).map(({ digest }) => digest));
    const kept = new Set<string>();
    const removed: string[] = [];
    for (const { digest, config } of await this.#records("images", ImageRecord)) {
      const file = this.#imageFile(digest);
      if (named.has(digest) || isUsed(digest) || (await ageMs(file)) < UNUSED_MS_MAX) {
        for (const diffId of config.rootfs.diff_ids) kept.add(hexOf(diffId));
        continue;
      }
      await rm(file, { force: true });
      removed.push(digest);
    }
    for (const file of await readdir(join(this.folder, "layers"))) {
      const hex = file.replace(/\.json$/, "");
      const folder = join(this.folder, "layers", hex);
      if (file !== hex || kept.has(hex) || (await ageMs(`${folder}.json`)) < UNUSED_MS_MAX) continue;
      // Looked at last, and nothing is waited for between this and the rename.
      if (isBusy(`sha256:${hex}`)) continue;
      renameSync(folder, this.#workName());
      await rm(`${folder}.json`, { force: true });
    }
    for (const hex of await readdir(join(this.folder, "blobs"))) {
      const file = join(this.folder, "blobs", hex);
      if ((await ageMs(file)) > PARTIAL_MS_MAX && !isBusy(`sha256:${hex}`)) await rm(file, { force: true });
    }
    await this.#removeUnfinished();
    return removed;
  }

  /** A folder for work under way, on the disk of the layers. Should it stay behind, it goes when its process has. */
  async workFolder(): Promise<string> {
    const folder = this.#workName();
    await mkdir(folder, { mode: 0o755 });
    return folder;
  }

  #workName(): string {
    return join(this.folder, "unfinished", `${process.pid}.${crypto.randomUUID()}`);
  }

  /** An import is a process of its own, and works on while an agent starts. */
  async #removeUnfinished(): Promise<void> {
    for (const name of await readdir(join(this.folder, "unfinished"))) {
      const path = join(this.folder, "unfinished", name);
      const isInWork = existsSync(`/proc/${name.split(".")[0]}`);
      if (!isInWork || (await ageMs(path)) >= UNUSED_MS_MAX) await remove(path);
    }
  }

  async #records<T extends typeof ImageRecord | typeof NameRecord>(
    part: string,
    schema: T,
  ): Promise<Static<T>[]> {
    const files = (await readdir(join(this.folder, part))).filter((file) => file.endsWith(".json"));
    const records = await Promise.all(files.map((file) => readRecord(join(this.folder, part, file), schema)));
    return records.filter((record) => record !== null);
  }

  #imageFile(digest: string): string {
    return join(this.folder, "images", `${hexOf(digest)}.json`);
  }

  #nameFile(reference: ImageReference): string {
    const hash = createHash("sha256").update(formatImageReference(reference)).digest("hex");
    return join(this.folder, "names", `${hash}.json`);
  }
}

const LayerRecord = Type.Object({
  bytes: Type.Integer(),
  files: Type.Integer(),
  /** The projects that have fetched it by credentials of theirs, or everybody; absent: everybody. */
  holders: Type.Optional(Type.Array(Type.String())),
});

async function readRecord<T extends typeof ImageRecord | typeof NameRecord | typeof LayerRecord>(
  file: string,
  schema: T,
): Promise<Static<T> | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return null;
  const record: unknown = JSON.parse(text);
  return Value.Check(schema, record) ? record : null;
}

const ageMs = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );

/** By a program that goes from folder to folder by their handles, however deep they are. */
async function remove(path: string): Promise<void> {
  await run(["rm", "-rf", "--one-file-system", "--", path], undefined, REMOVE_MS_MAX);
}

async function unpack(
  blob: string,
  folder: string,
  { bytes, files }: LayerLimits,
  signal: AbortSignal | undefined,
) {
  const argv = [
    // It ends with the agent, and leaves the host's other work its time.
    ...["setpriv", "--pdeathsig", "KILL", "nice", "-n", "10", process.execPath],
    ...[join(import.meta.dir, "unpack-layer.ts"), blob, folder, String(bytes), String(files)],
  ];
  const bounds = { msMax: UNPACK_MS_MAX, stdoutBytesMax: ANSWER_BYTES_MAX, ...(signal ? { signal } : {}) };
  const { code, boundMet, stdout, stderr } = await runProgram(argv, {}, bounds);
  if (boundMet === "signal") throw new PullError("it is not wanted any more");
  if (code !== 0)
    throw new PullError(
      `a layer of it cannot be unpacked: ${boundMet === "deadline" ? "it takes too long" : stderr.toString().trim().slice(-REASON_CHARS_MAX)}`,
    );
  const answer = JSON.parse(stdout.toString()) as Unpacked;
  if ("error" in answer) throw new PullError(`a layer of it cannot be unpacked: ${answer.error}`);
  return answer;
}
