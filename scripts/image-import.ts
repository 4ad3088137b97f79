import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { importImage } from "../agents/containers/images/import-image.ts";
import { PullError } from "../agents/containers/images/pull-error.ts";
import { IMAGE_STORE, ImageStore } from "../agents/containers/images/store.ts";
import {
  formatImageReference,
  ImageReferenceError,
  parseImageReference,
} from "../schemas/hosting/image-reference.ts";
import { SetupError } from "./setup-error.ts";

/**
 * Imports an image from a file or a folder on this host. The agent may be running, and finds it at once.
 *
 * @throws SetupError with the reason
 */
export async function imageImport(
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
  [path, name]: readonly string[],
): Promise<boolean> {
  if (path === undefined || name === undefined)
    throw new SetupError("give a file or folder, and a reference");
  const folder = imageStoreOf(env);
  try {
    const reference = parseImageReference(name);
    const store = new ImageStore(folder);
    await store.open();
    const { digest } = await importImage(path, reference, store);
    say(`imported  ${formatImageReference(reference)}  ${digest}`);
    return true;
  } catch (error) {
    if (error instanceof PullError) throw new SetupError(`${path}: ${error.message}`, { cause: error });
    if (error instanceof ImageReferenceError)
      throw new SetupError(`the reference ${error.message}`, { cause: error });
    throw error;
  }
}

/** The agent's store of images. */
export function imageStoreOf(env: Readonly<Record<string, string | undefined>>): string {
  const data = resolve(env.BERTH_DATA || ".berth");
  // With npm start the agent's folder is in the one of all.
  return join(existsSync(join(data, "agent")) ? join(data, "agent") : data, IMAGE_STORE);
}
