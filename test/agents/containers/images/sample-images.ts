import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import {
  END_OF_TAR,
  encodeHeader,
  paddingOf,
  type TarEntry,
} from "../../../../agents/containers/images/tar.ts";
import { run } from "../../../../agents/exec/command.ts";
import { temporaryFolder } from "../../../harness/servers.ts";

/** Images made here: what they consist of is in the test that makes them. */

export const digestOf = (bytes: Uint8Array) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
export const ARCHITECTURE = process.arch === "x64" ? "amd64" : process.arch;

export interface Blob {
  readonly mediaType: string;
  readonly digest: string;
  readonly bytes: Buffer;
}

export interface SampleImage {
  /** By digest: layers, config and manifest. */
  readonly blobs: ReadonlyMap<string, Buffer>;
  readonly manifest: Blob;
  readonly layers: readonly Blob[];
}

type Compression = "gzip" | "zstd" | "none";
const LAYER = "application/vnd.oci.image.layer.v1.tar";
const DOCKER_LAYER = "application/vnd.docker.image.rootfs.diff.tar.gzip";

export interface ImageFields {
  readonly config?: object;
  readonly architecture?: string;
  readonly compression?: Compression;
  /** Docker's media types instead of OCI's. */
  readonly isDocker?: boolean;
}

/** @param layers archives, bottom first */
export function makeImage(
  layers: readonly Buffer[],
  { config = {}, architecture = ARCHITECTURE, compression = "gzip", isDocker = false }: ImageFields = {},
): SampleImage {
  const made = layers.map((tar): Blob => {
    const bytes =
      compression === "gzip" ? gzipSync(tar) : compression === "zstd" ? zstdCompressSync(tar) : tar;
    const mediaType = isDocker ? DOCKER_LAYER : `${LAYER}${compression === "none" ? "" : `+${compression}`}`;
    return { mediaType, digest: digestOf(bytes), bytes };
  });
  const of = (kind: "config" | "manifest", bytes: Buffer): Blob => {
    const [oci, docker] = {
      config: ["application/vnd.oci.image.config.v1+json", "application/vnd.docker.container.image.v1+json"],
      manifest: [
        "application/vnd.oci.image.manifest.v1+json",
        "application/vnd.docker.distribution.manifest.v2+json",
      ],
    }[kind];
    return { mediaType: (isDocker ? docker : oci) ?? "", digest: digestOf(bytes), bytes };
  };
  const json = (value: object) => Buffer.from(JSON.stringify(value));
  const descriptor = ({ mediaType, digest, bytes }: Blob) => ({ mediaType, digest, size: bytes.length });
  const configBlob = of(
    "config",
    json({ architecture, os: "linux", config, rootfs: { type: "layers", diff_ids: layers.map(digestOf) } }),
  );
  const manifest = of(
    "manifest",
    json({
      schemaVersion: 2,
      mediaType: of("manifest", Buffer.alloc(0)).mediaType,
      config: descriptor(configBlob),
      layers: made.map(descriptor),
    }),
  );
  const blobs = new Map([configBlob, manifest, ...made].map(({ digest, bytes }) => [digest, bytes]));
  return { blobs, manifest, layers: made };
}

/** A list of images for several platforms. */
export function makeIndex(images: readonly (readonly [architecture: string, SampleImage])[]): Blob {
  const manifests = images.map(([architecture, { manifest }]) => ({
    mediaType: manifest.mediaType,
    digest: manifest.digest,
    size: manifest.bytes.length,
    platform: { os: "linux", architecture },
  }));
  const mediaType = "application/vnd.oci.image.index.v1+json";
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, manifests }));
  return { mediaType, digest: digestOf(bytes), bytes };
}

/** A layer packed by GNU tar, of texts by path. */
export async function layerOf(files: Readonly<Record<string, string>>, make?: (folder: string) => void) {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  make?.(folder);
  const archive = join(temporaryFolder(), "layer.tar");
  await run(["tar", "--create", `--file=${archive}`, `--directory=${folder}`, "--sort=name", "."]);
  return Buffer.from(await Bun.file(archive).bytes());
}

const APPLETS = [
  "sh",
  "cat",
  "echo",
  "env",
  "httpd",
  "id",
  "ls",
  "mkdir",
  "pwd",
  "rm",
  "sleep",
  "stat",
  "test",
  "tail",
  "trap",
  "true",
];

/** The smallest system with a shell: one static program. */
export const busyboxLayer = (files: Readonly<Record<string, string>> = {}) =>
  layerOf(
    {
      "etc/passwd": "root:x:0:0:root:/root:/bin/sh\napp:x:1000:1001:App:/home/app:/bin/sh\n",
      "etc/group": "root:x:0:\napp:x:1001:\nextra:x:2000:app\nother:x:2001:\n",
      ...files,
    },
    (folder) => {
      mkdirSync(join(folder, "bin"));
      copyFileSync(Bun.which("busybox") ?? "busybox", join(folder, "bin/busybox"));
      for (const name of APPLETS) symlinkSync("busybox", join(folder, "bin", name));
    },
  );

/** Programs of this machine in `/usr/bin`, with the libraries that they need. */
export function copyPrograms(folder: string, names: readonly string[]): void {
  mkdirSync(join(folder, "usr/bin"), { recursive: true });
  for (const name of names) {
    const path = Bun.which(name) ?? name;
    const libraries = Bun.spawnSync(["ldd", path]).stdout.toString().match(/\/\S+/g) ?? [];
    Bun.spawnSync(["cp", "--dereference", "--parents", ...libraries, folder]);
    copyFileSync(path, join(folder, "usr/bin", name));
  }
}

/** A layer written by hand, for what no tool makes. */
export function rawLayer(entries: readonly (Partial<TarEntry> & { path: string; text?: string })[]): Buffer {
  const parts = entries.flatMap(({ text = "", ...fields }) => {
    const size = Buffer.byteLength(text);
    const entry: TarEntry = {
      ...{ type: "file", target: "", mode: 0o644, uid: 0, gid: 0, mtime: 0, size, attributes: new Map() },
      ...fields,
    };
    return [encodeHeader(entry), Buffer.from(text), paddingOf(size)];
  });
  return Buffer.concat([...parts, END_OF_TAR]);
}
