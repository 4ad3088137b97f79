import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ActiveTimer } from "../../system/active-timer.ts";
import type { LoggedRequest } from "./downstream.ts";

/** Each name has at most two files of this size. */
const FILE_BYTES_MAX = 1024 * 1024;
const FLUSH_MS = 1_000;
/** Above this size the waiting lines are written at once. */
const WAITING_BYTES_MAX = 256 * 1024;
const PATH_CHARS_MAX = 256;
const DAY_MS = 24 * 60 * 60 * 1_000;
const TIDY_MS = 60 * 60 * 1_000;

/**
 * The access log: a file for each name of the edge, and its predecessor, with a line of JSON for each request. It has
 * no queries, which may hold secrets, and no headers.
 */
export class AccessLog {
  readonly #waiting = new Map<string, WaitingLines>();
  #waitingBytes = 0;
  readonly #flushTimer = new ActiveTimer(FLUSH_MS, () => {
    this.#flush();
    return false;
  });
  readonly #tidyTimer: Timer;

  /** @param keepDays logs of names without requests for so many days are deleted */
  constructor(
    private readonly folder: string,
    private readonly keepDays: number,
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#rotate();
    this.#tidyTimer = setInterval(() => this.#rotate(), TIDY_MS);
    this.#tidyTimer.unref();
  }

  /** @param request its `name` is a DNS label, and so a file's name */
  write(request: LoggedRequest): void {
    const { name } = request;
    let waiting = this.#waiting.get(name);
    if (waiting === undefined) {
      waiting = new WaitingLines();
      this.#waiting.set(name, waiting);
    }
    this.#waitingBytes += waiting.append(lineOf(request));
    if (this.#waitingBytes > WAITING_BYTES_MAX) this.#flush();
    this.#flushTimer.start();
  }

  close(): void {
    clearInterval(this.#tidyTimer);
    this.#flushTimer.stop();
    this.#flush();
  }

  #rotate(): void {
    for (const name of readdirSync(this.folder)) {
      const file = join(this.folder, name);
      if (Date.now() - statSync(file).mtimeMs > this.keepDays * DAY_MS) rmSync(file, { force: true });
    }
  }

  #flush(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    this.#waitingBytes = 0;
    for (const [name, lines] of waiting) {
      const file = join(this.folder, `${name}.log`);
      try {
        appendFileSync(file, lines.bytes, { mode: 0o600 });
        if (statSync(file).size > FILE_BYTES_MAX) renameSync(file, `${file}.1`);
      } catch {
        // A full disk is reported elsewhere and must not stop requests.
      }
    }
  }
}

const FIRST_BYTES = 1024;
/** Of a character in UTF-8; the characters of a request are Latin-1, and never have more. */
const CHAR_BYTES_MAX = 2;

/** Lines as bytes: thousands of strings a second that wait would be work for the garbage collector. */
class WaitingLines {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Returns the number of bytes. */
  append(line: string): number {
    const needed = this.#length + line.length * CHAR_BYTES_MAX;
    if (needed > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.bytes], Math.max(needed, this.#bytes.length * 2));
    }
    const written = this.#bytes.write(line, this.#length);
    this.#length += written;
    return written;
  }
}

/** Written by hand, since it is done for every request: only a path has characters that JSON escapes. */
function lineOf({ address, method, status, bytes, ms, path }: LoggedRequest): string {
  const begin = `{"at":"${isoTime()}","address":"${address}","method":"${method}","status":${status}`;
  return `${begin},"bytes":${bytes},"ms":${ms},"path":${JSON.stringify(path.slice(0, PATH_CHARS_MAX))}}\n`;
}

let written = { atMs: 0, text: "" };

/** The present time; many requests end in the same millisecond. */
function isoTime(): string {
  const atMs = Date.now();
  if (atMs !== written.atMs) written = { atMs, text: new Date(atMs).toISOString() };
  return written.text;
}
