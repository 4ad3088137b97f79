import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { failureOf } from "./run.ts";

export interface Release {
  readonly version: string;
  /** The address that `/v<version>/<archive>` is added to. */
  readonly base: string;
  /** SHA-256 of the .tar.gz by platform, as in `linux-amd64`. A platform without one is not downloaded. */
  readonly sums: Readonly<Record<string, string>>;
}

/**
 * The checksums are pinned here, and not downloaded with the archive: an attacker could change both.
 * Those of Linux are as in the project's own container images, those of macOS as in Hermit's package list.
 */
export const NATS_RELEASE: Release = {
  version: "2.12.8",
  base: "https://github.com/nats-io/nats-server/releases/download",
  sums: {
    "linux-amd64": "6abc397684567e133649688a13564ad6de786d64e88253fbb4f6a3aa8c2fca63",
    "linux-arm64": "7d20e93c23924cdd5cb6ec51c92f9478c97f9c8a0dbe049dd7ab88af115d622c",
    "darwin-amd64": "8880e133f45c6974468d351425db9a73ffe3b569850cad2bfbaa349d80939a7f",
    "darwin-arm64": "4556a7f617eb532587790344629a6a95261099b236524b764d1f10d6c14aba1a",
  },
};

/** The archive is about 7 MB. */
const DOWNLOAD_LIMIT_MS = 120_000;

/** This machine's platform as the release names it. */
export const platformName = () => `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;

/**
 * Downloads nats-server's own release to `<folder>/nats-server`.
 *
 * @returns undefined when it is there, else why not, in one line
 */
export async function downloadNats(
  folder: string,
  release: Release = NATS_RELEASE,
  platform: string = platformName(),
): Promise<string | undefined> {
  const sum = release.sums[platform];
  if (!sum) return `no checksum is known for ${platform}`;
  const name = `nats-server-v${release.version}-${platform}`;
  const url = `${release.base}/v${release.version}/${name}.tar.gz`;
  let archive: Uint8Array;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_LIMIT_MS) });
    if (!response.ok) return `${url} answers ${response.status}`;
    archive = await response.bytes();
  } catch (error) {
    return `${url} cannot be fetched (${error instanceof Error ? error.message : error})`;
  }
  const found = createHash("sha256").update(archive).digest("hex");
  if (found !== sum) return `${url} has the SHA-256 ${found} instead of ${sum}: it was not used`;
  return unpack(archive, name, folder);
}

async function unpack(archive: Uint8Array, name: string, folder: string): Promise<string | undefined> {
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(folder, "release-"));
  try {
    writeFileSync(join(work, "archive.tar.gz"), archive);
    const failure = await failureOf(["tar", "-xzf", "archive.tar.gz", `${name}/nats-server`], work);
    if (failure !== undefined) return failure;
    const program = join(work, "nats-server");
    copyFileSync(join(work, name, "nats-server"), program);
    chmodSync(program, 0o755);
    // Atomically: an existing program is complete.
    renameSync(program, join(folder, "nats-server"));
    return undefined;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
