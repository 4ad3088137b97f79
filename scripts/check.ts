import { join } from "node:path";

/** `bun run check`: format and lint, types, unused code, the import rules. All of them run, and one failure fails the check. */

const ROOT = join(import.meta.dir, "..");
const bin = (name: string) => [process.execPath, "x", "--no-install", name];

const CHECKS: Record<string, string[]> = {
  biome: [...bin("biome"), "check", "--error-on-warnings"],
  tsc: [...bin("tsc"), "--noEmit"],
  "tsc of the pages": [...bin("tsc"), "--noEmit", "-p", "agents/web"],
  "tsc of the console": [...bin("tsc"), "--noEmit", "-p", "gateway/console"],
  knip: bin("knip"),
  imports: [process.execPath, "test", "test/imports.test.ts"],
};

const failed: string[] = [];
for (const [name, command] of Object.entries(CHECKS)) {
  console.log(`check: ${name}`);
  const child = Bun.spawn(command, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
  if ((await child.exited) !== 0) failed.push(name);
}
console.log(failed.length === 0 ? "check: all is well" : `check: failed: ${failed.join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);
