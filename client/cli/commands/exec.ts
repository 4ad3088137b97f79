import { ExitStatus, Refused, UsageError } from "../failures.ts";
import type { CommandGroup } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { count, reply } from "../read.ts";

const TIMEOUT = { standard: "60", max: 300 } as const;
/** The way to the host and back. */
const MARGIN_MS = 30_000;

export const exec: CommandGroup = (program, cli) => {
  program
    .command("exec")
    .argument("<container>")
    .argument("<command...>", "after --: the program and its arguments; no shell reads them")
    .option("-i, --input", "pass the input on")
    .option("-e, --env <name=value...>", "variables beside those of the container")
    .option("-u, --user <name>", "user in the container")
    .option("-w, --directory <path>", "where it runs")
    .option("--timeout <seconds>", "the command is ended then", TIMEOUT.standard)
    .summary("run a command in a container")
    .description(
      "Run a command in a container and wait for its end. Its output and its status become those of this command.",
    )
    .action(async (given, command, options) => {
      const id = await idOf(cli, NOUNS.container, given);
      const seconds = count(options.timeout, 1, TIMEOUT.max);
      const api = await cli.api(seconds * 1_000 + MARGIN_MS);
      const body = {
        command: [...command],
        // Base64 carries every byte.
        encoding: "base64" as const,
        timeout_seconds: seconds,
        ...(options.env === undefined ? {} : { env: variables(options.env) }),
        ...(options.user === undefined ? {} : { user: options.user }),
        ...(options.directory === undefined ? {} : { working_directory: options.directory }),
        ...(options.input
          ? { input: Buffer.from(await new Response(cli.io.input()).bytes()).toString("base64") }
          : {}),
      };
      const { data } = await reply(
        api.POST("/api/v1/containers/{id}/exec", { params: { path: { id } }, body }),
      );
      if (cli.options().json) await cli.print.json(data);
      else {
        await cli.io.out(Buffer.from(data.stdout, "base64"));
        cli.io.err(Buffer.from(data.stderr, "base64").toString());
      }
      if (data.timed_out) throw new Refused(`the command was ended after ${seconds} s`);
      if (data.truncated) throw new Refused("the command was ended: it wrote too much");
      if (data.exit_status !== 0) throw new ExitStatus(data.exit_status ?? 1);
    });
};

function variables(given: readonly string[]): Record<string, string> {
  const pairs = given.map((text) => {
    const at = text.indexOf("=");
    if (at < 1) throw new UsageError(`"${text}" is not a variable such as NAME=value`);
    return [text.slice(0, at), text.slice(at + 1)];
  });
  return Object.fromEntries(pairs);
}
