import { readFileSync, rmSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { makeBundles } from "./bundles.ts";
import { readFileTimes, readJunit } from "./junit.ts";
import { startOrphanWatchdog } from "./orphan-watchdog.ts";
import { ensureHostTools, natsServerPath } from "./provision.ts";
import type { RunningServer } from "./servers/server.ts";
import { SetupError } from "./setup-error.ts";
import { serveSharedStack } from "./shared-stack.ts";
import { endStuckWorkers } from "./stuck-workers.ts";
import { startTestDatabase } from "./test-database.ts";
import { makeTestFolder, removeDeadFolders, serverDataUnder } from "./test-folder.ts";
import { endLeftovers } from "./test-leftovers.ts";
import { saveFailed, saveTimes, writeTimings } from "./test-order.ts";

/** `npm test`: provisions the tests, then runs `bun test` with the given arguments. Last line: `N passed, N failed`. */

const ROOT = join(import.meta.dir, "..");

/**
 * Tests start servers, in parallel and on shared machines: far above the duration of any test, but short enough for a
 * waiting person.
 */
const TEST_LIMIT_MS = 300_000;
/** Past the limit of a test: what has not ended by then cannot look at its clock. */
const STUCK_MS = TEST_LIMIT_MS + 30_000;

/**
 * How many test files run at once, regardless of the machine's cores: most of a file's time is waiting for servers. Nine keep two cores busy all the time
 * and take a quarter longer: whatever waits asks again and again. Each file has its own ports, folders, databases, addresses and firewall tables, so that
 * none has to run alone.
 */
const WORKERS_MAX = 6;
/** What a worker takes with the servers of its file. */
const WORKER_BYTES = 2 ** 30;
const workers = Math.min(WORKERS_MAX, Math.max(1, Math.floor(totalmem() / WORKER_BYTES)));

const say = (line: string) => console.log(`berth: ${line}`);
const places = new Set([tmpdir(), serverDataUnder(tmpdir())]);
for (const place of places) removeDeadFolders(place);
const folders = [...places].map(makeTestFolder);
const [folder = "", serverData = folder] = folders;
const watchdog = startOrphanWatchdog();
for (const one of folders) watchdog.remove(one);
const database = await prepared();

// Part of the tests start too few programs to make up for it.
const programs = process.argv.slice(2).every((argument) => argument.startsWith("--"))
  ? // Where the checkout belongs to another user, programs start from their sources.
    await makeBundles(ROOT).catch(() => undefined)
  : undefined;

const report = join(folder, "report.xml");
const timings = join(folder, "timings.json");
writeTimings(timings, ROOT);
const argv = [
  "test",
  `--timeout=${TEST_LIMIT_MS}`,
  `--parallel=${workers}`,
  // A worker loads each module once, not once a file: a tenth of the run's processor time. Modules keep no state that a test could see.
  "--no-isolate",
  `--timings=${timings}`,
  "--reporter=junit",
  `--reporter-outfile=${report}`,
];
const testEnv = {
  ...process.env,
  TMPDIR: folder,
  BERTH_TEST_SERVER_DATA: serverData,
  BERTH_TEST_POSTGRES: database.url,
  ...(programs === undefined ? {} : { BERTH_TEST_PROGRAMS: programs }),
  // Tests start hundreds of processes with the same modules, many of them with a home of their own: each is compiled once.
  BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(folder, "compiled"),
  // Memory that is freed stays with its process: to give it back, and to get it again page by page, takes up to two fifths of the time of one that allocates.
  MIMALLOC_PURGE_DELAY: "-1",
};
const shared = serveSharedStack({ folder, root: ROOT, env: testEnv, watchdog });
const run = Bun.spawn([process.execPath, ...argv, ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: ["ignore", "inherit", "inherit"],
  // Files of tests are removed with the folder, even those of a killed test.
  env: { ...testEnv, BERTH_TEST_STACK: shared.socket },
});
watchdog.watch(run.pid, "TERM");
const stopLooking = endStuckWorkers(run.pid, STUCK_MS, say);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => run.kill(signal));
const code = await run.exited;
stopLooking();
watchdog.forget(run.pid);
await shared.stop();

const said = read(report);
const { passed, failed, skipped, failedFiles } = readJunit(said);
saveFailed(ROOT, failedFiles);
// Some tests of a file take less than all of them.
if (process.argv.slice(2).every((argument) => argument !== "-t")) saveTimes(ROOT, readFileTimes(said));
await database.stop();
// What a test has started to outlive it, and then failed to end.
for (const one of folders) {
  endLeftovers(one);
  rmSync(one, { recursive: true, force: true });
}
for (const name of skipped) console.log(`skipped: ${name}`);
// The report lacks files that cannot be loaded, and crashes.
const missing = code !== 0 && failed === 0;
if (missing) console.log(`bun test ended with code ${code} outside of any test: see above`);
const ok = code === 0 && failed === 0 && passed > 0;
console.log(`${passed} passed, ${failed + (missing ? 1 : 0)} failed`);
process.exit(ok ? 0 : 1);

/** Prepares what test files need, and the database that they share. */
async function prepared(): Promise<RunningServer> {
  try {
    await ensureHostTools({ say });
    await natsServerPath({ say });
    return await startTestDatabase(serverData, watchdog);
  } catch (error) {
    console.error(`berth: ${error instanceof SetupError ? error.message : Bun.inspect(error)}`);
    console.log("0 passed, 1 failed");
    process.exit(1);
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
