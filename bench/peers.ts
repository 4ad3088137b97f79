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
 * @param folder of `peers/`, of a peer that has packages of its own
 * @throws SetupError when they cannot be had: without its peers a benchmark says nothing.
 */
export async function installPeers(folder = "."): Promise<Record<string, string>> {
  const home = join(PEERS, folder);
  const { dependencies } = (await Bun.file(join(home, "package.json")).json()) as {
    dependencies: Record<string, string>;
  };
  if (!(await areInstalled(home, dependencies))) {
    const npm = findProgram("npm");
    const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
    const argv =
      npm === undefined ? [process.execPath, "install", "--no-save", "--no-progress"] : [npm, "ci", ...quiet];
    const [program = "", ...args] = argv;
    const { status, stderr, error } = spawnSync(program, args, { cwd: home, encoding: "utf8" });
    if (status !== 0) {
      const said = (stderr?.trim() || error?.message || `code ${status}`).slice(0, ERROR_CHARS_MAX);
      throw new SetupError(`the peers' packages could not be installed in bench/peers/${folder}: ${said}`);
    }
  }
  return dependencies;
}

/** Their versions as a page names them, apart from those of Berth's own packages. */
export const ofPeers = (versions: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(versions).map(([name, version]) => [`${name} (peers)`, version]));

async function areInstalled(home: string, wanted: Readonly<Record<string, string>>): Promise<boolean> {
  for (const [name, version] of Object.entries(wanted)) {
    const manifest = Bun.file(join(home, "node_modules", name, "package.json"));
    if (!(await manifest.exists()) || ((await manifest.json()) as { version: string }).version !== version)
      return false;
  }
  return true;
}
