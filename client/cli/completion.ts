import type { Cli } from "./cli.ts";
import type { Command } from "./groups.ts";
import { NOUNS, type Noun } from "./nouns.ts";
import { readRows } from "./read.ts";

/** Somebody waits for the next character to appear. */
const NAMES_MS_MAX = 2_000;
const NAMES_MAX = 200;

/** What may stand in the place of the last word: commands, options, or names and ids of the argument's noun. */
export async function completions(program: Command, cli: Cli, words: readonly string[]): Promise<string[]> {
  const typed = words.at(-1) ?? "";
  const { command, given } = commandOf(program, words.slice(0, -1));
  const fits = (text: string) => text.startsWith(typed);
  if (typed.startsWith("-")) return optionsOf(command).filter(fits);
  const commands = command.commands.map((one) => one.name()).filter((name) => !name.startsWith("_"));
  if (commands.length > 0) return commands.filter(fits);
  const argument = command.registeredArguments[given.length] ?? command.registeredArguments.at(-1);
  if (argument === undefined || (!argument.variadic && given.length >= command.registeredArguments.length))
    return [];
  if (argument.argChoices !== undefined) return [...argument.argChoices].filter(fits);
  return (await namesOf(cli, argument.name())).filter(fits);
}

type AnyCommand = Command["commands"][number];

/** The command that words lead to, and the arguments that it has already. */
function commandOf(program: Command, words: readonly string[]) {
  let command = program as AnyCommand;
  const given: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const option = [...command.options, ...program.options].find(
      ({ long, short }) => word === long || word === short,
    );
    if (option !== undefined) {
      if (option.required) at++;
      continue;
    }
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) given.push(word);
    else command = next;
  }
  return { command, given };
}

const optionsOf = (command: AnyCommand): string[] => {
  const own = command.options.map(({ long }) => long ?? "");
  return [...own, ...(command.parent === null ? [] : optionsOf(command.parent as AnyCommand))];
};

/** Nothing where nobody is signed in or Berth is away: a completion must not print errors. */
async function namesOf(cli: Cli, name: string): Promise<string[]> {
  if (!Object.hasOwn(NOUNS, name)) return [];
  const noun = NOUNS[name as keyof typeof NOUNS] as unknown as Noun<{ readonly id: string }>;
  const late = new Promise<never[]>((resolve) => setTimeout(() => resolve([]), NAMES_MS_MAX).unref());
  const read = async () => {
    const rows = await readRows(await cli.api(), noun.read, NAMES_MAX);
    const names = rows.map((row) => noun.name(row)).filter((one) => !/[\s'"\\$`]/.test(one));
    return [...new Set([...names, ...rows.map(({ id }) => id)])];
  };
  return Promise.race([read().catch(() => []), late]);
}

/** What each shell is to run at its start. */
export const COMPLETION_SCRIPTS = {
  bash: `_berth() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _berth berth
`,
  zsh: `#compdef berth
_berth() {
  local -a found
  found=("\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found
}
compdef _berth berth
`,
  fish: `function __berth_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] __complete $words[2..-1] 2>/dev/null
end
complete -c berth -f -a '(__berth_complete)'
`,
} as const;
