import { type ProgramOptions, runProgram } from "./program.ts";
import type { RunBounds, RunResult } from "./target.ts";

/** Looking up users, folders and programs takes milliseconds; past this a file system hangs, or the program does on purpose. */
const RUN_MS_MAX = 10_000;
/** Such a program says a few lines. */
const RUN_BYTES_MAX = 64 * 1024;

/** Runs a program that ends within seconds and says little; what it writes to stderr is not read. */
export async function runShort(
  argv: readonly string[],
  options: Pick<ProgramOptions, "cwd" | "env">,
  { msMax = RUN_MS_MAX, stdoutBytesMax = RUN_BYTES_MAX }: Partial<RunBounds>,
): Promise<RunResult> {
  const bounds = { msMax, stdoutBytesMax };
  const { code, boundMet, stdout } = await runProgram(argv, { ...options, stderr: "ignore" }, bounds);
  return { code, boundMet, stdout: stdout.toString() };
}

/** Why a program that was killed has no answer, in words for who asked. */
export const describeBound = ({ boundMet }: Pick<RunResult, "boundMet">): string =>
  boundMet === "stdout" ? "it wrote more than it may" : "it did not end in time";
