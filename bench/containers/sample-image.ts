import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { importImage } from "../../agents/containers/images/import-image.ts";
import { IMAGE_STORE, ImageStore } from "../../agents/containers/images/store.ts";
import { parseImageReference } from "../../schemas/hosting/image-reference.ts";
import { busyboxLayer, makeImage } from "../../test/agents/containers/images/sample-images.ts";
import { temporaryFolder } from "../../test/harness/servers.ts";

/** The image that containers of a bench have: a busybox that sleeps. */
export const SAMPLE_IMAGE = "bench.localhost/busybox:1";

/** Writes the image as a folder in OCI's layout. @returns the folder */
export async function writeSampleImage(): Promise<string> {
  const { blobs, manifest } = makeImage([await busyboxLayer()], {
    config: { Cmd: ["/bin/sleep", "100000"], Env: ["PATH=/bin"] },
  });
  const folder = temporaryFolder();
  mkdirSync(join(folder, "blobs/sha256"), { recursive: true });
  for (const [digest, bytes] of blobs)
    writeFileSync(join(folder, "blobs/sha256", digest.slice("sha256:".length)), bytes);
  writeFileSync(join(folder, "blobs/sha256", manifest.digest.slice("sha256:".length)), manifest.bytes);
  const descriptor = {
    mediaType: manifest.mediaType,
    digest: manifest.digest,
    size: manifest.bytes.length,
    annotations: { "org.opencontainers.image.ref.name": SAMPLE_IMAGE },
  };
  writeFileSync(join(folder, "oci-layout"), '{"imageLayoutVersion":"1.0.0"}');
  writeFileSync(join(folder, "index.json"), JSON.stringify({ schemaVersion: 2, manifests: [descriptor] }));
  return folder;
}

/** Imports the image into the store of an agent. */
export async function importSampleImage(layout: string, data: string): Promise<void> {
  const store = new ImageStore(join(data, IMAGE_STORE));
  await store.open();
  await importImage(layout, parseImageReference(SAMPLE_IMAGE), store);
}
