import { join } from "node:path";

/** `bun run check`: format and lint, types, unused code, the import rules. All of them run, and one failure fails the check. */

const ROOT = join(import.meta.dir, "..");
const bin = (name: string) => [process.execPath, "x", "--no-install", name];
/** Several threads each check the types that they share: twice the processor time, and two thirds more memory. */
const tsc = [...bin("tsc"), "--noEmit", "--singleThreaded"];

type Check = readonly [name: string, command: readonly string[]];

/** Two of these run at a time: the longest takes as long as the others together. */
const CHECKS: readonly (readonly Check[])[] = [
  [["tsc", tsc]],
  [
    ["biome", [...bin("biome"), "check", "--error-on-warnings"]],
    ["tsc of the pages", [...tsc, "-p", "agents/web"]],
    ["tsc of the console", [...tsc, "-p", "gateway/console"]],
    ["knip", bin("knip")],
    ["imports", [process.execPath, "test", "test/imports.test.ts"]],
  ],
];

const failed: string[] = [];
await Promise.all(
  CHECKS.map(async (checks) => {
    for (const [name, command] of checks) if (!(await passes(name, command))) failed.push(name);
  }),
);
console.log(failed.length === 0 ? "check: all is well" : `check: failed: ${failed.join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);

/** Runs a check, and writes what it says when it has ended, since another one runs beside it. */
async function passes(name: string, command: readonly string[]): Promise<boolean> {
  const child = Bun.spawn([...command], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  const said = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const code = await child.exited;
  process.stdout.write(`check: ${name}\n${said.join("")}`);
  return code === 0;
}
