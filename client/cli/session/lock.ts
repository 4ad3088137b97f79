import { mkdir, open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";

const RETRY_MS = 50;
/** A command that held it for longer has died: an exchange of tokens has a shorter deadline. */
const STALE_MS = 40_000;

/** Runs one task at a time among all processes that use the same file. */
export async function withLock<Result>(file: string, task: () => Promise<Result>): Promise<Result> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  for (;;) {
    try {
      await (await open(file, "wx", 0o600)).close();
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const since = await stat(file).catch(() => undefined);
    if (since !== undefined && Date.now() - since.mtimeMs > STALE_MS) await rm(file, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  try {
    return await task();
  } finally {
    await rm(file, { force: true });
  }
}
