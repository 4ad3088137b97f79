import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rm, stat } from "node:fs/promises";
import { Backoff } from "../../../system/backoff.ts";
import { sizeText } from "../../../system/size-text.ts";
import { TRIES_MAX } from "./limits.ts";
import type { Descriptor } from "./manifest.ts";
import { PullError } from "./pull-error.ts";
import { piecesOf, type RepositoryClient } from "./registry.ts";

const WAIT_FIRST_MS = 250;
const WAIT_MAX_MS = 10_000;

/**
 * Fetches a blob into a file, from where an earlier try has ended, also one of an agent before this one. The file is the blob when
 * this returns.
 *
 * @param clients asked one after the other
 * @param progress called with the bytes that have come in all
 * @throws PullError
 */
export async function download(
  clients: readonly RepositoryClient[],
  blob: Descriptor,
  file: string,
  signal: AbortSignal,
  progress: (bytes: number) => void,
): Promise<void> {
  const backoff = new Backoff(WAIT_FIRST_MS, WAIT_MAX_MS);
  let failure: unknown;
  for (let mismatches = 0; backoff.failures < TRIES_MAX; ) {
    for (const client of clients) {
      signal.throwIfAborted();
      const before = await sizeOf(file);
      try {
        await goOn(client, blob, file, progress);
        if ((await digestOf(file)) === blob.digest) return;
        // Perhaps the first half was another server's, or damaged on disk: once more, from the beginning.
        await rm(file, { force: true });
        mismatches += 1;
        failure = new PullError(`${client.host} has other bytes than those of the digest ${blob.digest}`);
        if (mismatches > clients.length) throw failure;
      } catch (error) {
        signal.throwIfAborted();
        failure = error;
        if (mismatches > clients.length) throw error;
        // A line that breaks now and then brings it in the end.
        if ((await sizeOf(file)) > before) backoff.reset();
      }
    }
    await Bun.sleep(backoff.next());
  }
  throw failure;
}

async function goOn(
  client: RepositoryClient,
  { digest, size }: Descriptor,
  path: string,
  progress: (bytes: number) => void,
): Promise<void> {
  const present = await sizeOf(path);
  if (present > size) await rm(path, { force: true });
  if (present === size) {
    progress(size);
    return;
  }
  const { from, body } = await client.blob(digest, present > size ? 0 : present);
  const file = await open(path, from === 0 ? "w" : "a", 0o600);
  let written = from;
  try {
    for await (const piece of piecesOf(body)) {
      if (written + piece.length > size)
        throw new PullError(`${client.host} sends more than the ${sizeText(size)} of ${digest}`);
      await file.write(piece);
      written += piece.length;
      progress(written);
    }
  } finally {
    await file.close();
  }
  if (written < size)
    throw new PullError(
      `${client.host} has ended after ${sizeText(written)} of ${sizeText(size)} of ${digest}`,
    );
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return `sha256:${hash.digest("hex")}`;
}
