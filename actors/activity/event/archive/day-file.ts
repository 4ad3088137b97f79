import { createWriteStream } from "node:fs";
import { readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { writeAtomically } from "../../../../system/atomic-file.ts";
import { checksumOf } from "../../../../system/file-checksum.ts";

/**
 * The files of an archive: `events-2026-01-31.jsonl.gz` has the events of a day (UTC), one a line, and the file with `.sha256`
 * after its name has its checksum (`sha256sum -c` reads it) and the number of its events. That one is written last.
 */
export const DAY_FILE = /^events-(\d{4}-\d{2}-\d{2})(\.[2-9])?\.jsonl\.gz$/;
export const CHECKSUM_SUFFIX = ".sha256";
const UNFINISHED = ".unfinished-";
const CHECKSUM_LINES = /^# (\d+) events\n([0-9a-f]{64}) {2}(\S+)\n$/;
/** Files of one day: a second one is written when a restored database has other events of the day. */
const FILES_MAX = 9;

export interface DayChecksum {
  readonly events: number;
  readonly sha256: string;
}

/** The checksum beside a day's file; undefined if there is none that is whole. */
export async function readChecksum(folder: string, name: string): Promise<DayChecksum | undefined> {
  const text = await readFile(join(folder, name + CHECKSUM_SUFFIX), "utf8").catch((error) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const [, events, sha256 = "", named] = CHECKSUM_LINES.exec(text) ?? [];
  return named === name ? { events: Number(events), sha256 } : undefined;
}

/**
 * Writes the events of a day, and returns when they are on the disk. A file that is whole is never replaced. A day without
 * events has no file.
 *
 * @param day such as 2026-01-31
 * @returns the name and the number of events
 * @throws when a file cannot be written: then nothing whole was written
 */
export async function writeDayFile(
  folder: string,
  day: string,
  batches: AsyncIterable<readonly string[]>,
): Promise<{ readonly name: string; readonly events: number } | undefined> {
  await removeUnfinished(folder, day);
  const unfinished = join(folder, `events-${day}${UNFINISHED}${crypto.randomUUID()}`);
  try {
    let events = 0;
    async function* text() {
      for await (const lines of batches) {
        events += lines.length;
        if (lines.length > 0) yield `${lines.join("\n")}\n`;
      }
    }
    await pipeline(text(), createGzip(), createWriteStream(unfinished, { flags: "wx", mode: 0o600 }));
    if (events === 0) return undefined;
    const sha256 = await checksumOf(unfinished, true);
    return { name: await giveName(folder, day, unfinished, { events, sha256 }), events };
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function giveName(
  folder: string,
  day: string,
  unfinished: string,
  { events, sha256 }: DayChecksum,
): Promise<string> {
  for (let number = 1; number <= FILES_MAX; number++) {
    const name = `events-${day}${number === 1 ? "" : `.${number}`}.jsonl.gz`;
    const path = join(folder, name);
    const known = await readChecksum(folder, name);
    // Another content: of a database that was restored since, or of another installation.
    if (known !== undefined && known.sha256 !== sha256) continue;
    if (known !== undefined && (await checksumOf(path, true).catch(() => "")) === sha256) return name;
    await rename(unfinished, path);
    // This also makes the name of the file before it durable.
    await writeAtomically(path + CHECKSUM_SUFFIX, `# ${events} events\n${sha256}  ${name}\n`);
    return name;
  }
  throw new Error(
    `${folder} has ${FILES_MAX} files of ${day} with other events: is it the archive of another installation?`,
  );
}

/** Removes what hosts left that were killed. */
async function removeUnfinished(folder: string, day: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(`events-${day}${UNFINISHED}`)) await rm(join(folder, name), { force: true });
}
