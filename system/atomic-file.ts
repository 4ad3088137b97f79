import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** A new text for a file, on disk beside it. */
export interface PreparedFile {
  /** Makes the text the file's, durably. */
  replace(): Promise<void>;
}

/**
 * Replaces a file so that after a crash it holds either the whole old text or the whole new one. A path must have
 * only one writer at a time.
 *
 * @param mode who may read it: the owner alone unless told otherwise
 */
export async function writeAtomically(path: string, text: string, mode?: number): Promise<void> {
  await (await prepareFile(path, text, mode)).replace();
}

/** The first half of `writeAtomically`: the file has its old text until it is replaced, or for good. */
export async function prepareFile(path: string, text: string, mode = 0o600): Promise<PreparedFile> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, "w", mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  return { replace: () => replaceBy(temporary, path) };
}

async function replaceBy(temporary: string, path: string): Promise<void> {
  await rename(temporary, path);
  // The rename itself is only durable once the folder is.
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
