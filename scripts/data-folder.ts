import { accessSync, chmodSync, constants, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SetupError } from "./setup-error.ts";

/** There while a restore works on the folder: what is in it is not a Berth yet. */
const UNFINISHED = "restore-unfinished";

/** Keeps Berth from starting in a folder. @returns what ends that */
export function markUnfinished(data: string): () => void {
  const file = join(data, UNFINISHED);
  writeFileSync(file, "", { flush: true });
  return () => rmSync(file);
}

/**
 * Creates the data folder and its `logs`.
 *
 * @throws SetupError one line, when the folder is not usable
 */
export function makeDataFolder(data: string): void {
  if (existsSync(join(data, UNFINISHED)))
    throw new SetupError(
      `a restore into BERTH_DATA=${data} did not finish: delete the folder, and restore again`,
    );
  try {
    mkdirSync(join(data, "logs"), { recursive: true });
    // PostgreSQL's own user must be able to pass through; secret files in it have their own modes.
    chmodSync(data, 0o711);
    chmodSync(join(data, "logs"), 0o750);
    for (const folder of [data, join(data, "logs")]) accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new SetupError(
      `BERTH_DATA=${data}: no data can be kept there (${reason}): give a folder of your own`,
      {
        cause,
      },
    );
  }
}
