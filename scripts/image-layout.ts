import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HOST_ARCHITECTURE } from "../agents/containers/images/manifest.ts";
import { run } from "../agents/exec/command.ts";

/** Packing a gigabyte takes tens of seconds. */
const PACK_MS_MAX = 10 * 60_000;

/**
 * Packs a folder as an image of one layer, in OCI's layout. Always the same bytes of the same files: an image that is made again has the
 * digest that it had.
 *
 * @param config what the image says of how its containers run
 * @param tarOptions such as who owns the files
 */
export async function packLayout(
  root: string,
  config: object,
  layout: string,
  tarOptions: readonly string[] = [],
): Promise<void> {
  const blobs = join(layout, "blobs/sha256");
  await mkdir(blobs, { recursive: true });
  const layer = join(layout, "layer.tar");
  const same = ["--sort=name", "--mtime=@0", "--numeric-owner"];
  const from = [`--file=${layer}`, `--directory=${root}`, ...same, ...tarOptions];
  await run(["tar", "--create", ...from, "."], undefined, PACK_MS_MAX);
  const diffId = await digestOf(layer);
  await rename(layer, join(blobs, diffId));

  const add = async (kind: string, value: object) => {
    const bytes = JSON.stringify(value);
    const hex = createHash("sha256").update(bytes).digest("hex");
    await writeFile(join(blobs, hex), bytes);
    return {
      mediaType: `application/vnd.oci.image.${kind}.v1+json`,
      digest: `sha256:${hex}`,
      size: bytes.length,
    };
  };
  const described = await add("config", {
    architecture: HOST_ARCHITECTURE,
    os: "linux",
    config,
    rootfs: { type: "layers", diff_ids: [`sha256:${diffId}`] },
  });
  const { size } = await stat(join(blobs, diffId));
  const layers = [{ mediaType: "application/vnd.oci.image.layer.v1.tar", digest: `sha256:${diffId}`, size }];
  const manifest = await add("manifest", { schemaVersion: 2, config: described, layers });
  await writeFile(join(layout, "index.json"), JSON.stringify({ schemaVersion: 2, manifests: [manifest] }));
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(file)) hash.update(piece);
  return hash.digest("hex");
}
