import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readJunit } from "./junit.ts";
import { ensureHostTools, natsServerPath } from "./provision.ts";
import { SetupError } from "./setup-error.ts";

/** `npm test`: what the tests need, then `bun test` with the given arguments. Last line: `N passed, N failed`. */

const ROOT = join(import.meta.dir, "..");

/** A test starts servers, on machines that others share: far above what any takes, below what a person waits. */
const TEST_LIMIT_MS = 60_000;

/** Test files that run at once: most of them wait for servers most of the time. */
const WORKERS = 2;

const say = (line: string) => console.log(`berth: ${line}`);

try {
  await ensureHostTools({ say });
  await natsServerPath({ say });
} catch (error) {
  console.error(`berth: ${error instanceof SetupError ? error.message : Bun.inspect(error)}`);
  console.log("0 passed, 1 failed");
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), "berth-"));
const report = join(folder, "report.xml");
const argv = [
  "test",
  `--timeout=${TEST_LIMIT_MS}`,
  `--parallel=${WORKERS}`,
  "--reporter=junit",
  `--reporter-outfile=${report}`,
];
const run = Bun.spawn([process.execPath, ...argv, ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: ["ignore", "inherit", "inherit"],
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => run.kill(signal));
const code = await run.exited;

const { passed, failed, skipped } = readJunit(read(report));
rmSync(folder, { recursive: true, force: true });
for (const name of skipped) console.log(`skipped: ${name}`);
// A file that cannot be loaded, or a crash, is in no report.
const missing = code !== 0 && failed === 0;
if (missing) console.log(`bun test ended with code ${code} outside of any test: see above`);
const ok = code === 0 && failed === 0 && passed > 0;
console.log(`${passed} passed, ${failed + (missing ? 1 : 0)} failed`);
process.exit(ok ? 0 : 1);

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
