import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../harness/servers.ts";

const ROOT = join(import.meta.dir, "../..");
/** Any commit, branch or tag; the previous commit unless told. */
const FROM = process.env.BERTH_TEST_UPGRADE_FROM ?? "HEAD~1";

const git = (...words: string[]) => Bun.spawnSync(["git", "-C", ROOT, ...words]);

/** Why no earlier version can run here; undefined when one can. */
export function lacksEarlierVersion(): string | undefined {
  if (Bun.which("git") === null) return "skipped: this machine lacks git";
  if (git("rev-parse", "--verify", "--quiet", `${FROM}^{commit}`).exitCode !== 0)
    return `skipped: this checkout has no commit ${FROM}`;
  if (git("diff", "--quiet", FROM, "HEAD", "--", "package-lock.json").exitCode !== 0)
    return `skipped: ${FROM} has other dependencies`;
  return undefined;
}

/** Makes a checkout of the earlier version, with this one's dependencies. Answers its folder. */
export function checkOutEarlierVersion(): string {
  const folder = temporaryFolder();
  const { exitCode, stdout, stderr } = git("archive", "--format=tar", FROM);
  if (exitCode !== 0) throw new Error(`git archive: ${stderr}`);
  const unpacked = Bun.spawnSync(["tar", "-x", "-C", folder], { stdin: stdout });
  if (unpacked.exitCode !== 0) throw new Error(`tar: ${unpacked.stderr}`);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
}
