import { LOG_LINE_BYTES_MAX, type PositionedLine } from "../../../schemas/hosting/container-log.ts";
import type { LogEntry } from "./log-entry.ts";

/** Of a page as JSON, which is a message of NATS. */
const PAGE_BYTES_MAX = 512 * 1024;
/** What a line has as JSON beside its text. */
const LINE_BYTES = 150;

interface Pending {
  readonly first: LogEntry;
  readonly pieces: Buffer[];
  bytes: number;
  position: string;
}

/** Collects lines of a log. Successive pieces of a line become one again, up to a length. */
export class LogPage {
  readonly lines: PositionedLine[] = [];
  #bytes = 0;
  #pending: Pending | null = null;

  constructor(private readonly limit: number) {}

  get isFull(): boolean {
    return this.lines.length >= this.limit || this.#bytes >= PAGE_BYTES_MAX;
  }

  /**
   * Adds the next entry; false when the page is full, and the entry is not in it.
   * @param position the place after the entry
   */
  add(entry: LogEntry, position: string): boolean {
    // A reader goes on after any line: a line that is open must not begin before one that is complete.
    if (this.#pending !== null && this.#pending.first.stream !== entry.stream) this.flush();
    if (this.isFull) return false;
    this.#pending ??= { first: entry, pieces: [], bytes: 0, position };
    this.#pending.pieces.push(entry.text);
    this.#pending.bytes += entry.text.length;
    this.#pending.position = position;
    if (!entry.isPartial) this.#finish(false);
    else if (this.#pending.bytes >= LOG_LINE_BYTES_MAX) this.flush();
    return true;
  }

  /** Ends a line that has no end yet. */
  flush(): void {
    if (this.#pending !== null) this.#finish(true);
  }

  #finish(partial: boolean): void {
    if (this.#pending === null) return;
    const { first, pieces, position } = this.#pending;
    this.#pending = null;
    const text = Buffer.concat(pieces).toString("utf8");
    const time = new Date(first.timeMs).toISOString();
    this.lines.push({ time, stream: first.stream, text, partial, position });
    this.#bytes += Buffer.byteLength(JSON.stringify(text)) + LINE_BYTES;
  }
}
