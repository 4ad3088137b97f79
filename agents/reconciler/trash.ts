import { mkdir, readdir, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { which } from "bun";
import type { Logger } from "pino";
import { SingleFlight } from "../../system/single-flight.ts";
import { run } from "../exec/command.ts";

/** Millions of files on a slow disk take hours. A removal that takes longer is started again. */
const REMOVE_MS_MAX = 24 * 60 * 60 * 1_000;
const REASON_BYTES_MAX = 500;
const ONE_FILE_SYSTEM = process.platform === "linux" ? "--one-file-system" : "";

/**
 * Runs with the lowest priority and short output. It walks folders by their handles: the long paths of deeply nested
 * folders would otherwise be resolved from the root for each file.
 */
const REMOVE = [
  ...["nice", "-n", "19", ...(which("ionice") === null ? [] : ["ionice", "-c", "3"])],
  ...["/bin/sh", "-c"],
  `rm -rf ${ONE_FILE_SYSTEM} -- "$1" 2>&1 | { head -c ${REASON_BYTES_MAX}; cat >/dev/null; }`,
  "remove",
];

/** The files of deleted containers: moved here at once, and removed in the background, one container after the other. */
export class Trash {
  readonly #emptying = new SingleFlight<"empty", void>();
  #again = false;

  /** @param folder the trash, on the same file system as the containers */
  constructor(private readonly folder: string) {}

  /** Moves a path here in one step. Does nothing when the path does not exist. */
  async discard(path: string): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await rename(path, join(this.folder, `${basename(path)}-${crypto.randomUUID()}`)).catch((error) => {
      if (error.code !== "ENOENT") throw error;
    });
  }

  /** Removes everything in the trash, including that of earlier agents. What cannot be removed is logged, and tried again the next time. */
  empty(log: Logger): Promise<void> {
    this.#again = true;
    return this.#emptying.run("empty", () => this.#empty(log));
  }

  async #empty(log: Logger): Promise<void> {
    while (this.#again) {
      this.#again = false;
      for (const name of await readdir(this.folder).catch(() => [])) {
        const path = join(this.folder, name);
        const said = await run([...REMOVE, path], undefined, REMOVE_MS_MAX).catch(String);
        if (said !== "") log.error({ path, error: said }, "files of a deleted container cannot be removed");
      }
    }
  }
}
