import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
} from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { KernelError, openInRoot } from "./kernel.ts";

/** Larger than any passwd file; who writes a larger one has no users. */
const FILE_BYTES_MAX = 1 << 20;
/** Does not follow a FIFO into a wait, nor a terminal into a session. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
/** Only names a place: what lies there is not opened. */
const O_PATH = 0o10000000;
const EXECUTABLE = 0o111;
const MODE = 0o7777;
/** As many as the kernel follows. */
const LINKS_MAX = 40;

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

  /** A folder's owner, by ids of the host, and its mode; null where there is no folder. */
  folder(path: string): { owner: number; group: number; mode: number } | null {
    return this.#opened(path, O_PATH, null, (file) => {
      const found = fstatSync(file);
      if (!found.isDirectory()) return null;
      return { owner: found.uid, group: found.gid, mode: found.mode & MODE };
    });
  }

  /** Where a path leads in the root, with all links followed; null where it leads nowhere. */
  realPath(path: string): string | null {
    const place = this.#opened(path, O_PATH, null, pathOf);
    return place === null ? null : place.slice(pathOf(this.#root).length) || "/";
  }

  isProgram(path: string): boolean {
    return this.#opened(path, O_PATH, false, (file) => {
      const found = fstatSync(file);
      return found.isFile() && (found.mode & EXECUTABLE) !== 0;
    });
  }

  /**
   * Makes a folder and those above it, where they are missing; a link to nowhere leads to a folder that is made too, as Docker has it.
   * No program of the container runs meanwhile.
   *
   * @throws KernelError or the error of a call where a file is in the way
   */
  makeFolder(path: string, owner: number, mode = 0o755, links = LINKS_MAX): void {
    if (path === "/" || this.isFolder(path)) return;
    const above = dirname(path);
    this.makeFolder(above, owner, 0o755, links);
    const parent = openInRoot(this.#root, above, O_PATH | constants.O_DIRECTORY);
    try {
      const place = `/proc/self/fd/${parent}/${basename(path)}`;
      if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() && links > 0) {
        this.makeFolder(resolve(above, readlinkSync(place)), owner, mode, links - 1);
        return;
      }
      mkdirSync(place, { mode: 0o755 });
      const made = openInRoot(this.#root, path, constants.O_RDONLY | constants.O_DIRECTORY);
      fchownSync(made, owner, owner);
      fchmodSync(made, mode);
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

/** Where an open file lies, as this process sees it. */
const pathOf = (file: number): string => readlinkSync(`/proc/self/fd/${file}`);
