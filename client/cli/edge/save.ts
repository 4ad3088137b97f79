import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Cli } from "../cli.ts";
import { bytes } from "../output/format.ts";
import { progressLine } from "./progress.ts";

/** Writes a body to a file or the output, with progress. A file gets its name when it is whole. @returns how many bytes */
export async function save(cli: Cli, response: Response, file: string | undefined): Promise<number> {
  const length = response.headers.get("content-length");
  const total = length === null ? null : Number(length);
  const progress = progressLine(cli.io, Boolean(cli.options().quiet), total);
  const write = (put: (chunk: Uint8Array) => Promise<unknown>) => eachChunk(response, progress.show, put);
  if (file === undefined) await write(async (chunk) => cli.io.out(chunk));
  else await replacing(file, (draft) => write((chunk) => draft.writeFile(chunk)));
  const received = progress.end();
  cli.print.note(`Received ${bytes(received)}.`);
  return received;
}

/** Gives a file its name when it is written, in the place of one that is there. What is no regular file, such as a device, is written as it is. */
export async function replacing(file: string, write: (draft: FileHandle) => Promise<unknown>): Promise<void> {
  const known = await stat(file).catch(() => undefined);
  if (known !== undefined && !known.isFile()) return writeTo(file, write);
  const draft = join(dirname(file), `.${basename(file)}.${crypto.randomUUID().slice(0, 8)}.part`);
  try {
    await writeTo(draft, write);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeTo(file: string, write: (handle: FileHandle) => Promise<unknown>): Promise<void> {
  const handle = await open(file, "w");
  try {
    await write(handle);
  } finally {
    await handle.close();
  }
}

/** @param show how many bytes have come */
export async function eachChunk(
  response: Response,
  show: (bytes: number) => void,
  write: (chunk: Uint8Array) => Promise<unknown>,
): Promise<void> {
  let received = 0;
  for await (const chunk of response.body ?? []) {
    await write(chunk);
    received += chunk.length;
    show(received);
  }
}
