import { closeSync, constants, fchownSync, fstatSync, mkdirSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { KernelError, openInRoot } from "./kernel.ts";

/** Larger than any passwd file; who writes a larger one has no users. */
const FILE_BYTES_MAX = 1 << 20;
/** Does not follow a FIFO into a wait, nor a terminal into a session. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
/** Only names a place: what lies there is not opened. */
const O_PATH = 0o10000000;
const EXECUTABLE = 0o111;

/** The files of a container as its own programs see them: no link in it leads the agent out of its root. */
export class RootFolder implements Disposable {
  readonly #root: number;

  /** @param path on the host: the root, or `/proc/<pid>/root` */
  constructor(path: string) {
    this.#root = openSync(path, O_PATH | constants.O_DIRECTORY);
  }

  [Symbol.dispose](): void {
    closeSync(this.#root);
  }

  /** A file's text; empty where there is none, or something else. */
  read(path: string): string {
    return this.#opened(path, READ, "", (file) => {
      if (!fstatSync(file).isFile()) return "";
      const bytes = Buffer.alloc(Math.min(fstatSync(file).size, FILE_BYTES_MAX));
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0)).toString();
    });
  }

  isFolder(path: string): boolean {
    return this.#opened(path, O_PATH, false, (file) => fstatSync(file).isDirectory());
  }

  isProgram(path: string): boolean {
    return this.#opened(path, O_PATH, false, (file) => {
      const found = fstatSync(file);
      return found.isFile() && (found.mode & EXECUTABLE) !== 0;
    });
  }

  /** Makes a folder and those above it, where they are missing. No program of the container runs meanwhile. */
  makeFolder(path: string, owner: number): void {
    if (path === "/" || this.isFolder(path)) return;
    this.makeFolder(dirname(path), owner);
    const parent = openInRoot(this.#root, dirname(path), O_PATH | constants.O_DIRECTORY);
    try {
      const name = path.slice(path.lastIndexOf("/") + 1);
      // What is there is no folder, or a link to nowhere: who starts in it is told.
      mkdirSync(`/proc/self/fd/${parent}/${name}`, { mode: 0o755 });
      const made = openInRoot(this.#root, path, constants.O_RDONLY | constants.O_DIRECTORY);
      fchownSync(made, owner, owner);
      closeSync(made);
    } finally {
      closeSync(parent);
    }
  }

  #opened<T>(path: string, flags: number, otherwise: T, use: (file: number) => T): T {
    let file: number;
    try {
      file = openInRoot(this.#root, path, flags);
    } catch (error) {
      if (error instanceof KernelError) return otherwise;
      throw error;
    }
    try {
      return use(file);
    } finally {
      closeSync(file);
    }
  }
}
