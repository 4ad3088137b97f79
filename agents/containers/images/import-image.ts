import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { open, readFile, realpath, rm, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { ImageReference } from "../../../schemas/hosting/image-reference.ts";
import { sizeText } from "../../../system/size-text.ts";
import { run } from "../../exec/command.ts";
import type { LayerLimits } from "./layer-filter.ts";
import { CONFIG_BYTES_MAX, MANIFEST_BYTES_MAX } from "./limits.ts";
import { type ImageConfig, manifestForHost, parseConfig, parseManifest } from "./manifest.ts";
import { PullError } from "./pull-error.ts";
import { sha256 } from "./registry.ts";
import type { ImageStore, StoredImage } from "./store.ts";

/** An image in files: its config, its layers as they are there, and what it is known by. */
interface FoundImage {
  readonly digest: string;
  readonly config: ImageConfig;
  /** Files, bottom first. */
  readonly layers: readonly string[];
}

/** An archive of many gigabytes on a slow disk. */
const EXTRACT_MS_MAX = 30 * 60_000;
/** An operator imports what they want; this ends an archive that has no end. */
const LIMITS: LayerLimits = { bytes: 1024 ** 4, files: 50_000_000 };

/**
 * Brings an image into the store from a folder in OCI's layout, or from an archive as `docker save` or `skopeo copy oci-archive:` write
 * it, and gives it a name by which containers find it without a registry.
 *
 * @throws PullError with the reason
 */
export async function importImage(
  path: string,
  reference: ImageReference,
  store: ImageStore,
): Promise<StoredImage> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new PullError(`${path} is not there`);
  if (found.isDirectory()) return addToStore(await readFolder(path), reference, store);
  const folder = await store.workFolder();
  try {
    await run(
      ["tar", "--extract", `--file=${resolve(path)}`, `--directory=${folder}`, "--no-same-owner"],
      undefined,
      EXTRACT_MS_MAX,
    );
    return await addToStore(await readFolder(folder), reference, store);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function addToStore(
  image: FoundImage,
  reference: ImageReference,
  store: ImageStore,
): Promise<StoredImage> {
  for (const [at, file] of image.layers.entries()) {
    const diffId = image.config.rootfs.diff_ids[at] as string;
    if (!store.useLayer(diffId)) await store.addLayer(file, diffId, LIMITS);
  }
  const stored = await store.save(image.digest, image.config);
  await store.importAs(reference, image.digest);
  return stored;
}

async function readFolder(folder: string): Promise<FoundImage> {
  const inside = within(await realpath(folder));
  if (existsSync(join(folder, "index.json"))) return readLayout(inside);
  if (existsSync(join(folder, "manifest.json"))) return readDockerArchive(inside);
  throw new PullError("it has neither OCI's index.json nor Docker's manifest.json");
}

type Within = (path: string) => Promise<string>;

/** Finds a file by its name there; links do not lead out. */
const within =
  (folder: string): Within =>
  async (path) => {
    const file = await realpath(join(folder, path)).catch(() => null);
    if (file === null || !file.startsWith(`${folder}${sep}`)) throw new PullError(`it has no ${path}`);
    return file;
  };

async function readLayout(inside: Within): Promise<FoundImage> {
  const blob = (digest: string) => inside(`blobs/${digest.replace(":", "/")}`);
  const checked = async (digest: string, bytesMax: number) => {
    const bytes = await readSmall(await blob(digest), bytesMax);
    if (sha256(bytes) !== digest) throw new PullError(`its blob ${digest} is damaged`);
    return { digest, bytes };
  };
  const bytes = await readSmall(await inside("index.json"), MANIFEST_BYTES_MAX);
  const { digest, manifest } = await manifestForHost({ digest: sha256(bytes), bytes }, (wanted) =>
    checked(wanted, MANIFEST_BYTES_MAX),
  );
  const config = parseConfig((await checked(manifest.config.digest, CONFIG_BYTES_MAX)).bytes, manifest);
  return { digest, config, layers: await Promise.all(manifest.layers.map((layer) => blob(layer.digest))) };
}

const DockerArchive = Type.Array(Type.Object({ Config: Type.String(), Layers: Type.Array(Type.String()) }));

/** As Docker wrote it before it kept manifests: the manifest is made here. */
async function readDockerArchive(inside: Within): Promise<FoundImage> {
  const archive: unknown = JSON.parse(await readFile(await inside("manifest.json"), "utf8"));
  if (!Value.Check(DockerArchive, archive)) throw new PullError("its manifest.json is none of docker save");
  const [image, ...more] = archive;
  if (image === undefined || more.length > 0)
    throw new PullError(`it holds ${archive.length} images: save one at a time`);
  const config = await readSmall(await inside(image.Config), CONFIG_BYTES_MAX);
  const layers = await Promise.all(image.Layers.map(inside));
  const described = await Promise.all(
    layers.map(async (file) => ({
      mediaType: "application/vnd.oci.image.layer.v1.tar",
      digest: await digestOfFile(file),
      size: (await stat(file)).size,
    })),
  );
  const mediaType = "application/vnd.oci.image.config.v1+json";
  const bytes = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      config: { mediaType, digest: sha256(config), size: config.length },
      layers: described,
    }),
  );
  return { digest: sha256(bytes), config: parseConfig(config, parseManifest(bytes)), layers };
}

async function readSmall(file: string, bytesMax: number): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    if (size > bytesMax) throw new PullError(`${file} has more than ${sizeText(bytesMax)}`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function digestOfFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(file)) hash.update(piece);
  return `sha256:${hash.digest("hex")}`;
}
