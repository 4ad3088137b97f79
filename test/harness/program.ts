import { existsSync } from "node:fs";
import { join } from "node:path";
import { bundleOf, type Program } from "../../scripts/bundles.ts";

const ROOT = join(import.meta.dir, "../..");
/** Where a run of all tests has each program as one file. */
const folder = process.env.BERTH_TEST_PROGRAMS;

/**
 * The file by which a test starts a program: in a run of all tests one that starts in half the processor time, else the program's own. Tests of the programs themselves, and
 * of `npm start`, name the program's own.
 */
export function programFile(program: Program): string {
  const bundle = folder === undefined ? undefined : bundleOf(folder, program);
  return bundle !== undefined && existsSync(bundle) ? bundle : join(ROOT, program);
}
