import { existsSync, readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { checksumOf } from "../../system/file-checksum.ts";
import { SetupError } from "../setup-error.ts";

/** The checksums of all files of a backup, as `sha256sum -c SHA256SUMS` reads them. Written last: a backup without them is not whole. */
export const CHECKSUMS = "SHA256SUMS";

const LINE = /^([0-9a-f]{64}) {2}(.+)$/;

/** Writes them, once every file is on the disk. */
export async function writeChecksums(folder: string): Promise<void> {
  const lines: string[] = [];
  for (const file of filesOf(folder)) lines.push(`${await checksumOf(join(folder, file), true)}  ${file}\n`);
  const path = join(folder, CHECKSUMS);
  await writeFile(path, lines.join(""), { mode: 0o600, flush: true });
}

/** @throws SetupError that names the file which is damaged, missing or too many */
export async function verifyChecksums(folder: string): Promise<void> {
  const path = join(folder, CHECKSUMS);
  if (!existsSync(path))
    throw new SetupError(`${folder} is no whole backup: it has no ${CHECKSUMS}, which is written last`);
  const left = new Set(filesOf(folder));
  for (const line of (await readFile(path, "utf8")).split("\n").slice(0, -1)) {
    const [, sum, file = ""] = LINE.exec(line) ?? [];
    if (sum === undefined) throw new SetupError(`${path} is damaged`);
    if (!left.delete(file)) throw new SetupError(`${join(folder, file)} is missing: the backup is damaged`);
    if ((await checksumOf(join(folder, file), false)) !== sum)
      throw new SetupError(`${join(folder, file)} is damaged: its checksum is another one`);
  }
  const [more] = left;
  if (more !== undefined) throw new SetupError(`${join(folder, more)} is not in ${CHECKSUMS}`);
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((file) => file !== CHECKSUMS)
    .sort();
