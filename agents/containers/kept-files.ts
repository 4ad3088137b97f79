import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { removeAttribute } from "./oci/kernel.ts";

/** What a container keeps of its own files when it takes a newer image. */

/** Overlayfs: nothing of the layers below shows in this folder. */
const OPAQUE = "trusted.overlay.opaque";

/** Where it is written which folders are volumes: by the program that makes the root, which knows where links lead. */
export const volumesFile = (folder: string): string => join(folder, "volumes.json");

/** What is kept of a container that was started last before its volumes were written down: all of it. */
const ALL = ["/"];

/** The folders that the image named as volumes at the last start, without links on the way. @param folder the container's */
export async function readVolumes(folder: string): Promise<string[]> {
  const known: unknown = await readFile(volumesFile(folder), "utf8").then(JSON.parse, () => null);
  return Array.isArray(known) && known.every((path) => typeof path === "string") ? known : ALL;
}

/**
 * Removes what is in a folder, except some folders below it. Links are removed and not followed. It may be called again after it was
 * cut off.
 *
 * @param kept absolute paths below the folder, without links on the way; `/`: all of it
 */
export async function removeAllBut(folder: string, kept: readonly string[]): Promise<void> {
  const below = kept.map((path) => path.split("/").filter((name) => name !== ""));
  await removeBut(folder, below);
}

async function removeBut(folder: string, kept: readonly (readonly string[])[]): Promise<void> {
  if (kept.some((names) => names.length === 0)) return;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const here = kept.filter(([first]) => first === entry.name).map(([, ...rest]) => rest);
    if (here.length === 0 || !entry.isDirectory()) await rm(path, { recursive: true, force: true });
    else await removeBut(path, here);
  }
  removeAttribute(folder, OPAQUE);
}
