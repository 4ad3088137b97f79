import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isAlive } from "../processes.ts";
import { SetupError } from "../setup-error.ts";

/** A folder that gets its name when its content is whole: whoever is killed meanwhile leaves nothing that has the name. */
export interface UnfinishedFolder {
  readonly path: string;
  /** Gives the name to the folder, or to one file in it. */
  finish(file?: string): void;
  /** Removes it. */
  discard(): void;
}

/** @throws SetupError when the name is taken */
export function makeUnfinished(target: string): UnfinishedFolder {
  if (existsSync(target)) throw new SetupError(`${target} exists: give a new name`);
  removeAbandoned(target);
  const path = `${target}.unfinished-${process.pid}`;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new SetupError(`${target}: ${(cause as Error).message}`, { cause });
  }
  const discard = () => rmSync(path, { recursive: true, force: true });
  return {
    path,
    discard,
    finish(file) {
      renameSync(file === undefined ? path : join(path, file), target);
      discard();
    },
  };
}

/** What processes left that were killed. */
function removeAbandoned(target: string): void {
  const [folder, prefix] = [dirname(target), `${basename(target)}.unfinished-`];
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN;
    if (Number.isInteger(pid) && !isAlive(pid)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
