import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createGunzip } from "node:zlib";
import { CHECKSUM_SUFFIX, DAY_FILE, readChecksum } from "../actors/activity/event/archive/day-file.ts";
import { checksumOf } from "../system/file-checksum.ts";
import { linesOf } from "./backup/tables.ts";
import { SetupError } from "./setup-error.ts";

/** `berth archive verify FOLDER`: names every file that is not whole. @returns whether all are */
export async function verifyArchive(
  say: (line: string) => void,
  [folder = ""]: readonly string[],
): Promise<boolean> {
  const names = await readdir(folder).catch((cause) => {
    throw new SetupError(`${folder} cannot be read: ${cause.message}`, { cause });
  });
  const missing = names
    .filter(
      (name) => name.endsWith(CHECKSUM_SUFFIX) && !names.includes(name.slice(0, -CHECKSUM_SUFFIX.length)),
    )
    .map((name) => `${name.slice(0, -CHECKSUM_SUFFIX.length)} is missing`);
  for (const line of missing) say(line);
  const files = names.filter((name) => DAY_FILE.test(name)).sort();
  let [events, faults] = [0, missing.length];
  for (const name of files) {
    try {
      events += await verifyFile(folder, name);
    } catch (error) {
      faults++;
      say(`${name} ${(error as Error).message}`);
    }
  }
  say(`${files.length} files, ${events} events, ${faults === 0 ? "all whole" : `${faults} faults`}`);
  return faults === 0;
}

/** @returns the number of its events @throws Error with what is wrong with it */
async function verifyFile(folder: string, name: string): Promise<number> {
  const [, day = ""] = DAY_FILE.exec(name) ?? [];
  const path = join(folder, name);
  const checksum = await readChecksum(folder, name);
  if (checksum === undefined)
    throw new Error("has no checksum: its host was stopped, and the next start completes it");
  if ((await checksumOf(path, false)) !== checksum.sha256)
    throw new Error("is damaged: its checksum is another one");
  let [events, last] = [0, ""];
  for await (const line of linesOf(createReadStream(path).pipe(createGunzip()))) {
    const { created_at: at } = JSON.parse(line);
    events++;
    if (!at.startsWith(day) || at < last) throw new Error(`has an event of ${at} in line ${events}`);
    last = at;
  }
  if (events !== checksum.events) throw new Error(`has ${events} events and not ${checksum.events}`);
  return events;
}
