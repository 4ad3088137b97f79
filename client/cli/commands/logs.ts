import { Option } from "@commander-js/extra-typings";
import type { LogLine } from "../../index.ts";
import type { Cli } from "../cli.ts";
import type { CommandGroup } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { count, reply } from "../read.ts";

const TAIL = "100";
const TAIL_MAX = 1_000;

export const logs: CommandGroup = (program, cli) => {
  program
    .command("logs")
    .argument("<container>")
    .option("-f, --follow", "print new lines as they are written")
    .option("--tail <lines>", "how many of the newest", TAIL)
    .option("--since <time>", "no lines from before this time (RFC 3339)")
    .addOption(new Option("--stream <stream>", "one of the two").choices(["stdout", "stderr"] as const))
    .option("-t, --timestamps", "begin each line with its time")
    .summary("what a container writes")
    .description(
      "Print what a container has written: its stdout to the output, its stderr to the error output. With --json it is a list of records, and with --follow each line is one.",
    )
    .action(async (given, { follow, tail, since, stream, timestamps }) => {
      const id = await idOf(cli, NOUNS.container, given);
      const api = await cli.api();
      const filter = {
        tail: String(count(tail, 0, TAIL_MAX)),
        ...(since === undefined ? {} : { since }),
        ...(stream === undefined ? {} : { stream }),
      };
      const print = (line: LogLine) => printLine(cli, line, Boolean(timestamps));
      if (!follow) {
        const request = { params: { path: { id }, query: filter } };
        const { data } = await reply(api.GET("/api/v1/containers/{id}/logs", request));
        if (cli.options().json) return cli.print.json(data.lines);
        for (const line of data.lines) await print(line);
        return;
      }
      for await (const line of api.logs(id, cli.io.interrupted, filter)) {
        if (line === null) cli.io.err("[berth: some lines were lost]\n");
        else await print(line);
      }
    });
};

/** A log is shown as it is, colours included. */
async function printLine(cli: Cli, line: LogLine, hasTime: boolean): Promise<void> {
  if (cli.options().json) return void (await cli.io.out(`${JSON.stringify(line)}\n`));
  const text = `${hasTime ? `${line.time} ` : ""}${line.text}${line.partial ? "" : "\n"}`;
  if (line.stream === "stderr") cli.io.err(text);
  else await cli.io.out(text);
}
