import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../programs.ts";
import { failureOf } from "./run.ts";

/**
 * Unpacks a Debian package into a folder, without root: nothing on the system changes, and no service of the
 * package's is started. The package's dependencies are not looked at.
 *
 * @param folder made when missing; the package's files land under it (`<folder>/usr/…`)
 * @returns undefined when it is there, else why not, in one line
 */
export async function unpackPackage(name: string, folder: string): Promise<string | undefined> {
  const aptGet = findProgram("apt-get");
  const dpkg = findProgram("dpkg");
  if (!aptGet || !dpkg) return "this system has no apt-get";
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(folder, "apt-"));
  try {
    // apt fetches as its user _apt, which has to get in.
    chmodSync(work, 0o755);
    const download = (options: string[]) => failureOf([aptGet, ...options, "download", name], work);
    if ((await download([])) !== undefined) {
      // The system's package lists are missing or old, and only root may renew those: use lists of our own.
      const own = ownLists(work);
      const failure = (await failureOf([aptGet, ...own, "update"], work)) ?? (await download(own));
      if (failure !== undefined) return failure;
    }
    const file = readdirSync(work).find((entry) => entry.endsWith(".deb"));
    if (!file) return "apt-get download left no package";
    return await failureOf([dpkg, "-x", join(work, file), folder]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Installs packages system-wide; root only.
 *
 * @returns undefined when they are there, else why not, in one line
 */
export async function installPackages(names: readonly string[]): Promise<string | undefined> {
  const aptGet = findProgram("apt-get");
  if (!aptGet) return "this system has no apt-get";
  const install = () => failureOf([aptGet, "install", "-y", "--no-install-recommends", ...names]);
  if ((await install()) === undefined) return undefined;
  return (await failureOf([aptGet, "update"])) ?? (await install());
}

function ownLists(work: string): string[] {
  const lists = join(work, "lists");
  const cache = join(work, "cache");
  for (const folder of [lists, cache]) mkdirSync(join(folder, "partial"), { recursive: true });
  return ["-o", `Dir::State::lists=${lists}`, "-o", `Dir::Cache=${cache}`, "-o", "Debug::NoLocking=true"];
}
