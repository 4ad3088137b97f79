import { createReadStream, createWriteStream, mkdirSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { dumpDatabase } from "../../actors/platform/db/dump.ts";
import type { TableReader } from "../../actors/platform/db/load.ts";
import type { Manifest } from "./manifest.ts";
import { tableFile } from "./manifest.ts";

/** Rows compress to a tenth by the quickest level, and hardly better by slower ones. */
const COMPRESSION = { level: 1 };

/** Writes every table of the database into a backup's folder, one file each. */
export async function backUpTables(
  url: string,
  folder: string,
  interrupted: AbortSignal,
): Promise<NonNullable<Manifest["database"]>> {
  mkdirSync(join(folder, "database"), { mode: 0o700 });
  const dump = await dumpDatabase(url, (table, lines) =>
    pipeline(
      lines,
      createGzip(COMPRESSION),
      createWriteStream(join(folder, tableFile(table)), { mode: 0o600 }),
      {
        signal: interrupted,
      },
    ),
  );
  return structuredClone(dump) as NonNullable<Manifest["database"]>;
}

/** Reads the lines of a table from a backup's folder. */
export const tablesIn = (folder: string, interrupted: AbortSignal): TableReader =>
  async function* read(table) {
    const content = createReadStream(join(folder, tableFile(table))).pipe(createGunzip());
    for await (const lines of batchesOf(content)) {
      interrupted.throwIfAborted();
      yield* lines;
    }
  };

export async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const lines of batchesOf(content)) yield* lines;
}

/** By "\n" alone: a row may hold the other characters at which readline ends a line. */
async function* batchesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const text = new TextDecoder();
  let rest = "";
  for await (const chunk of content) {
    const lines = (rest + text.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield lines;
  }
}
