/** How much of a failed command's error output goes into a message: enough for a reason, not for a flood. */
const ERROR_TEXT_MAX = 500;
/** Every command here is a local one that ends within milliseconds; past this the kernel or a disk hangs. */
const COMMAND_MS_MAX = 20_000;

/** A program that could not be started, ended with a code other than 0, or took too long. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/**
 * Runs a program to its end and returns what it wrote to stdout. Never a shell: `argv` is passed as it is.
 *
 * @param input what the program reads on stdin; nothing unless told
 * @param msMax how long it may take, for what is known to take long
 * @throws CommandError with the first of what the program wrote to stderr
 */
export async function run(
  argv: readonly string[],
  input?: string,
  msMax: number = COMMAND_MS_MAX,
): Promise<string> {
  const child = spawn(argv, input, msMax);
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code === 0) return stdout;
  const reason = stderr.trim().slice(0, ERROR_TEXT_MAX) || `ended with ${child.signalCode ?? code}`;
  throw new CommandError(`${argv[0]}: ${reason}`);
}

function spawn(argv: readonly string[], input: string | undefined, msMax: number) {
  try {
    return Bun.spawn([...argv], {
      stdin: input === undefined ? "ignore" : new TextEncoder().encode(input),
      stdout: "pipe",
      stderr: "pipe",
      timeout: msMax,
      killSignal: "SIGKILL",
    });
  } catch (cause) {
    throw new CommandError(`${argv[0]}: cannot be started`, { cause });
  }
}
