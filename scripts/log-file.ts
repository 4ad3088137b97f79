import { closeSync, fstatSync, openSync, renameSync, writeSync } from "node:fs";
import { LOG_BYTES_MAX } from "./servers/server.ts";

/** A log file that is rotated at `LOG_BYTES_MAX`; one older file is kept. */
export class LogFile {
  readonly #path: string;
  #file: number;
  #bytes: number;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "a", 0o640);
    this.#bytes = fstatSync(this.#file).size;
  }

  /** Writes synchronously, so that the last lines of a program survive its death. After `close` it does nothing. */
  write(chunk: Uint8Array): void {
    if (this.#closed) return;
    if (this.#bytes > LOG_BYTES_MAX) {
      closeSync(this.#file);
      renameSync(this.#path, `${this.#path}.1`);
      this.#file = openSync(this.#path, "a", 0o640);
      this.#bytes = 0;
    }
    writeSync(this.#file, chunk);
    this.#bytes += chunk.byteLength;
  }

  close(): void {
    this.#closed = true;
    closeSync(this.#file);
  }
}
