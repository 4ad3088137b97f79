import { Command, CommanderError } from "@commander-js/extra-typings";
import packageJson from "../package.json" with { type: "json" };
import { Cli, type GlobalOptions } from "./cli.ts";
import { groupsFor } from "./commands/index.ts";
import { EXIT, failureOf } from "./failures.ts";
import type { Words } from "./field-names.ts";
import type { CommandGroup } from "./groups.ts";
import { INTERRUPTED, type Io } from "./io.ts";

const DESCRIPTION = "Rent servers, run containers on them, and reach them: Berth from the command line.";

const AFTER_HELP = `
A name works wherever an id does. Exit status: 0 done, 1 refused, 2 wrong usage, 3 not signed in, 4 Berth cannot be reached.
BERTH_URL and BERTH_TOKEN replace the sign-in; NO_COLOR turns colours off.`;

/**
 * Commands, and what they work with.
 *
 * @param operators commands that only the repository has
 * @param first what the command line begins with; all commands unless it names one
 */
export function buildProgram(io: Io, operators: readonly CommandGroup[] = [], first?: string) {
  const program: Command = new Command("berth");
  program
    .description(DESCRIPTION)
    .version(packageJson.version, "--version", "print the version")
    .option("--json", "print the result as JSON")
    .option("-q, --quiet", "print ids alone, and nothing for people")
    .option("--context <name>", "the control plane to work with, by its name in `berth context list`")
    .option("-y, --yes", "do not ask")
    .option("--idempotency-key <key>", "make the change once, however often the command is run with this key")
    .addHelpText("after", AFTER_HELP)
    .exitOverride()
    .configureOutput({ writeOut: (text) => void io.out(text), writeErr: (text) => io.err(text) })
    .showHelpAfterError("Run it with --help to see how it is used.")
    .helpCommand(false);
  if (io.columns !== undefined) program.configureHelp({ helpWidth: io.columns });
  const cli = new Cli(io, () => program.opts() as GlobalOptions);
  for (const group of [...groupsFor(first), ...operators]) group(program, cli);
  for (const group of program.commands) group.helpCommand(false);
  let running: Words | undefined;
  program.hook("preAction", (_program, command) => {
    running = command as unknown as Words;
  });
  return { program, cli, running: () => running };
}

/** Runs a command line. Resolves with the exit status. */
export async function main(
  argv: readonly string[],
  io: Io,
  operators: readonly CommandGroup[] = [],
): Promise<number> {
  const { program, cli, running } = buildProgram(io, operators, argv[0]);
  try {
    if (argv.length === 0) {
      program.outputHelp({ error: true });
      return EXIT.usage;
    }
    await program.parseAsync(argv, { from: "user" });
    return EXIT.ok;
  } catch (error) {
    // Commander has written the reason, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (io.interrupted.aborted) return INTERRUPTED;
    const { status, message } = failureOf(error, running());
    const where = status === EXIT.unreachable ? await destination(cli) : "";
    if (message !== null) io.err(`berth: ${where}${message}\n`);
    return status;
  }
}

async function destination(cli: Cli): Promise<string> {
  const { context } = await cli.session.context();
  return `${context.url} cannot be reached: is it the right address, and does Berth run there?\n  `;
}
