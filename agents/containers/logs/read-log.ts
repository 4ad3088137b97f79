import { existsSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import {
  type HostLogsReply,
  type HostLogsRequest,
  LOG_BEGINNING,
  type LogStreamName,
} from "../../../schemas/hosting/container-log.ts";
import { parseEntry } from "./log-entry.ts";
import { type LogNumbers, logPath, maintainLog } from "./log-files.ts";
import { LogPage } from "./log-page.ts";
import { type LogPlace, placeOf, readAt, textOf } from "./log-place.ts";
import { findStart } from "./log-start.ts";

/** How soon a reader that waits sees a new line. */
const POLL_MS = 100;
/** Entries have up to 8 KiB and a header. */
const CHUNK_BYTES = 64 * 1024;
const LINE_BREAK = 0x0a;

/**
 * A page of a container's log. When there is no line yet, it waits for one as long as the request says.
 *
 * @param folder the container's
 */
export async function readLog(folder: string, request: HostLogsRequest): Promise<HostLogsReply> {
  const untilMs = performance.now() + request.wait_ms;
  const { after } = request;
  let from = after === null ? await findStart(folder, maintainLog(folder), request) : placeOf(after);
  for (;;) {
    const before = stampOf(folder);
    const page = await readPage(folder, maintainLog(folder), from, request);
    if (page.lines.length > 0 || page.dropped || performance.now() >= untilMs) return page;
    from = placeOf(page.position);
    while (stampOf(folder) === before && performance.now() < untilMs) await Bun.sleep(POLL_MS);
  }
}

/**
 * The same of a container that may have no log yet, such as one that is still to be made: it waits for the log too.
 *
 * @param folderOf the container's folder; null: it has none yet
 */
export async function readLogWhenMade(
  folderOf: () => string | null,
  request: HostLogsRequest,
): Promise<HostLogsReply> {
  const untilMs = performance.now() + request.wait_ms;
  for (;;) {
    const folder = folderOf();
    const leftMs = Math.max(0, untilMs - performance.now());
    if (folder !== null && existsSync(folder)) return readLog(folder, { ...request, wait_ms: leftMs });
    if (leftMs === 0) return emptyLog(request);
    await Bun.sleep(Math.ceil(Math.min(POLL_MS, leftMs)));
  }
}

const emptyLog = ({ after }: Pick<HostLogsRequest, "after">): HostLogsReply => ({
  lines: [],
  position: after ?? LOG_BEGINNING,
  has_more: false,
  dropped: false,
});

/** Changes with each line. */
function stampOf(folder: string): string {
  const found = statSync(join(folder, "log"), { throwIfNoEntry: false });
  return found === undefined ? "" : `${found.ino} ${found.size}`;
}

/** The lines from a place on, up to the end of the log or of the page, or up to where lines are missing. */
async function readPage(
  folder: string,
  numbers: LogNumbers,
  from: LogPlace,
  { stream, limit }: Pick<HostLogsRequest, "stream" | "limit">,
): Promise<HostLogsReply> {
  const [first] = numbers;
  if (first === undefined) return emptyLog({ after: textOf(from) });
  const isKnown = numbers.includes(from.number);
  let place = isKnown ? from : { number: first, offset: 0 };
  // Number 0 is the beginning of every log.
  let dropped = !isKnown && !(from.number === 0 && first === 1);
  const page = new LogPage(limit);
  for (;;) {
    const { offset, isEnd } = await readFile(folder, place, page, stream);
    place = { number: place.number, offset };
    if (!isEnd) break;
    const next = numbers.find((number) => number > place.number);
    if (next === undefined) break;
    const isGap = next !== place.number + 1;
    // A line that has begun before a loss does not go on behind it.
    if (isGap) page.flush();
    // A loss is said at the beginning of a page.
    if (isGap && page.lines.length > 0) break;
    dropped ||= isGap;
    place = { number: next, offset: 0 };
  }
  page.flush();
  const size = statSync(logPath(folder, place.number), { throwIfNoEntry: false })?.size ?? 0;
  const isLast = place.number === numbers.at(-1);
  const has_more = !isLast || (page.isFull && place.offset < size);
  return { lines: page.lines, position: textOf(place), has_more, dropped };
}

/** Adds the entries of a file to a page. @returns how far, and whether that is the file's end */
async function readFile(
  folder: string,
  { number, offset }: LogPlace,
  page: LogPage,
  stream: LogStreamName | null,
): Promise<{ offset: number; isEnd: boolean }> {
  await using file = await open(logPath(folder, number));
  let at = offset;
  for (;;) {
    const chunk = await readAt(file, at, CHUNK_BYTES);
    let start = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end !== -1; end = chunk.indexOf(LINE_BREAK, start)) {
      const entry = parseEntry(chunk.subarray(start, end));
      const isWanted = entry !== null && (stream === null || entry.stream === stream);
      if (isWanted && !page.add(entry, textOf({ number, offset: at + end + 1 })))
        return { offset: at + start, isEnd: false };
      start = end + 1;
    }
    // What has no line break in so many bytes is no entry.
    if (start === 0 && chunk.length === CHUNK_BYTES) start = chunk.length;
    at += start;
    if (start === 0) return { offset: at, isEnd: true };
  }
}
