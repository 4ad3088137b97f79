import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Replaces a file so that after a crash it holds either the whole old text or the whole new one. A path must have
 * only one writer at a time.
 *
 * @param mode who may read it: the owner alone unless told otherwise
 */
export async function writeAtomically(path: string, text: string, mode = 0o600): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, "w", mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  // The rename itself is only durable once the folder is.
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
