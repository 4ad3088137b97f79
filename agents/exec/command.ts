import { type Bound, runProgram } from "./program.ts";

/** How much of a failed command's error output goes into a message: enough for a reason, not for a flood. */
const ERROR_TEXT_MAX = 500;
/** Every command here is a local one that ends within milliseconds; past this the kernel or a disk hangs. */
const COMMAND_MS_MAX = 20_000;
/** The longest output is nft's list of all rules of a host: about 1 KiB a rule. */
const STDOUT_BYTES_MAX = 64 * 1024 * 1024;

const BOUNDS: Readonly<Record<Bound, string>> = {
  deadline: "took too long",
  stdout: "wrote too much",
  stderr: "wrote too much to stderr",
  signal: "was stopped",
};

/** A program that could not be started, ended with a code other than 0, took too long or wrote too much. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/**
 * Runs a program to its end and returns what it wrote to stdout. Never a shell: `argv` is passed as it is.
 *
 * @param input what the program reads on stdin; nothing by default
 * @param msMax how long it may take, for what is known to take long
 * @throws CommandError with the first of what the program wrote to stderr
 */
export async function run(
  argv: readonly string[],
  input?: string,
  msMax: number = COMMAND_MS_MAX,
): Promise<string> {
  const { code, boundMet, stdout, stderr } = await start(argv, input, msMax);
  if (code === 0) return stdout.toString();
  const said = stderr.toString().trim().slice(0, ERROR_TEXT_MAX);
  const reason = boundMet === null ? said || `ended with ${code}` : BOUNDS[boundMet];
  throw new CommandError(`${argv[0]}: ${reason}`);
}

function start(argv: readonly string[], input: string | undefined, msMax: number) {
  const bounds = { msMax, stdoutBytesMax: STDOUT_BYTES_MAX };
  try {
    return runProgram(argv, { input: input === undefined ? null : new TextEncoder().encode(input) }, bounds);
  } catch (cause) {
    throw new CommandError(`${argv[0]}: cannot be started`, { cause });
  }
}
