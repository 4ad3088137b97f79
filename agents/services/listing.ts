import { FILE_IDLE_MS_MAX } from "../exec/file-transfer.ts";
import type { StreamProcess } from "../exec/target.ts";
import { asText, inAddress } from "./file-names.ts";

/** What a folder holds. */
export interface Entry {
  /** What is no UTF-8 in it is �. */
  readonly name: string;
  /** The name as it stands in an address: its very bytes. */
  readonly address: string;
  /** Of what a link leads to. */
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
  /** The folder holds more. */
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

/** More than anybody reads in a list. */
const ENTRIES_MAX = 5_000;
/** Of the names and what is said of them: that many entries of 170 bytes each. Names of 255 bytes are rare. */
const LISTING_BYTES_MAX = 1024 * 1024;
/** A name has 255 bytes at most, and what is said of it 64. */
const RECORD_BYTES_MAX = 512;
/** ECMAScript's time ends there. */
const DATE_MS_MAX = 8.64e15;

/**
 * Reads what `files.sh list` writes, and keeps no more of it than may be listed.
 *
 * @throws ListingError
 */
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

/** A file may be of any time, and a date not. */
export function dateOf(seconds: string | undefined): Date {
  const ms = Number(seconds) * 1_000;
  return new Date(Math.max(-DATE_MS_MAX, Math.min(DATE_MS_MAX, ms)));
}

const { compare } = new Intl.Collator();

const sortEntries = (entries: readonly Entry[]): Entry[] =>
  entries.toSorted(
    (a, b) => Number(b.type === "folder") - Number(a.type === "folder") || compare(a.name, b.name),
  );
