import { open } from "node:fs/promises";
import type { HostLogsRequest } from "../../../schemas/hosting/container-log.ts";
import { parseEntry } from "./log-entry.ts";
import { type LogNumbers, logPath } from "./log-files.ts";
import { type LogPlace, readAt } from "./log-place.ts";

const CHUNK_BYTES = 64 * 1024;
const LINE_BREAK = 0x0a;

type Wanted = Pick<HostLogsRequest, "tail" | "since_ms" | "stream">;

/** Where the newest `tail` lines begin, or those since a time: found from the end, so that a long log costs no more than a short one. */
export async function findStart(folder: string, numbers: LogNumbers, wanted: Wanted): Promise<LogPlace> {
  const { tail, since_ms, stream } = wanted;
  let start: LogPlace | null = null;
  let lines = 0;
  for (const number of numbers.toReversed()) {
    for await (const { line, offset } of linesFromEnd(logPath(folder, number))) {
      start ??= { number, offset: offset + line.length + 1 };
      const entry = parseEntry(line);
      if (entry === null) continue;
      if (since_ms !== null && entry.timeMs < since_ms) return start;
      const isEnd = !entry.isPartial && (stream === null || entry.stream === stream);
      if (isEnd && lines === tail) return start;
      if (isEnd) lines += 1;
      start = { number, offset };
    }
  }
  // Number 0: earlier lines are wanted too, which may be lost.
  return { number: tail === null ? 0 : (numbers[0] ?? 0), offset: 0 };
}

/** The whole lines of a file, the last one first. */
async function* linesFromEnd(path: string): AsyncGenerator<{ line: Buffer; offset: number }, void> {
  await using file = await open(path);
  let at = (await file.stat()).size;
  let rest: Buffer = Buffer.alloc(0);
  // What follows the last line break is still being written.
  let isWhole = false;
  while (at > 0) {
    const bytes = Math.min(CHUNK_BYTES, at);
    at -= bytes;
    const text = Buffer.concat([await readAt(file, at, bytes), rest]);
    let end = text.length;
    for (let lineBreak = text.lastIndexOf(LINE_BREAK); lineBreak !== -1; ) {
      if (isWhole) yield { line: text.subarray(lineBreak + 1, end), offset: at + lineBreak + 1 };
      isWhole = true;
      end = lineBreak;
      lineBreak = lineBreak === 0 ? -1 : text.lastIndexOf(LINE_BREAK, lineBreak - 1);
    }
    // Output of a former agent may have no line breaks: what is longer than an entry is left out.
    rest = end > CHUNK_BYTES ? Buffer.alloc(0) : text.subarray(0, end);
    if (end > CHUNK_BYTES) isWhole = false;
  }
  if (isWhole) yield { line: rest, offset: 0 };
}
