import { closeSync, fstatSync, openSync, renameSync, writeSync } from "node:fs";
import { LOG_BYTES_MAX } from "./servers/server.ts";

const MODE = 0o640;

/** A log file that is rotated at `LOG_BYTES_MAX`; one older file is kept. */
export class LogFile {
  readonly #path: string;
  #file: number;
  #bytes: number;
  /** Bytes that had no room on the disk, and are not made up for. */
  #lost = 0;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "a", MODE);
    this.#bytes = fstatSync(this.#file).size;
  }

  /**
   * Writes synchronously, so that the last lines of a program survive its death. After `close` it does nothing. On a full disk lines are
   * lost: the log says how much, and who writes it goes on.
   */
  write(chunk: Uint8Array): void {
    if (this.#closed) return;
    try {
      if (this.#bytes > LOG_BYTES_MAX) this.#rotate();
      if (this.#lost > 0)
        this.#append(Buffer.from(`\n(${this.#lost} bytes are missing here: the disk was full)\n`));
      this.#lost = 0;
      this.#append(chunk);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      this.#lost += chunk.byteLength;
    }
  }

  #append(chunk: Uint8Array): void {
    this.#bytes += writeSync(this.#file, chunk);
  }

  #rotate(): void {
    // Before anything is moved: a full disk may have no room for it.
    const next = openSync(`${this.#path}.next`, "a", MODE);
    renameSync(this.#path, `${this.#path}.1`);
    renameSync(`${this.#path}.next`, this.#path);
    closeSync(this.#file);
    this.#file = next;
    this.#bytes = 0;
  }

  close(): void {
    this.#closed = true;
    closeSync(this.#file);
  }
}

const isDiskFull = (error: unknown): boolean =>
  ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");
