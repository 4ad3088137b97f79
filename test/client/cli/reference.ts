import { join } from "node:path";
import { buildProgram } from "../../../client/cli/program.ts";
import { operatorCommands } from "../../../scripts/operator-commands.ts";

/** `bun run cli-docs`: makes the reference of the command line from its commands. */

export const REFERENCE_FILE = join(import.meta.dir, "../../../docs/cli-reference.md");

const HEAD = `# Commands of \`berth\`

Made from the commands by \`bun run cli-docs\`: not to be edited. [cli.md](cli.md) says how to begin.

Every command takes \`--json\` (the result as JSON), \`--quiet\` (ids alone), \`--context <name>\`, \`--yes\` (do not ask) and \`--idempotency-key <key>\`. A name works wherever an id does.
`;

type Program = ReturnType<typeof buildProgram>["program"];
type AnyCommand = Program["commands"][number];

/** All commands, also those of operators. */
export function programOfReference(): Program {
  const io = { env: {}, out: () => {}, err: () => {}, isInteractive: false, columns: undefined };
  const never = { input: () => new ReadableStream<Uint8Array>(), interrupted: new AbortController().signal };
  return buildProgram({ ...io, ...never }, [operatorCommands]).program;
}

/** The page as it is to be now. */
export function makeReference(): string {
  const program = programOfReference();
  const parts = Map.groupBy(program.commands.filter(isShown), (command) => command.helpGroup());
  const sections = [...parts].map(
    ([title, commands]) =>
      `\n## ${title.replace(/:$/, "")}\n${commands.flatMap((one) => describe(one, "berth")).join("")}`,
  );
  return HEAD + sections.join("");
}

const isShown = (command: AnyCommand) => !command.name().startsWith("_");

function describe(command: AnyCommand, above: string): string[] {
  const name = `${above} ${command.name()}`;
  if (command.commands.length > 0)
    return [
      `\n${command.description()}\n`,
      ...command.commands.flatMap((one) => describe(one as AnyCommand, name)),
    ];
  const usage = [name, ...command.registeredArguments.map(argumentText)].join(" ");
  const lines = [...command.registeredArguments, ...command.options].filter(
    ({ description }) => description !== "",
  );
  const rows = lines.map(
    (one) =>
      `| \`${("flags" in one ? one.flags : argumentText(one)).replaceAll("|", "\\|")}\` | ${textOf(one)} |\n`,
  );
  const table = rows.length === 0 ? "" : `\n| | |\n|---|---|\n${rows.join("")}`;
  return [`\n### \`${usage}\`\n\n${command.description()}\n${table}`];
}

type Argument = AnyCommand["registeredArguments"][number];

function argumentText(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function textOf(one: Argument | AnyCommand["options"][number]): string {
  const choices =
    one.argChoices === undefined ? "" : `: ${one.argChoices.map((choice) => `\`${choice}\``).join(", ")}`;
  const standard =
    one.defaultValue === undefined || one.defaultValue === ""
      ? ""
      : ` (\`${one.defaultValue}\` unless given)`;
  const isFlagDefault = typeof one.defaultValue === "boolean";
  return `${one.description}${choices}${isFlagDefault ? "" : standard}`.replaceAll("|", "\\|");
}

if (import.meta.main) await Bun.write(REFERENCE_FILE, makeReference());
