import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findProgram } from "../scripts/programs.ts";
import { SetupError } from "../scripts/setup-error.ts";

/** The programs that Berth is measured against: `peers/`, with packages of their own. */

const PEERS = join(import.meta.dir, "peers");
const ERROR_CHARS_MAX = 1_000;

export const peerProgram = (name: string): string => join(PEERS, name);

/**
 * Installs the peers' packages as their lock file has them. Returns their versions, by name.
 *
 * @param subfolder of `peers/`; itself unless told
 * @throws SetupError when they cannot be had: without its peers a benchmark says nothing.
 */
export async function installPeers(subfolder = "."): Promise<Record<string, string>> {
  const folder = join(PEERS, subfolder);
  const { dependencies } = (await Bun.file(join(folder, "package.json")).json()) as {
    dependencies: Record<string, string>;
  };
  if (!(await areInstalled(folder, dependencies))) {
    const npm = findProgram("npm");
    const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
    const argv =
      npm === undefined ? [process.execPath, "install", "--no-save", "--no-progress"] : [npm, "ci", ...quiet];
    const [program = "", ...args] = argv;
    const { status, stderr, error } = spawnSync(program, args, { cwd: folder, encoding: "utf8" });
    if (status !== 0) {
      const said = (stderr?.trim() || error?.message || `code ${status}`).slice(0, ERROR_CHARS_MAX);
      throw new SetupError(`the peers' packages could not be installed in ${folder}: ${said}`);
    }
  }
  return dependencies;
}

async function areInstalled(folder: string, wanted: Readonly<Record<string, string>>): Promise<boolean> {
  for (const [name, version] of Object.entries(wanted)) {
    const manifest = Bun.file(join(folder, "node_modules", name, "package.json"));
    if (!(await manifest.exists()) || ((await manifest.json()) as { version: string }).version !== version)
      return false;
  }
  return true;
}
