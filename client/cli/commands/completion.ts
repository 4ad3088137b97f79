import { Argument } from "@commander-js/extra-typings";
import { COMPLETION_SCRIPTS, completions } from "../completion.ts";
import type { CommandGroup } from "../groups.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

export const completion: CommandGroup = (program, cli) => {
  program
    .command("completion")
    .addArgument(new Argument("<shell>", "your shell").choices(SHELLS))
    .summary("complete commands, names and ids in your shell")
    .description("Print a script that completes commands, names and ids.")
    .addHelpText(
      "after",
      `
  bash   echo 'source <(berth completion bash)' >> ~/.bashrc
  zsh    echo 'source <(berth completion zsh)' >> ~/.zshrc
  fish   berth completion fish > ~/.config/fish/completions/berth.fish`,
    )
    .action(async (shell) => {
      await cli.io.out(COMPLETION_SCRIPTS[shell]);
    });
  // The scripts run it for each completion. The words are another command's, so none of them is an option of this one.
  program
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .allowUnknownOption()
    .helpOption(false)
    .action(async () => {
      const words = program.args.slice(1);
      for (const word of await completions(program, cli, words)) await cli.io.out(`${word}\n`);
    });
};
