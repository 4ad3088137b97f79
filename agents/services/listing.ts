import { FILE_IDLE_MS_MAX } from "../exec/file-transfer.ts";
import type { StreamProcess } from "../exec/target.ts";
import { asText, inAddress } from "./file-names.ts";

/** An entry of a folder. */
export interface Entry {
  /** As text; bytes that are not UTF-8 become �. */
  readonly name: string;
  /** The name's exact bytes, escaped for an address. */
  readonly address: string;
  /** The type of the file, or of a link's target. */
  readonly type: "folder" | "file" | "other";
  readonly link: boolean;
  /** In bytes. */
  readonly size: number;
  /** ISO 8601 */
  readonly modified: string;
}

export interface Listing {
  /** Folders first, then by name. */
  readonly entries: readonly Entry[];
  /** Whether the folder has more entries. */
  readonly isCut: boolean;
}

/** Why there is no listing. */
export class ListingError extends Error {
  override readonly name = "ListingError";

  constructor(
    readonly status: 502 | 504,
    message: string,
  ) {
    super(message);
  }
}

/** The largest number of entries: more than people read. */
const ENTRIES_MAX = 5_000;
/** The size of all records: enough for `ENTRIES_MAX` entries of 170 bytes. Names of 255 bytes are rare. */
const LISTING_BYTES_MAX = 1024 * 1024;
/** The size of one record: a name has at most 255 bytes, and its other fields 64. */
const RECORD_BYTES_MAX = 512;
/** The largest time of ECMAScript. */
const DATE_MS_MAX = 8.64e15;

/** Reads the output of `files.sh list`, up to the limits. @throws ListingError */
export async function readListing(program: StreamProcess, msMax = FILE_IDLE_MS_MAX): Promise<Listing> {
  const reader = program.stdout.getReader();
  let isLate = false;
  const stop = () => {
    program.kill();
    reader.cancel().catch(() => undefined);
  };
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, msMax);
  const entries: Entry[] = [];
  let bytes = 0;
  let rest = "";
  try {
    for (;;) {
      const { value } = await reader.read();
      if (isLate) throw new ListingError(504, `it did not end within ${msMax / 1_000} s`);
      if (value === undefined) {
        if (rest !== "") throw unreadable();
        return { entries: sortEntries(entries), isCut: false };
      }
      const records = (rest + Buffer.from(value).toString("latin1")).split("\0");
      rest = records.pop() ?? "";
      if (rest.length > RECORD_BYTES_MAX) throw unreadable();
      for (const record of records) {
        bytes += record.length;
        if (entries.length === ENTRIES_MAX || bytes > LISTING_BYTES_MAX) {
          return { entries: sortEntries(entries), isCut: true };
        }
        entries.push(parse(record));
      }
    }
  } finally {
    clearTimeout(timer);
    stop();
  }
}

const unreadable = () => new ListingError(502, "it wrote something else");

function parse(record: string): Entry {
  const [, kind, target, size, seconds, name] =
    /^(.)\t(.)\t(\d{1,20})\t(-?\d{1,20})(?:\.\d{1,20})?\t(.{1,255})$/s.exec(record) ?? [];
  if (name === undefined) throw unreadable();
  const type = target === "d" ? "folder" : target === "f" ? "file" : "other";
  const modified = dateOf(seconds).toISOString();
  const entry = { name: asText(name), address: inAddress(name), type, link: kind === "l" } as const;
  return { ...entry, size: Number(size), modified };
}

/** A file's time as a date; file times outside the range of dates are clamped. */
export function dateOf(seconds: string | undefined): Date {
  const ms = Number(seconds) * 1_000;
  return new Date(Math.max(-DATE_MS_MAX, Math.min(DATE_MS_MAX, ms)));
}

const { compare } = new Intl.Collator();

const sortEntries = (entries: readonly Entry[]): Entry[] =>
  entries.toSorted(
    (a, b) => Number(b.type === "folder") - Number(a.type === "folder") || compare(a.name, b.name),
  );
