import { readFile } from "node:fs/promises";
import { BerthError } from "../../../errors.ts";
import type { StockImport } from "../../../index.ts";
import type { Cli } from "../../cli.ts";
import { replacing } from "../../edge/save.ts";
import { Refused } from "../../failures.ts";
import type { Command } from "../../groups.ts";
import { plural } from "../../output/format.ts";
import { reply } from "../../read.ts";

/** The stock in a spreadsheet: `export` writes it as CSV, `import` makes it what the file says, as a whole. */
export function addStockFile(group: Command, cli: Cli): void {
  group
    .command("export")
    .option("-o, --output <file>", "where to; the output unless given")
    .description("Write the stock as CSV, to be changed and imported again.")
    .action(async ({ output }) => {
      const text = await reply((await cli.api()).GET("/api/v1/admin/stock", { parseAs: "text" }));
      if (output === undefined) return cli.options().json ? cli.print.json({ csv: text }) : cli.io.out(text);
      await replacing(output, (draft) => draft.writeFile(text));
      await cli.print.done(`Saved ${output}.`, { file: output });
    });
  group
    .command("import")
    .requiredOption("-f, --file <file>", "CSV as `export` writes it; - reads the input")
    .option("--dry-run", "show the difference and end")
    .description(
      "Change many servers of the stock at once: all of it happens or nothing. The difference is shown and confirmed.",
    )
    .action(async ({ file, dryRun }) => {
      const text = file === "-" ? await new Response(cli.io.input()).text() : await readFile(file, "utf8");
      const planned = await send(cli, text, file, true);
      for (const line of planned.changes.flatMap(linesOf)) cli.io.err(`${line}\n`);
      if (dryRun || planned.changes.length === 0)
        return cli.print.done(
          planned.changes.length === 0 ? "Nothing to change." : "Nothing was done.",
          planned,
        );
      await cli.confirm("Make these changes to the stock?");
      const made = await send(cli, text, file, false);
      await cli.print.done(`${plural(made.added, "server")} added, ${made.changed} changed.`, made);
    });
}

type Change = StockImport["changes"][number];

const linesOf = ({ action, name, cells }: Change): string[] =>
  action === "add"
    ? [`+ ${name}: ${cells.map(({ column, after }) => `${column} ${after ?? ""}`).join(", ")}`]
    : cells.map(
        ({ column, before, after }) => `~ ${name}: ${column} ${before ?? "-"} becomes ${after ?? "-"}`,
      );

/** @throws Refused with the place of each error */
async function send(cli: Cli, text: string, file: string, isDryRun: boolean): Promise<StockImport> {
  const request = {
    params: { query: { dry_run: isDryRun ? ("true" as const) : ("false" as const) } },
    headers: { "content-type": "text/csv" },
    body: text,
    bodySerializer: (body: string | undefined) => body ?? "",
  };
  try {
    return (await reply((await cli.api()).POST("/api/v1/admin/stock", request))).data;
  } catch (error) {
    throw placesOf(error, file) ?? error;
  }
}

interface CellFault {
  readonly line: number;
  readonly column: string | null;
  readonly message: string;
}

function placesOf(error: unknown, file: string): Refused | undefined {
  if (!(error instanceof BerthError) || error.code !== "INVALID_CSV") return undefined;
  const faults = error.data.errors as readonly CellFault[] | undefined;
  if (faults === undefined) return undefined;
  const lines = faults.map(
    ({ line, column, message }) => `  ${file}:${line}: ${column === null ? "" : `${column}: `}${message}`,
  );
  return new Refused(`nothing was changed:\n${lines.join("\n")}`);
}
