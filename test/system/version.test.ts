import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { commitOf } from "../../system/commit.ts";
import { Registry } from "../../system/prometheus.ts";
import { measureVersion, VERSION } from "../../system/version.ts";
import { temporaryFolder } from "../harness/servers.ts";

const ONE = "1".repeat(40);
const OTHER = "2".repeat(40);

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), `${text}\n`);
  }
  return folder;
}

test("the commit is that of the file which an installation has, and before it of no repository", () => {
  expect(commitOf(folderWith({ COMMIT: ONE, ".git/HEAD": OTHER }))).toBe(ONE);
  // What the image has where its build was not told.
  expect(commitOf(folderWith({ COMMIT: "", ".git/HEAD": OTHER }))).toBe(OTHER);
  expect(commitOf(folderWith({ COMMIT: "main" }))).toBeUndefined();
  expect(commitOf(temporaryFolder())).toBeUndefined();
});

test("a checkout has that of its branch, also where git has packed the branches, and without a branch its own", () => {
  const head = "ref: refs/heads/a";
  expect(commitOf(folderWith({ ".git/HEAD": head, ".git/refs/heads/a": ONE }))).toBe(ONE);
  const packed = `# pack-refs with: peeled\n${OTHER} refs/heads/b/refs/heads/a\n${ONE} refs/heads/a`;
  expect(commitOf(folderWith({ ".git/HEAD": head, ".git/packed-refs": packed }))).toBe(ONE);
  expect(commitOf(folderWith({ ".git/HEAD": ONE }))).toBe(ONE);
  expect(commitOf(folderWith({ ".git/HEAD": head }))).toBeUndefined();
});

test("a worktree has the branches of its first checkout", () => {
  const first = folderWith({
    ".git/refs/heads/a": ONE,
    ".git/worktrees/w/HEAD": "ref: refs/heads/a",
    ".git/worktrees/w/commondir": "../..",
  });
  expect(commitOf(folderWith({ ".git": `gitdir: ${join(first, ".git/worktrees/w")}` }))).toBe(ONE);
});

test("a process's metrics have its version", async () => {
  expect(VERSION.split("+")[0]).toBe(packageJson.version);
  const registry = new Registry();
  measureVersion(registry);
  expect(await registry.metrics()).toContain(`berth_build_info{version="${VERSION}"} 1`);
});
